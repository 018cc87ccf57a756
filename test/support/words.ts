// Words that this project does not use, each with the one to use instead. The spelling is American.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const instead: Record<string, string> = {
  ledger: 'external-request report',
  'bring(?:s|ing)? in|brought in': 'download',
  'dead links?': 'broken link',
  'finished (?:site|html)': 'built site',
  'for people': 'human-readable',
  'front door': 'root route',
  'gave up|gives? up': 'abandon',
  'goes on holding': 'still applies',
  'landing words': 'search-term highlighting',
  'leads? nowhere': 'is broken',
  'made anew': 'regenerated',
  mended: 'fixed',
  movable: 'rewritable',
  'pass(?:es|ed) over': 'skip',
  shall: 'should, must',
  stamps: 'fingerprints',
  'stand-ins?': 'placeholder',
  'style sheets?': 'stylesheet',
  'tells? all': 'report',
  'the way in': 'entry page',
  whoever: 'a named actor',
  'amongst|whilst': 'among, while',
  'artefacts?': 'artifact',
  'learnt|misspelt|spelt': 'learned, misspelled, spelled',
  'programmes?': 'program',
  'towards|afterwards|upwards': 'toward, afterward, upward',
  '\\w*(?:capital|custom|emphas|final|general|human|initial|local|maxim|minim|neutral|normal|optim|organ|priorit|real|recogn|sanit|serial|special|summar|synchron|util|visual)is(?:e[drs]?|ers|ing|ations?)':
    'it with z',
  '\\w*analys(?:e[dr]?|ers|ing)': 'it with z',
  '\\w*(?:behaviour|colour|favour|flavour|honour|labour|neighbour)\\w*': 'it with o, not ou',
  '\\w*(?:channel|label|level|model|signal|travel)l(?:ed|er|ers|ing)': 'it with one l before the ending',
  '\\w*(?:centre|fibre|litre|metre|theatre)[ds]?': 'it with -er',
  '(?:defen|licen|offen|preten)ces?': 'it with s, not c',
  '(?:catalogue|dialogue)[ds]?': 'it with -log',
  'grey(?:s|ed|ish)?': 'gray',
};
const pattern = new RegExp(`\\b(?:${Object.keys(instead).join('|')})\\b`, 'gi');

/** One line for each old word in sources, messages, manual, README and changelog. */
export function wrongWords(root: string): string[] {
  const folders = ['src', 'server', 'integration', 'README.md', 'CHANGELOG.md', 'CONTRIBUTING.md'];
  const files = execFileSync('git', ['ls-files', ...folders], { cwd: root, encoding: 'utf8' })
    .trim()
    .split('\n');
  return files
    .filter((file) => /\.(?:ts|astro|mdx|md|css|json)$/.test(file) && !isExcepted(file))
    .flatMap((file) =>
      readFileSync(join(root, file), 'utf8')
        .split('\n')
        .flatMap((line, index) => (line.match(pattern) ?? []).map((word) => `${file}:${index + 1}: "${word}": ${better(word)}`)),
    );
}

// Lists of English words, and texts in other languages.
function isExcepted(file: string): boolean {
  return /^integration\/(?:search\/|texts\/(?!en\.json).+\.json$)/.test(file);
}

function better(word: string): string {
  const [, plain] = Object.entries(instead).find(([old]) => new RegExp(`^(?:${old})$`, 'i').test(word))!;
  return `write ${plain}`;
}
