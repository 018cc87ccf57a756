import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import Slugger from 'github-slugger';
import type { SearchPage } from '../../integration/search/analyze.ts';
import type { Section } from '../../integration/search/index-options.ts';

/** A link inside the folder: its text, the section it stands in, and where it leads. */
export interface TextLink {
  text: string;
  from: string;
  page: string;
  /** Section, where the link has a fragment that exists. */
  section?: string;
}

/**
 * Pages and links of a folder of Markdown, read by rules of thumb: good enough to measure search on, not to publish.
 * `prefix` is what site-absolute links begin with (`/en/`).
 */
export function markdownPages(folder: string, prefix = '/'): { pages: SearchPage[]; links: TextLink[] } {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.mdx?$/.test(file) && !/(^|\/)(_|404|README)/.test(file))
    .sort();
  const raw: { text: string; from: string; file: string; href: string }[] = [];
  const pages = files.map((file) =>
    readPage(readFileSync(join(folder, file), 'utf8'), file, (link) => raw.push({ ...link, file })),
  );
  const paths = new Set(pages.map(({ page }) => page));
  const sections = new Set(pages.flatMap((page) => page.sections.map(({ id }) => id)));
  const links = raw.flatMap(({ text, from, file, href }): TextLink[] => {
    const [address = '', fragment] = href.split('#');
    const page = address === '' ? pathOf(file) : resolve(address, file, prefix);
    if (!paths.has(page)) return [];
    const section = `${page}#${fragment}`;
    return [{ text, from, page, ...(fragment && sections.has(section) && { section }) }];
  });
  return { pages, links };
}

function pathOf(file: string): string {
  return file.replace(/\.mdx?$/, '').replace(/(^|\/)index$/, '');
}

function resolve(address: string, file: string, prefix: string): string {
  const absolute = address.startsWith('/') ? address.replace(prefix, '/') : posix.join('/', dirname(file), address);
  return pathOf(absolute.replace(/^\/|\/$/g, ''));
}

function readPage(
  source: string,
  file: string,
  onLink: (link: { text: string; from: string; href: string }) => void,
): SearchPage {
  const page = pathOf(file);
  const [, front = '', body = source] = /^---\n(.*?)\n---\n(.*)$/s.exec(source) ?? [];
  const first = /^# (.+)$/m.exec(body)?.[1];
  const title = plain(/^title:\s*(.+)$/m.exec(front)?.[1]?.replace(/^(['"])(.*)\1$/, '$2') ?? first ?? page);
  const description = /^description:\s*(?:['"])?(.+?)(?:['"])?$/m.exec(front)?.[1] ?? '';
  const slugger = new Slugger();
  const sections: Section[] = [{ id: page, page, title, headings: [], text: description, code: '', language: 'en' }];
  const trail: string[] = [];
  let fence = '';
  for (const line of body.split('\n')) {
    const section = sections.at(-1)!;
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark && (fence === '' || mark.startsWith(fence))) fence = fence ? '' : mark;
    else if (fence) section.code += `${line}\n`;
    else if (/^(import|export) /.test(line)) continue;
    else {
      const [, marks, words] = /^(#{1,6})\s+(.+?)\s*#*$/.exec(line) ?? [];
      if (marks && words) {
        const [, heading = words, id] = /^(.*?)\s*\{\/?\*?\s*#([\w-]+)\s*\*?\/?\}$/.exec(words) ?? [];
        if (marks.length === 1 && plain(heading) === title) continue;
        trail.length = Math.max(0, marks.length - 2);
        trail.push(plain(heading));
        sections.push({
          id: `${page}#${id ?? slugger.slug(plain(heading))}`,
          page,
          title,
          headings: trail.filter(Boolean),
          text: '',
          code: '',
          language: 'en',
        });
      }
      for (const [, text, href] of line.matchAll(/(?<!!)\[([^\]]+)\]\(([^)\s]+)\)/g))
        onLink({ text: plain(text!), from: sections.at(-1)!.id, href: href! });
      if (!marks) section.text += `${plain(line)}\n`;
    }
  }
  return { page, title, sections };
}

function plain(markdown: string): string {
  return markdown
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/<\/?[a-zA-Z][^>]*>/g, ' ')
    .replace(/[`*]|^\s*>+/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}
