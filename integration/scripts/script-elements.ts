// The parts of a page's scripts that must change for file://, where browsers block modules and CORS requests.
import { attribute, type Attribute, type Tag } from '../html/read-html.ts';

interface Span {
  start: number;
  end: number;
}

/** A `script` element that runs. Its range is that of the element, including its tags. */
export interface ScriptElement extends Span {
  kind: 'module' | 'classic';
  text: Span;
  src?: Attribute;
  integrity?: string;
}

/** An `astro-island`: Astro looks up its modules by attributes. */
interface IslandElement {
  /** `component-url`, `renderer-url`, `before-hydration-url`. */
  urls: string[];
  props?: Attribute;
}

/** Plain positions in the text of the page. */
export interface PageScripts {
  /** Position of the first possible element of the head. */
  head: number;
  scripts: ScriptElement[];
  islands: IslandElement[];
  /** Contents of `<script type="importmap">`. */
  importMaps: Span[];
  /** Elements that only speed up a page on a host, with the URL that they load, if any. */
  hints: (Span & { url?: string })[];
  /** `crossorigin` and `integrity`, with what their element loads. */
  guards: (Span & { url: string })[];
  /** Contents of style elements. */
  styles: Span[];
  /** `content` of each `<meta http-equiv="content-security-policy">`. */
  policies: Attribute[];
  /** Each `<use>` of a symbol in another file. */
  uses: { start: number; url: string }[];
}

/** Takes the tags of a page as `readHtml` gives them. */
export function scriptReader(): {
  open(tag: Tag): void;
  close(name: string, start: number, end: number): void;
  scripts(): PageScripts;
} {
  const found: PageScripts = {
    head: 0,
    scripts: [],
    islands: [],
    importMaps: [],
    hints: [],
    guards: [],
    styles: [],
    policies: [],
    uses: [],
  };
  let open: Tag | undefined;
  let isHeadKnown = false;

  const openLink = (tag: Tag) => {
    const relations = (attribute(tag, 'rel') ?? '').toLowerCase().split(/\s+/);
    if (!relations.includes('stylesheet') && relations.some((relation) => hintRelations.has(relation)))
      found.hints.push({ start: tag.start, end: tag.end, url: attribute(tag, 'href') });
  };
  const openUse = (tag: Tag) => {
    const url = attribute(tag, 'href') ?? attribute(tag, 'xlink:href') ?? '';
    if (url !== '' && url[0] !== '#') found.uses.push({ start: tag.start, url });
  };
  const openMeta = (tag: Tag) => {
    const content = tag.attributes.find(({ name }) => name === 'content');
    if (!content) return;
    if (attribute(tag, 'http-equiv')?.trim().toLowerCase() === 'content-security-policy') found.policies.push(content);
    // With this element, Astro's router fetches the next page instead of navigating.
    if (attribute(tag, 'name') === 'astro-view-transitions-enabled') found.hints.push({ start: tag.start, end: tag.end });
  };

  return {
    open(tag) {
      if (tag.name === 'script' || tag.name === 'style') open = tag;
      else if (tag.name === 'link') openLink(tag);
      else if (tag.name === 'meta') openMeta(tag);
      else if (tag.name === 'use') openUse(tag);
      else if (tag.name === 'astro-island') found.islands.push(islandOf(tag));
      else if (!isHeadKnown && (tag.name === 'html' || tag.name === 'head')) {
        found.head = tag.end;
        isHeadKnown = tag.name === 'head';
      }
      for (const { name, start, end } of tag.attributes) {
        if (name !== 'crossorigin' && name !== 'integrity') continue;
        const isMedia = tag.name === 'video' || tag.name === 'audio';
        const url = attribute(tag, 'src') ?? attribute(tag, 'href') ?? (isMedia ? '' : undefined);
        if (url !== undefined) found.guards.push({ start, end, url });
      }
    },
    close(name, start, end) {
      if (!open || open.name !== name) return;
      const text = { start: open.end, end: start };
      if (name === 'style') found.styles.push(text);
      else addScript(found, open, text, end);
      open = undefined;
    },
    scripts: () => found,
  };
}

const hintRelations = new Set(['modulepreload', 'preload', 'prefetch', 'prerender']);

const classicTypes = /^(?:|(?:text|application)\/(?:x-)?(?:java|ecma|j)script(?:1\.[0-5])?|text\/livescript)$/;

function addScript(found: PageScripts, tag: Tag, text: Span, end: number): void {
  const type = (attribute(tag, 'type') ?? '').trim().toLowerCase();
  if (type === 'importmap') found.importMaps.push(text);
  else if (type === 'speculationrules') found.hints.push({ start: tag.start, end });
  else if (type === 'module' || classicTypes.test(type)) {
    found.scripts.push({
      kind: type === 'module' ? 'module' : 'classic',
      start: tag.start,
      end,
      text,
      src: tag.attributes.find(({ name }) => name === 'src'),
      integrity: attribute(tag, 'integrity'),
    });
  }
}

function islandOf(tag: Tag): IslandElement {
  const urls = ['component-url', 'renderer-url', 'before-hydration-url'].flatMap((name) => attribute(tag, name) || []);
  return { urls, props: tag.attributes.find(({ name }) => name === 'props') };
}
