// Generators whose scripts are an application that renders each page anew, by the URL it is served at. From a file, or below another path,
// that application finds no page and replaces the one that was there with "not found".
import { attribute, readHtml, type Tag } from '../html/read-html.ts';
import { applyEdits, type Edit } from '../text/edit.ts';
import type { PageHead } from '../page/read-page.ts';
import type { Problem } from '../diagnostics.ts';

export interface PageApp {
  name: string;
  generator: RegExp;
  /** Matches the paths of its scripts. */
  script: RegExp;
  /** Shows what its scripts would show on a click. */
  style: string;
}

const apps: PageApp[] = [
  {
    name: 'VitePress',
    generator: /^VitePress\b/,
    script: /(?:^|\/)assets\/app\.[\w-]+\.js$/,
    style: '.vp-code-group .blocks>div{display:block!important}',
  },
  {
    name: 'Docusaurus',
    generator: /^Docusaurus\b/,
    script: /(?:^|\/)assets\/js\/(?:runtime~main|main)\.\w+\.js$/,
    style:
      '[role=tabpanel][hidden]{display:block!important}details[data-collapsed]>div{display:block!important;height:auto!important}',
  },
];

/** The application of a page, by the generator that the page names. */
export function appOf(head: PageHead): PageApp | undefined {
  const generator = head.metas.get('generator') ?? '';
  return apps.find((app) => app.generator.test(generator));
}

/** The page without its application. */
export function withoutApp(html: string, app: PageApp): string {
  const edits: Edit[] = [];
  let script: Tag | undefined;
  let headEnd: number | undefined;
  readHtml(html, {
    open(tag) {
      if (tag.name === 'script') {
        const path = attribute(tag, 'src')?.replace(/[?#].*$/s, '') ?? '';
        script = app.script.test(path) ? tag : undefined;
      }
      // The search button of both is the same, and does nothing without their scripts.
      if (tag.name === 'button' && /\bDocSearch-Button\b/i.test(attribute(tag, 'class') ?? ''))
        edits.push({ start: tag.end - 1, end: tag.end - 1, text: ' data-carrel-search' });
    },
    close(name, start, end) {
      if (name === 'head' && headEnd === undefined) {
        headEnd = start;
        edits.push({ start, end: start, text: `<style>${app.style}</style>` });
      }
      if (name !== 'script' || !script) return;
      if (html.slice(script.end, start).trim() === '') edits.push({ start: script.start, end, text: '' });
      script = undefined;
    },
    text() {},
  });
  return applyEdits(html, edits);
}

export function appProblem({ name }: PageApp): Problem {
  return {
    kind: 'application-left-out',
    severity: 'warning',
    message: `The scripts of ${name} select a page by the URL that it is served at. A copy has other URLs, so the scripts are removed: pages are as the generator wrote them.`,
    hint: 'Links, search and all text work; the menus and switches of the theme that need its scripts do not.',
  };
}
