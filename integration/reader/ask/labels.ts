import { ask, dialogs } from '../../search/labels/en.ts';

export const englishAskLabels = { ...ask, ...dialogs };

/** Texts of the Ask panel. */
export type AskLabels = typeof englishAskLabels;
