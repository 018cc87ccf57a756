// Generators whose scripts are an application that renders each page anew, by the URL it is served at. From a file, or below another path,
// that application finds no page and replaces the one that was there with "not found".
import { attribute, type HtmlReader, type Tag } from '../html/read-html.ts';
import type { Edit } from '../text/edit.ts';
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

/** Hands a page on to `reader` as it is without its application, and collects the edits that leave the application out. */
export function withoutApp(html: string, app: PageApp, reader: HtmlReader, edits: Edit[]): HtmlReader {
  let script: Tag | undefined;
  let hasHeadEnd = false;
  return {
    ...reader,
    open(tag) {
      if (isScriptOf(app, html, tag)) {
        script = tag;
        return;
      }
      // The search button of both is the same, and does nothing without their scripts.
      if (tag.name === 'button' && /\bDocSearch-Button\b/i.test(attribute(tag, 'class') ?? '')) {
        const at = tag.end - 1;
        edits.push({ start: at, end: at, text: ` ${searchAttribute}` });
        const place = { start: at, end: at, valueStart: at, valueEnd: at };
        tag.attributes.push({ name: searchAttribute, value: '', quote: '', ...place });
      }
      reader.open(tag);
    },
    close(name, start, end) {
      if (script) {
        edits.push({ start: script.start, end, text: '' });
        script = undefined;
        return;
      }
      if (name === 'head' && !hasHeadEnd) {
        hasHeadEnd = true;
        edits.push({ start, end: start, text: `<style>${app.style}</style>` });
      }
      reader.close(name, start, end);
    },
    text(text, start) {
      if (!script) reader.text(text, start);
    },
  };
}

function isScriptOf(app: PageApp, html: string, tag: Tag): boolean {
  if (tag.name !== 'script') return false;
  const path = attribute(tag, 'src')?.replace(/[?#].*$/s, '') ?? '';
  if (!app.script.test(path)) return false;
  emptyToItsEnd.lastIndex = tag.end;
  return emptyToItsEnd.test(html);
}

const emptyToItsEnd = /\s*<\/script[\s/>]/iy;
const searchAttribute = 'data-carrel-search';

export function appProblem({ name }: PageApp): Problem {
  return {
    kind: 'application-left-out',
    severity: 'warning',
    message: `${name}'s scripts choose the page from its URL. The export has different URLs, so Carrel removes these scripts and keeps the HTML as ${name} generated it.`,
    hint: 'Links, search and text still work. Menus and toggles of the theme that depend on these scripts do not.',
  };
}
