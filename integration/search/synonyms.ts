// English words that readers and writers of documentation use for each other; other languages have no synonyms.
import { stemOf, toTerm } from './tokenize.ts';

/** Terms that mean the same as words with this stem; none for most stems. */
export function synonymsOf(stem: string): string[] {
  return byStem.get(stem) ?? [];
}

const groups = [
  'picture image photo',
  'folder directory',
  'remove delete erase drop',
  'error fault mistake failure exception',
  'price cost',
  'address url uri',
  'zip archive',
  'change modify edit alter',
  'speed fast performance quick',
  'memory ram',
  'configure setting option configuration preference',
  'execute run',
  'organisation organization',
  'licence license',
  'colour color',
  'login signin',
  'password credential',
  'kubernetes k8s',
  'javascript js',
  'typescript ts',
  'postgresql postgres',
  'check verify validate',
  'intact unchanged whole',
  'copy duplicate',
  'shortcut hotkey',
  'start launch begin',
  'start begin quickstart introduction',
  'stop halt quit end',
  'cancel abort',
  'higher rank boost priority',
  'same identical equal',
  'download fetch',
  'forbid prohibit refuse deny',
  'permission right scope privilege',
  'retry again',
  'machine computer',
  'dead broken',
  'expire valid lifetime live',
  'translate translation',
  'maximum limit most',
  'minimum least',
  'snippet reusable reuse',
  'upgrade update',
  'repository repo',
  'environment env',
  'program application',
  'save store keep',
];

const byStem = new Map<string, string[]>();
for (const group of groups) {
  const terms = group.split(' ').flatMap((word) => toTerm(word) ?? []);
  for (const term of terms)
    byStem.set(stemOf(term), [...(byStem.get(stemOf(term)) ?? []), ...terms.filter((other) => other !== term)]);
}
