// One pass over a finished page: its addresses, ids, sections, and what it loads from other hosts.
import { attribute, readHtml, type Attribute, type Tag } from '../pages/read-html.ts';
import { contentParts, readSections, sectionReader, type SectionsOf } from '../pages/sections.ts';
import type { Section } from '../search/section.ts';
import {
  cssAddresses,
  refreshAddress,
  roleOf,
  srcsetAddresses,
  svgLoads,
  type LoadKind,
  type Reference,
  type ReferenceKind,
} from './references.ts';

export interface PageScan {
  /** In the order of the page. */
  references: Reference[];
  /** Targets of anchors: every `id`, and `name` of links. */
  ids: string[];
  /** In the order of the page; one inside another comes before it. */
  remote: RemoteElement[];
  /** Address that relative ones are relative to, and its element, which the export drops. */
  base?: { href: string; start: number; end: number };
  sections: Section[];
}

/** An element, attribute or style that makes the browser ask another host. */
export interface RemoteElement {
  name: string;
  load: LoadKind;
  /** As written, first the one that names it best. */
  urls: string[];
  start: number;
  end: number;
  /** What stands for it where nothing may be asked: a link showing the address, nothing, or (styles) an empty address. */
  without: 'card' | 'nothing' | 'empty-address';
  /** Inside a link, where another link may not stand. */
  inLink: boolean;
  /** What it shows, in the author's words. */
  words?: string;
  className?: string;
  /** Whether an author wrote it, rather than the theme. */
  inContent: boolean;
}

export function scanPage(html: string, page: SectionsOf): PageScan {
  const sections = sectionReader(page, contentParts(html)[0]!);
  const references: Reference[] = [];
  const ids: string[] = [];
  const remote = remoteElements(() => sections.inContent());
  let base: PageScan['base'];
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
      if (tag.name === 'base') base ??= { href: attribute(tag, 'href') ?? '', start: tag.start, end: tag.end };
      if (tag.name === 'style') style = { start: tag.end, text: '' };
      remote.open(tag);
    },
    text(text, start) {
      sections.text(text, start);
      if (style) style.text += text;
    },
    close(name, start, end) {
      sections.close(name, start, end);
      remote.close(name, end);
      if (name !== 'style' || !style) return;
      const text = html.slice(style.start, start);
      references.push({ kind: 'css', load: 'media', start: style.start, end: start, quote: '', value: text, inContent: false });
      remote.style(text, style.start, start);
      style = undefined;
    },
  });
  const read = sections.sections();
  return { references, ids, remote: remote.found(), base, sections: read.length > 0 ? read : readSections(html, page) };
}

/** Whether an address leads to another host over the network. */
export function isRemote(address: string): boolean {
  return /^\s*(?:(?:https?|wss?|ftp):|[\\/]{2})/i.test(address);
}

/** Addresses of an attribute's value, by its kind. */
export function addressesIn(kind: ReferenceKind, value: string): string[] {
  if (kind === 'srcset') return srcsetAddresses(value).map((found) => found.address);
  if (kind === 'css') return /url\(|@import/i.test(value) ? cssAddresses(value).map((found) => found.address) : [];
  if (kind === 'refresh') return [refreshAddress(value)?.address ?? ''].filter((address) => address !== '');
  return [value];
}

interface Frame {
  name: string;
  start: number;
  openEnd: number;
  urls: string[];
  locals: number;
  load: LoadKind;
  inLink: boolean;
  words?: string;
  className?: string;
  inContent: boolean;
}

const containers = new Set(['video', 'audio', 'picture', 'object', 'iframe', 'script']);

function wordsOf(tag: Tag): string | undefined {
  return attribute(tag, 'alt') || attribute(tag, 'title') || attribute(tag, 'aria-label');
}

function isDecoration(tag: Tag): boolean {
  return attribute(tag, 'aria-hidden') === 'true';
}

function remoteElements(inContent: () => boolean) {
  const found: RemoteElement[] = [];
  const frames: Frame[] = [];
  let links = 0;

  const finish = (frame: Frame, end: number) => {
    if (frame.urls.length === 0 || frame.locals > 0) return;
    const without = frame.load === 'code' ? 'nothing' : 'card';
    found.push({
      name: frame.name,
      load: frame.load,
      urls: frame.urls,
      start: frame.start,
      end,
      without,
      inLink: frame.inLink,
      words: frame.words,
      className: frame.className,
      inContent: frame.inContent,
    });
  };

  const single = (tag: Tag, urls: string[], load: LoadKind, without: RemoteElement['without']) =>
    found.push({
      name: tag.name,
      load,
      urls,
      start: tag.start,
      end: tag.end,
      without,
      inLink: links > 0,
      words: wordsOf(tag),
      className: attribute(tag, 'class'),
      inContent: inContent(),
    });

  return {
    open(tag: Tag) {
      if (tag.name === 'a') links++;
      const frame = frames.at(-1);
      const isContainer = containers.has(tag.name);
      const own: Frame = {
        name: tag.name,
        start: tag.start,
        openEnd: tag.end,
        urls: [],
        locals: 0,
        load: 'media',
        inLink: links > 0,
        words: wordsOf(tag),
        className: attribute(tag, 'class'),
        inContent: inContent(),
      };
      for (const item of tag.attributes) {
        if (item.name === 'class' || item.value === '') continue;
        const role = roleOf(tag, item);
        if (!role?.load) continue;
        const addresses = addressesIn(role.kind, item.value);
        const urls = addresses.filter(isRemote);
        const isMain = item.name !== 'poster' && item.name !== 'style' && !(item.name === 'srcset' && tag.name === 'img');
        if (urls.length === 0) {
          if (isMain) (isContainer ? own : frame)?.name !== undefined && (isContainer ? own : frame)!.locals++;
          continue;
        }
        if (item.name === 'style') single(tag, urls, 'media', 'empty-address');
        else if (!isMain) {
          found.push({
            name: tag.name,
            load: role.load,
            urls,
            start: item.start,
            end: item.end,
            without: 'nothing',
            inLink: links > 0,
            inContent: inContent(),
          });
        } else if (isContainer) {
          own.urls.push(...urls);
          own.load = role.load;
        } else {
          // An image names its picture better than the sources before it.
          if (frame && tag.name === 'img') {
            frame.urls.unshift(...urls);
            frame.words = wordsOf(tag);
          } else if (frame) frame.urls.push(...urls);
          const inFrame = frame !== undefined && (tag.name === 'source' || tag.name === 'track');
          single(
            tag,
            urls,
            role.load,
            inFrame ||
              isDecoration(tag) ||
              svgLoads.has(tag.name) ||
              role.load === 'code' ||
              role.load === 'hint' ||
              tag.name === 'link'
              ? 'nothing'
              : 'card',
          );
        }
      }
      if (isContainer) frames.push(own);
    },
    close(name: string, end: number) {
      if (name === 'a' && links > 0) links--;
      const index = frames.findLastIndex((frame) => frame.name === name);
      if (index < 0) return;
      for (const unclosed of frames.splice(index + 1)) finish(unclosed, unclosed.openEnd);
      finish(frames.pop()!, end);
    },
    style(text: string, start: number, end: number) {
      const urls = addressesIn('css', text).filter(isRemote);
      if (urls.length > 0)
        found.push({ name: 'style', load: 'media', urls, start, end, without: 'empty-address', inLink: false, inContent: false });
    },
    found() {
      for (const frame of frames.splice(0)) finish(frame, frame.openEnd);
      return found;
    },
  };
}
