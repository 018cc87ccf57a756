import { translated } from '../../integration/search/translated.ts';
import { ar } from './labels/ar.ts';
import { de } from './labels/de.ts';
import { en } from './labels/en.ts';
import { es } from './labels/es.ts';
import { fr } from './labels/fr.ts';
import { he } from './labels/he.ts';
import { hi } from './labels/hi.ts';
import { id } from './labels/id.ts';
import { it } from './labels/it.ts';
import { ja } from './labels/ja.ts';
import { ko } from './labels/ko.ts';
import { nl } from './labels/nl.ts';
import { pl } from './labels/pl.ts';
import { pt } from './labels/pt.ts';
import { ru } from './labels/ru.ts';
import { tr } from './labels/tr.ts';
import { uk } from './labels/uk.ts';
import { vi } from './labels/vi.ts';
import { zh } from './labels/zh.ts';
import { zhHant } from './labels/zh-Hant.ts';
import type { Labels } from './view/page-view.ts';

const all: Record<string, Labels> = {
  ar,
  de,
  en,
  es,
  fr,
  he,
  hi,
  id,
  it,
  ja,
  ko,
  nl,
  pl,
  pt,
  ru,
  tr,
  uk,
  vi,
  zh,
  'zh-Hant': zhHant,
};

/** Words of the theme in a language: of its region or script where we have them, else of the language, else English. */
export function labels(language: string): Labels {
  return translated(all, language) ?? en;
}
