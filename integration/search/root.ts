/**
 * What words of one family share, roughly: `export` of exports, exported, exporting. Search does without, since it joins words that
 * readers keep apart; whether a text speaks of what a question asks is better judged with it.
 */
export function rootOf(term: string): string {
  if (cyrillic.test(term)) return bareOf(term, cyrillicEnding, 3);
  if (arabic.test(term)) return bareOf(term, arabicEnding, 3);
  if (term.length < 5 || !/^[a-z]+$/.test(term)) return term.length > 3 ? term.replace(/(?<=[a-z]{3})e$/, '') : term;
  const bare = endings.reduce((left, [ending, least]) => {
    const shorter = left === term ? left.replace(ending, '') : left;
    return shorter.length >= least ? shorter : left;
  }, term);
  // `stop` of stopping, `instal` of install and installed; `configur` of configure, `cop` of copies and copy.
  return bare.replace(/([bdfgklmnprt])\1$/, '$1').replace(/(?<=...)[eiy]$/, '');
}

// With the fewest letters that may be left: the shorter the rest, the less an ending is one.
const endings: [RegExp, number][] = [
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

// Cases and persons, long ones first; they are much alike in the languages that write so.
const cyrillicEnding =
  /(?:иями|ями|ами|ией|иях|иям|ях|ах|ям|ам|ого|его|ому|ему|ыми|ими|ый|ий|ой|ей|ая|яя|ое|ее|ые|ие|ую|юю|ых|их|ым|им|ом|ем|ов|ев|ия|ию|ии|ить|ать|ять|еть|уть|ите|ете|ишь|ешь|ит|ет|ат|ят|ют|ут|ал|ил|ть|а|я|о|е|и|ы|у|ю|ь|й)$/;
const arabicEnding = /(?:ات|ون|ين|ان|ية|ها|هم|ة|ه|ي)$/;

function bareOf(term: string, ending: RegExp, least: number): string {
  const bare = term.replace(ending, '');
  return bare.length >= least ? bare : term;
}
