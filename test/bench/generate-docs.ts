import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { randomNumbers } from '../support/generated-pages.ts';

const pagesInGroup = 50;
const sectionsInPage = 5;

/** One page: its path without extension, and its Markdown. */
export interface GeneratedPage {
  path: string;
  markdown: string;
}

/** How the pages of a docs folder are arranged. */
export const shapes = ['flat', 'deep', 'tabs'] as const;
export type Shape = (typeof shapes)[number];

/** The path of a page from its index and the number of pages. */
const pathsOf: Record<Shape, (index: number, count: number) => string> = {
  /** One folder without a docs.json. */
  flat: (index) => `page-${index}`,
  /** Groups of ten pages and ten groups, so that they nest deeper the more pages there are; without a docs.json. */
  deep: (index) => `${String(Math.floor(index / 10)).replaceAll(/\d/g, 'group-$&/')}page-${index}`,
  /** Two languages of two versions each; tabs of a hundred pages, up to twenty, which then contain more; groups of fifty pages. */
  tabs(index, count) {
    const pagesInVersion = Math.max(1, Math.ceil(count / 4));
    const tabs = Math.min(20, Math.ceil(pagesInVersion / 100));
    const pagesInTab = Math.ceil(pagesInVersion / tabs);
    const [variant, own] = [Math.floor(index / pagesInVersion), index % pagesInVersion];
    const [tab, inTab] = [Math.floor(own / pagesInTab), own % pagesInTab];
    const folder = [
      variant < 2 ? 'en' : 'de',
      variant % 2 === 0 ? 'v2' : 'v1',
      `tab-${tab}`,
      `group-${Math.floor(inTab / pagesInGroup)}`,
    ];
    return `${folder.join('/')}/page-${own}`;
  },
};

/**
 * Pages of about 5 KB with four code blocks, links to other pages and a table. No code block occurs twice, so that none is colored from a
 * cache that another has filled. The same number of pages gives the same text.
 */
export function generatePages(count: number, shape: Shape = 'deep'): GeneratedPage[] {
  const random = randomNumbers(count);
  const words = vocabulary(6000, random);
  const paths = Array.from({ length: count }, (_, index) => pathsOf[shape](index, count));
  return paths.map((path, index) => ({ path, markdown: page(index, paths, words, random) }));
}

/** Writes the pages as a docs folder: for `tabs` with a docs.json of its languages, versions, tabs and groups. */
export async function writeDocs(folder: string, pages: GeneratedPage[], shape: Shape = 'deep'): Promise<void> {
  for (const sub of new Set(pages.map((page) => path.dirname(page.path))))
    await mkdir(path.join(folder, sub), { recursive: true });
  for (const page of pages) await writeFile(path.join(folder, `${page.path}.md`), page.markdown);
  if (shape !== 'tabs') return;
  const navigation = { languages: divisions(pages, ['language', 'version', 'tab', 'group']) };
  const config = { theme: 'mint', name: 'Bench', colors: { primary: '#0f766e' }, navigation };
  await writeFile(path.join(folder, 'docs.json'), JSON.stringify(config, null, 2));
}

/** One entry for each folder at a depth of the paths, divided further by the folders below it. */
function divisions(pages: GeneratedPage[], [kind = '', ...below]: string[], depth = 0): object[] {
  const members = new Map<string, GeneratedPage[]>();
  for (const page of pages) {
    const name = page.path.split('/')[depth] ?? '';
    const known = members.get(name);
    if (known) known.push(page);
    else members.set(name, [page]);
  }
  return [...members].map(([name, own]) =>
    below[0] === undefined
      ? { [kind]: name, pages: own.map((page) => page.path) }
      : { [kind]: name, [`${below[0]}s`]: divisions(own, below, depth + 1) },
  );
}

function page(index: number, paths: string[], words: () => string, random: () => number): string {
  const sentence = (length: number) => {
    const text = Array.from({ length }, words).join(' ');
    return `${text[0]!.toUpperCase()}${text.slice(1)}.`;
  };
  const paragraph = () => Array.from({ length: 6 }, () => sentence(11)).join(' ');
  const link = () => `/${paths[Math.floor(random() * paths.length)]!}`;
  const sections = Array.from({ length: sectionsInPage }, (_, section) => {
    const code = samples[section]?.(`${index}${section}`, words);
    return `## ${words()} ${words()} ${section}\n\n${paragraph()} See [${words()}](${link()}).\n\n${code ?? table(words)}\n`;
  });
  const title = `${words()} ${words()} ${index}`;
  return `---\ntitle: ${title}\ndescription: ${sentence(8)}\n---\n\n${paragraph()}\n\n${sections.join('\n')}\n`;
}

/** Words as a language has them: few that are everywhere, many that are rare (Zipf). */
function vocabulary(size: number, random: () => number): () => string {
  const syllables = [
    'ba',
    'cor',
    'del',
    'fin',
    'gu',
    'han',
    'ilo',
    'ker',
    'lum',
    'mo',
    'ne',
    'pra',
    'qui',
    'ros',
    'sta',
    'tu',
    'ver',
    'wo',
  ];
  const words = Array.from({ length: size }, (_, rank) => {
    const length = rank < 100 ? 1 : rank < 2000 ? 3 : 4;
    return (
      Array.from({ length }, () => syllables[Math.floor(random() * syllables.length)]!).join('') +
      (rank < 100 ? rank.toString(36) : '')
    );
  });
  // Rank by the inverse of the cumulated frequency: 1/rank sums up to a logarithm.
  return () => words[Math.min(size - 1, Math.floor(size ** random() - 1))]!;
}

function table(words: () => string): string {
  const rows = Array.from({ length: 6 }, () => `| \`${words()}\` | ${words()} ${words()} |`);
  return `| Key | Meaning |\n| --- | --- |\n${rows.join('\n')}`;
}

/** Code of four languages; `id` makes each block the only one of its kind. */
const samples: ((id: string, words: () => string) => string)[] = [
  (id, words) => `\`\`\`ts ${words()}.ts
import { ${words()}, type Options } from '${words()}';

export interface Task${id} {
  id: number;
  name: string;
  retries?: number;
}

export async function run${id}(task: Task${id}, options: Options = {}): Promise<string> {
  // ${words()} ${words()} ${words()}
  const result = await ${words()}(task.name, { attempts: task.retries ?? ${id}, ...options });
  if (!result.ok) throw new Error(\`failed: \${result.reason}\`);
  return result.value.map((entry) => entry.trim()).join(', ');
}
\`\`\``,
  (id, words) => `\`\`\`python
from dataclasses import dataclass

@dataclass
class Task${id}:
    """${words()} ${words()}."""
    name: str
    retries: int = ${id}

    def run(self, **options) -> list[str]:
        for attempt in range(self.retries):
            if (found := ${words()}(self.name, attempt)) is not None:
                return [entry.strip() for entry in found if entry]
        raise ValueError(f"no ${words()} for {self.name}")
\`\`\``,
  (id, words) => `\`\`\`bash
#!/usr/bin/env bash
set -euo pipefail
NAME="${words()}-${id}"
for file in ./${words()}/*.json; do
  curl --fail -X POST "https://api.example.com/v1/${words()}?name=\${NAME}" \\
    -H "authorization: Bearer $TOKEN" --data "@$file" | jq '.items[] | select(.id > ${id})'
done
echo "done: $NAME"
\`\`\``,
  (id, words) => `\`\`\`json
{
  "id": ${id},
  "name": "${words()}",
  "enabled": true,
  "tags": ["${words()}", "${words()}"],
  "limits": { "${words()}": ${id}, "${words()}": null },
  "children": [{ "kind": "${words()}", "weight": 0.5 }]
}
\`\`\``,
];
