import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { randomFrom } from './random.ts';

const pagesInGroup = 50;
const sectionsInPage = 5;

/** One page: its path without extension, and its Markdown. */
export interface GeneratedPage {
  path: string;
  markdown: string;
}

/**
 * Pages of about 5 KB with four code blocks, links to other pages and a table. No code block occurs twice, so that none is coloured from a
 * cache that another has filled. The same number of pages gives the same text.
 */
export function generatePages(count: number): GeneratedPage[] {
  const random = randomFrom(count);
  const words = vocabulary(6000, random);
  const paths = Array.from({ length: count }, (_, index) => `group-${Math.floor(index / pagesInGroup)}/page-${index}`);
  return paths.map((path, index) => ({ path, markdown: page(index, paths, words, random) }));
}

/**
 * Writes the pages as a docs folder with a docs.json: a group for every fifty pages, two groups to a tab, ten tabs to a product.
 * So every page carries a sidebar of a hundred links, which is much for a real site.
 */
export async function writeDocs(folder: string, pages: GeneratedPage[]): Promise<void> {
  const groups = new Map<string, GeneratedPage[]>();
  for (const page of pages) groups.set(groupOf(page), [...(groups.get(groupOf(page)) ?? []), page]);
  for (const group of groups.keys()) await mkdir(path.join(folder, group), { recursive: true });
  for (const page of pages) await writeFile(path.join(folder, `${page.path}.md`), page.markdown);
  const listed = [...groups].map(([group, members]) => ({ group, pages: members.map((page) => page.path) }));
  const tabs = chunks(listed, 2).map((groups, index) => ({ tab: `Part ${index + 1}`, groups }));
  const products = chunks(tabs, 10).map((of, index) => ({ product: `Product ${index + 1}`, tabs: of }));
  const config = { theme: 'mint', name: 'Bench', colors: { primary: '#0f766e' }, navigation: { products } };
  await writeFile(path.join(folder, 'docs.json'), JSON.stringify(config, null, 2));
}

function chunks<Item>(items: Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, index * size + size));
}

function groupOf(page: GeneratedPage): string {
  return page.path.split('/')[0]!;
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
