// Generators whose scripts are an application that renders each page anew, by the URL it is served at. From a file, or below another path,
// that application would find no page and replace the one that was there with "not found", so its scripts get the location that the page has
// on its site (app-scripts.ts). Where that is not possible, the application is removed.
import { attribute, type HtmlReader, type Tag } from '../html/read-html.ts';
import type { Edit } from '../text/edit.ts';
import type { PageHead } from '../page/read-page.ts';
import { createProblem, type Problem } from '../diagnostics.ts';

/** Plain data: threads send it to each other. */
export interface PageApp {
  name: string;
  generator: RegExp;
  /** Matches the paths of the scripts that start it. */
  script: RegExp;
  /** Matches the text of a page that it can render. */
  page: RegExp;
  /** How its scripts load each other: as modules, or with the functions of webpack. */
  loads: 'modules' | 'webpack';
  /** Matches the paths of its other scripts. */
  others: RegExp;
  /** Matches the paths of scripts that no page of an export needs. */
  excluded?: RegExp;
  /** Rules of pages with their application. */
  style: string;
  /** Shows what the scripts would show on a click, on pages without their application and for readers without JavaScript. */
  shown: string;
}

const apps: PageApp[] = [
  {
    name: 'VitePress',
    generator: /^VitePress\b/,
    script: /(?:^|\/)assets\/app\.[\w-]+\.js$/,
    page: /<link rel="?modulepreload"? href="?[^">\s]+\.md\.[\w-]+\.lean\.js/,
    loads: 'modules',
    others: /(?:^|\/)assets\/[^/]+\.md\.[\w-]+\.lean\.js$/,
    // Pages as its router would load them after the first.
    excluded: /(?:^|\/)assets\/[^/]+\.md\.[\w-]+(?<!\.lean)\.js$/,
    // Its router would scroll to a heading below the navigation bar.
    style: ':where(html){scroll-padding-top:5rem}',
    shown: '.vp-code-group .blocks>div{display:block!important}',
  },
  {
    name: 'Docusaurus',
    generator: /^Docusaurus\b/,
    script: /(?:^|\/)assets\/js\/(?:runtime~main|main)\.\w+\.js$/,
    page: /\/assets\/js\/runtime~main\.\w+\.js/,
    loads: 'webpack',
    others: /(?:^|\/)assets\/js\/[^/]+\.js$/,
    style: '',
    shown:
      '[role=tabpanel][hidden]{display:block!important}details[data-collapsed]>div{display:block!important;height:auto!important}',
  },
];

/** The application of a page, by the generator that the page names. */
export function appOf(head: PageHead): PageApp | undefined {
  const generator = head.metas.get('generator') ?? '';
  return apps.find((app) => app.generator.test(generator));
}

/** Where a page starts its application. */
interface AppStart {
  /** Range of the element that starts a module, which is replaced; or the empty range before the first script of webpack. */
  start: number;
  end: number;
  /** URL of the module. */
  module?: string;
  isDeferred: boolean;
}

/** What the export changes on a page for its application. Plain data: threads send it to each other. */
export interface AppEdits {
  edits: Edit[];
  start?: AppStart;
  /** The URL that the page states as its own. */
  canonical?: string;
  /** Start of the contents of the body. */
  body?: number;
}

/** Hands a page on to `reader` with its application, and collects what the page needs for it. */
export function withApp(html: string, app: PageApp, reader: HtmlReader, found: AppEdits): HtmlReader {
  const style = app.style && `<style>${app.style}</style>`;
  return appReader(html, app, reader, {
    found,
    headEnd: `${style}<noscript><style>${app.shown}</style></noscript>`,
    take(script, end) {
      const isModule = app.loads === 'modules';
      const { start } = script;
      const isDeferred = isModule || attribute(script, 'defer') !== undefined;
      found.start ??= isModule ? { start, end, module: attribute(script, 'src'), isDeferred } : { start, end: start, isDeferred };
      return isModule;
    },
  });
}

/** Hands a page on to `reader` as it is without its application, and collects the edits that leave the application out. */
export function withoutApp(html: string, app: PageApp, reader: HtmlReader, found: AppEdits): HtmlReader {
  return appReader(html, app, reader, {
    found,
    headEnd: `<style>${app.shown}</style>`,
    take({ start }, end) {
      found.edits.push({ start, end, text: '' });
      return true;
    },
  });
}

interface AppReading {
  found: AppEdits;
  /** What is added to the end of the head. */
  headEnd: string;
  /** Called for each script that starts the application; returns whether the reader does not see it. */
  take(script: Tag, end: number): boolean;
}

function appReader(html: string, app: PageApp, reader: HtmlReader, { found, headEnd, take }: AppReading): HtmlReader {
  // Only whitespace lies between the tags of such a script.
  let isInScript = false;
  let hasHeadEnd = false;
  return {
    ...reader,
    open(tag) {
      const end = endOfScript(app, html, tag);
      if (end !== undefined && take(tag, end)) {
        isInScript = true;
        return;
      }
      if (tag.name === 'link' && attribute(tag, 'rel') === 'canonical') found.canonical = attribute(tag, 'href');
      else if (tag.name === 'body') found.body = tag.end;
      // The search button of both is the same, and does nothing without their scripts.
      if (tag.name === 'button' && /\bDocSearch-Button\b/i.test(attribute(tag, 'class') ?? '')) {
        const at = tag.end - 1;
        found.edits.push({ start: at, end: at, text: ` ${searchAttribute}` });
        const place = { start: at, end: at, valueStart: at, valueEnd: at };
        tag.attributes.push({ name: searchAttribute, value: '', quote: '', ...place });
      }
      reader.open(tag);
    },
    close(name, start, end) {
      if (isInScript) {
        isInScript = false;
        return;
      }
      if (name === 'head' && !hasHeadEnd) {
        hasHeadEnd = true;
        found.edits.push({ start, end: start, text: headEnd });
      }
      reader.close(name, start, end);
    },
    text(text, start) {
      if (!isInScript) reader.text(text, start);
    },
  };
}

/** End of an empty element that loads a script which starts the application; undefined for other elements. */
function endOfScript(app: PageApp, html: string, tag: Tag): number | undefined {
  if (tag.name !== 'script') return undefined;
  const path = attribute(tag, 'src')?.replace(/[?#].*$/s, '') ?? '';
  if (!app.script.test(path)) return undefined;
  emptyToItsEnd.lastIndex = tag.end;
  return emptyToItsEnd.test(html) ? emptyToItsEnd.lastIndex : undefined;
}

const emptyToItsEnd = /\s*<\/script(?:\s[^>]*|\/[^>]*)?>/iy;
const searchAttribute = 'data-carrel-search';

export function appProblem({ name }: PageApp): Problem {
  return createProblem({
    kind: 'application-left-out',
    message: `${name}'s scripts choose the page from its URL. The export has different URLs, and these scripts could not be edited for them, so Carrel removes them and keeps the HTML as ${name} generated it.`,
    hint: 'Links, search and text still work. Menus and toggles of the theme that depend on these scripts do not.',
  });
}
