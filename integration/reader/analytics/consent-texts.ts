// The texts of the question in all languages, in one file: a page needs them at once, before it knows the labels of the site.
import { labelKey } from '../../search/label-key.ts';
import type { Labels } from '../../search/labels/en.ts';
import { consent as ar } from '../../search/labels/ar.ts';
import { consent as de } from '../../search/labels/de.ts';
import { consent as en } from '../../search/labels/en.ts';
import { consent as es } from '../../search/labels/es.ts';
import { consent as fr } from '../../search/labels/fr.ts';
import { consent as he } from '../../search/labels/he.ts';
import { consent as hi } from '../../search/labels/hi.ts';
import { consent as id } from '../../search/labels/id.ts';
import { consent as it } from '../../search/labels/it.ts';
import { consent as ja } from '../../search/labels/ja.ts';
import { consent as ko } from '../../search/labels/ko.ts';
import { consent as nl } from '../../search/labels/nl.ts';
import { consent as pl } from '../../search/labels/pl.ts';
import { consent as pt } from '../../search/labels/pt.ts';
import { consent as ru } from '../../search/labels/ru.ts';
import { consent as tr } from '../../search/labels/tr.ts';
import { consent as uk } from '../../search/labels/uk.ts';
import { consent as vi } from '../../search/labels/vi.ts';
import { consent as zh } from '../../search/labels/zh.ts';
import { consent as zhHant } from '../../search/labels/zh-Hant.ts';

const languages = new Map<string, Labels['consent']>(
  Object.entries({ ar, de, en, es, fr, he, hi, id, it, ja, ko, nl, pl, pt, ru, tr, uk, vi, zh, 'zh-Hant': zhHant }),
);

/** English where there is no translation. */
export function consentIn(language: string): Labels['consent'] {
  return languages.get(labelKey(language)) ?? en;
}
