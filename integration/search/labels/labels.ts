import type * as english from './en.ts';

/** All texts of one language: what English has. A text that a language lacks is a type error. */
export type Labels = { [Group in keyof typeof english]: Record<keyof (typeof english)[Group], string> };
