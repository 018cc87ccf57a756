// In all languages, in the one script that needs them: no page carries them, and no further request is sent.
import { labelKey } from '../../search/label-key.ts';
import type { Labels } from '../../search/labels/en.ts';
import { feedback as ar } from '../../search/labels/ar.ts';
import { feedback as de } from '../../search/labels/de.ts';
import { feedback as en } from '../../search/labels/en.ts';
import { feedback as es } from '../../search/labels/es.ts';
import { feedback as fr } from '../../search/labels/fr.ts';
import { feedback as he } from '../../search/labels/he.ts';
import { feedback as hi } from '../../search/labels/hi.ts';
import { feedback as id } from '../../search/labels/id.ts';
import { feedback as it } from '../../search/labels/it.ts';
import { feedback as ja } from '../../search/labels/ja.ts';
import { feedback as ko } from '../../search/labels/ko.ts';
import { feedback as nl } from '../../search/labels/nl.ts';
import { feedback as pl } from '../../search/labels/pl.ts';
import { feedback as pt } from '../../search/labels/pt.ts';
import { feedback as ru } from '../../search/labels/ru.ts';
import { feedback as tr } from '../../search/labels/tr.ts';
import { feedback as uk } from '../../search/labels/uk.ts';
import { feedback as vi } from '../../search/labels/vi.ts';
import { feedback as zh } from '../../search/labels/zh.ts';
import { feedback as zhHant } from '../../search/labels/zh-Hant.ts';

const languages = new Map<string, Labels['feedback']>(
  Object.entries({ ar, de, en, es, fr, he, hi, id, it, ja, ko, nl, pl, pt, ru, tr, uk, vi, zh, 'zh-Hant': zhHant }),
);

/** English where there is no translation. */
export function feedbackIn(language: string): Labels['feedback'] {
  return languages.get(labelKey(language)) ?? en;
}
