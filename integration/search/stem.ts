/**
 * The stem that the inflections of a word share, roughly: `export` for exports, exported, exporting. Search does without, since stems
 * join words that readers tell apart; whether a text answers a question is better judged with them.
 */
export function stemOf(term: string): string {
  if (cyrillic.test(term)) return withoutSuffix(term, cyrillicSuffix, 3);
  if (arabic.test(term)) return withoutSuffix(term, arabicSuffix, 3);
  if (term.length < 5 || !/^[a-z]+$/.test(term)) return term.length > 3 ? term.replace(/(?<=[a-z]{3})e$/, '') : term;
  const stem = suffixes.reduce((left, [suffix, least]) => (left === term ? withoutSuffix(left, suffix, least) : left), term);
  // `stop` for stopping, `instal` for install and installed; `configur` for configure, `cop` for copies and copy.
  return stem.replace(/([bdfgklmnprt])\1$/, '$1').replace(/(?<=...)[eiy]$/, '');
}

// Each with the fewest letters that may be left: the shorter the rest, the less likely it is a suffix.
const suffixes: [RegExp, number][] = [
  [/(?:ational|ations?|itions?|ate|ates|ated|ating|ators?)$/, 4],
  [/(?:ments?|ness|edly)$/, 4],
  [/(?:able|ible|ably|ally)$/, 5],
  [/(?:ies|ied)$/, 3],
  [/ing$/, 3],
  [/(?:ed|es)$/, 3],
  [/(?:ers?|ors?|ly|al)$/, 4],
  [/s$/, 4],
];

const cyrillic = /^[\u0400-\u04ff]{4,}$/;
const arabic = /^[\u0620-\u064a]{4,}$/;

// Cases and persons, long ones first; the languages in each script share most of them.
const cyrillicSuffix =
  /(?:иями|ями|ами|ией|иях|иям|ях|ах|ям|ам|ого|его|ому|ему|ыми|ими|ый|ий|ой|ей|ая|яя|ое|ее|ые|ие|ую|юю|ых|их|ым|им|ом|ем|ов|ев|ия|ию|ии|ить|ать|ять|еть|уть|ите|ете|ишь|ешь|ит|ет|ат|ят|ют|ут|ал|ил|ть|а|я|о|е|и|ы|у|ю|ь|й)$/;
const arabicSuffix = /(?:ات|ون|ين|ان|ية|ها|هم|ة|ه|ي)$/;

function withoutSuffix(term: string, suffix: RegExp, least: number): string {
  const stem = term.replace(suffix, '');
  return stem.length >= least ? stem : term;
}
