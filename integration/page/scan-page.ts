// One pass over a finished page: its addresses, ids, sections, and what it loads from other hosts.
import { pageLoads, type PageLoads } from '../remote/page-loads.ts';
import type { Guest } from '../static-site/static-site.ts';
import { needsServer, type NeedsServer } from '../static-site/needs-server.ts';
import { pageChoice, type PageChoice } from '../static-site/option-links.ts';
import { svgUses, type SvgUse } from '../static-site/svg-symbols.ts';
import type { PartRules } from './content-rules.ts';
import { readHtml, type Attribute, type Tag } from '../html/read-html.ts';
import { contentParts, hasWords, readContent, sectionReader, type PageContent, type SectionsOf } from './sections.ts';
import { scriptReader, type PageScripts } from '../scripts/read-scripts.ts';
import type { Section } from '../search/section.ts';
import { roleOf, type LoadKind, type Reference, type ReferenceKind } from '../html/references.ts';
import { remoteElements, type RemoteElement } from '../remote/remote-elements.ts';

export interface PageScan {
  /** In the order of the page. */
  references: Reference[];
  /** Targets of anchors: every `id`, and `name` of links. */
  ids: string[];
  /** In the order of the page; one inside another comes before it. */
  remote: RemoteElement[];
  /** Every `<base>` with an address, of which the first decides; the range is the element, or its `href` where it says more. */
  bases: { href: string; start: number; end: number }[];
  sections: Section[];
  /** Where the content stands in the page; undefined when it has none. */
  content: PageContent['slices'] | undefined;
  /** Only of a guest. */
  scripts?: PageScripts;
  /** Only of a guest: what its own server would answer. */
  needsServer: NeedsServer[];
  /** Drawings of other files. Only of a guest. */
  uses: SvgUse[];
  /** Options that may lead to pages. Only of a guest. */
  choices: PageChoice[];
  /** What it loads from other hosts. Only of a guest. */
  loads?: PageLoads;
}

/** Reads a page. The guest's rules say what its content is; without a guest it is a page of our own theme. */
export function scanPage(html: string, page: SectionsOf, guest?: Guest): PageScan {
  const parts = contentParts(html, guest?.content);
  const sections = sectionReader(page, parts.next().value ?? nothing);
  const references: Reference[] = [];
  const ids: string[] = [];
  const served: NeedsServer[] = [];
  const choices: PageChoice[] = [];
  const remote = remoteElements(() => sections.inContent());
  const scripts = guest && scriptReader();
  const uses = svgUses();
  const loads = guest && pageLoads(html, () => sections.inContent());
  const bases: PageScan['bases'] = [];
  let style: { start: number; text: string } | undefined;

  const addReference = (item: Attribute, kind: ReferenceKind, load: LoadKind | undefined) => {
    const { valueStart: start, valueEnd: end, quote, value } = item;
    references.push({ kind, load, start, end, quote, value, inContent: sections.inContent() });
  };

  readHtml(html, {
    open(tag) {
      sections.open(tag);
      if (tag.attributes.length > 0) {
        for (const item of tag.attributes) {
          if (item.name === 'class') continue;
          if (item.name === 'id' || (item.name === 'name' && tag.name === 'a')) {
            if (item.value !== '') ids.push(item.value);
            continue;
          }
          const role = roleOf(tag, item);
          if (role && item.value !== '') addReference(item, role.kind, role.load);
        }
      }
      if (tag.name === 'base') bases.push(...baseOf(tag));
      if (tag.name === 'style') style = { start: tag.end, text: '' };
      remote.open(tag);
      if (!scripts) return;
      scripts.open(tag);
      const needs = needsServer(tag);
      if (needs) served.push(needs);
      const choice = pageChoice(tag);
      if (choice) choices.push(choice);
      uses.open(tag);
      loads?.open(tag);
    },
    text(text, start) {
      sections.text(text, start);
      if (style) style.text += text;
    },
    close(name, start, end) {
      sections.close(name, start, end);
      remote.close(name, end);
      scripts?.close(name, start, end);
      loads?.close(name, start);
      uses.close(name, end);
      if (name !== 'style' || !style) return;
      const text = html.slice(style.start, start);
      references.push({ kind: 'css', load: 'media', start: style.start, end: start, quote: '', value: text, inContent: false });
      remote.style(text, style.start, start);
      style = undefined;
    },
  });
  let content = sections.finish(html.length);
  // An element that a theme keeps for content may be empty where its home page shows something else.
  if (guest && !(content && hasWords(content))) content = readContent(html, page, parts, hasWords) ?? content;
  else content ??= readContent(html, page, parts);
  return {
    references,
    ids,
    remote: remote.found(),
    bases,
    sections: content?.sections ?? [],
    content: content?.slices,
    scripts: scripts?.scripts(),
    needsServer: served,
    uses: uses.found(),
    choices,
    loads: loads?.found(),
  };
}

// One with a `target` alone goes on saying where links open, as in the pages of frames.
function baseOf(tag: Tag): PageScan['bases'] {
  const href = tag.attributes.find(({ name }) => name === 'href');
  if (!href) return [];
  const { start, end } = tag.attributes.some(({ name }) => name === 'target') ? href : tag;
  return [{ href: href.value, start, end }];
}

const nothing: PartRules = { isContent: () => false };
