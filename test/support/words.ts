// Words that this project does not use, each with the one to use instead. The spelling is American.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import instead from './words.json' with { type: 'json' };

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
