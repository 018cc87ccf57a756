// In all languages, in the one script that needs them: no page carries them, and no further request is sent.
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

const languages = new Map<string, Labels['feedback']>(
  Object.entries({
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
  }),
);

/** English where there is no translation. */
export function feedbackIn(language: string): Labels['feedback'] {
  return languages.get(labelKey(language)) ?? en.feedback;
}
