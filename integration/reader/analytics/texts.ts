// The texts of the question for consent and of page feedback in all languages. Each script that needs some has them in all languages: it runs
// before it knows the labels of the site, and sends no further request.
import { labelKey } from '../../texts/label-key.ts';
import type { Labels } from '../../texts/index.ts';
import ar from '../../texts/ar.json' with { type: 'json' };
import de from '../../texts/de.json' with { type: 'json' };
import en from '../../texts/en.json' with { type: 'json' };
import es from '../../texts/es.json' with { type: 'json' };
import fr from '../../texts/fr.json' with { type: 'json' };
import he from '../../texts/he.json' with { type: 'json' };
import hi from '../../texts/hi.json' with { type: 'json' };
import id from '../../texts/id.json' with { type: 'json' };
import it from '../../texts/it.json' with { type: 'json' };
import ja from '../../texts/ja.json' with { type: 'json' };
import ko from '../../texts/ko.json' with { type: 'json' };
import nl from '../../texts/nl.json' with { type: 'json' };
import pl from '../../texts/pl.json' with { type: 'json' };
import pt from '../../texts/pt.json' with { type: 'json' };
import ru from '../../texts/ru.json' with { type: 'json' };
import tr from '../../texts/tr.json' with { type: 'json' };
import uk from '../../texts/uk.json' with { type: 'json' };
import vi from '../../texts/vi.json' with { type: 'json' };
import zh from '../../texts/zh.json' with { type: 'json' };
import zhHant from '../../texts/zh-Hant.json' with { type: 'json' };

/** English where there is no translation. */
export function consentIn(language: string): Labels['consent'] {
  return inLanguage(consent, language);
}

/** English where there is no translation. */
export function feedbackIn(language: string): Labels['feedback'] {
  return inLanguage(feedback, language);
}

function inLanguage<Texts>(all: { en: Texts } & Record<string, Texts>, language: string): Texts {
  const key = labelKey(language);
  return (Object.hasOwn(all, key) ? all[key] : undefined) ?? all.en;
}

// A script contains only the one that it reads.
const consent: { en: Labels['consent'] } & Record<string, Labels['consent']> = {
  ar: ar.consent,
  de: de.consent,
  en: en.consent,
  es: es.consent,
  fr: fr.consent,
  he: he.consent,
  hi: hi.consent,
  id: id.consent,
  it: it.consent,
  ja: ja.consent,
  ko: ko.consent,
  nl: nl.consent,
  pl: pl.consent,
  pt: pt.consent,
  ru: ru.consent,
  tr: tr.consent,
  uk: uk.consent,
  vi: vi.consent,
  zh: zh.consent,
  'zh-Hant': zhHant.consent,
};

const feedback: { en: Labels['feedback'] } & Record<string, Labels['feedback']> = {
  ar: ar.feedback,
  de: de.feedback,
  en: en.feedback,
  es: es.feedback,
  fr: fr.feedback,
  he: he.feedback,
  hi: hi.feedback,
  id: id.feedback,
  it: it.feedback,
  ja: ja.feedback,
  ko: ko.feedback,
  nl: nl.feedback,
  pl: pl.feedback,
  pt: pt.feedback,
  ru: ru.feedback,
  tr: tr.feedback,
  uk: uk.feedback,
  vi: vi.feedback,
  zh: zh.feedback,
  'zh-Hant': zhHant.feedback,
};
