import english from '../../texts/en.json' with { type: 'json' };

export const englishAskLabels = { ...english.ask, ...english.dialogs };

/** Texts of the Ask panel. */
export type AskLabels = typeof englishAskLabels;
