import { ask, search } from '../../search/labels/en.ts';

const { askTitle, close } = search;
export const englishAskLabels = { ...ask, askTitle, close };

/** Texts of the Ask panel; `{name}` in one stands for a value. */
export type AskLabels = typeof englishAskLabels;
