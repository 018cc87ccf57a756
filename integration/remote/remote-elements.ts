// What a page loads from other hosts, element by element.
import { attribute, type Tag } from '../html/read-html.ts';
import { addressesIn, isRemote, lazyFrame, playerElements, roleOf, svgLoads, type LoadKind } from '../html/references.ts';

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

/** Collects the remote elements of a page while it is read. */
export function remoteElements(inContent: () => boolean) {
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
      const lazy = lazyFrame(tag);
      const isContainer = lazy !== undefined || containers.has(tag.name);
      const own: Frame | undefined = isContainer
        ? {
            name: tag.name,
            start: tag.start,
            openEnd: tag.end,
            urls: lazy === undefined ? [] : [lazy],
            locals: 0,
            load: lazy === undefined ? 'media' : 'frame',
            inLink: links > 0,
            words: wordsOf(tag),
            className: attribute(tag, 'class'),
            inContent: inContent(),
          }
        : undefined;
      for (const item of tag.attributes) {
        if (item.name === 'class' || item.value === '') continue;
        const role = roleOf(tag, item);
        if (!role?.load) continue;
        const addresses = addressesIn(role.kind, item.value);
        const urls = addresses.filter(isRemote);
        const isMain = item.name !== 'poster' && item.name !== 'style' && !(item.name === 'srcset' && tag.name === 'img');
        if (urls.length === 0) {
          // What a frame falls back to says nothing of the frame.
          const holder = own ?? (frame?.load === 'frame' ? undefined : frame);
          if (isMain && holder) holder.locals++;
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
        } else if (own) {
          own.urls.push(...urls);
          own.load = role.load;
        } else {
          // An image names its picture better than the sources before it.
          if (frame && tag.name === 'img' && frame.load !== 'frame') {
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
      if (own) frames.push(own);
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

const containers = new Set(['video', 'audio', 'picture', 'object', 'iframe', 'script', ...playerElements]);

function wordsOf(tag: Tag): string | undefined {
  const words = attribute(tag, 'alt') || attribute(tag, 'title') || attribute(tag, 'aria-label');
  return words || (tag.name.startsWith('lite-') ? attribute(tag, 'videotitle') || attribute(tag, 'playlabel') : undefined);
}

function isDecoration(tag: Tag): boolean {
  return attribute(tag, 'aria-hidden') === 'true';
}
