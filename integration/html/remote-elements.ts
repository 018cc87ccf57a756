import type { Load } from './load.ts';
import { attribute, type Attribute, type RoleLoad, type Tag } from './read-html.ts';
import { frameOnClick, playerElements, roleOf, svgLoads } from './references.ts';

/** An element or attribute that loads from an external origin and that the export can remove. */
export interface RemoteElement {
  name: string;
  load: RoleLoad;
  /** Verbatim, the most descriptive first. */
  urls: string[];
  start: number;
  end: number;
  /** What replaces it if it is blocked: a link that shows the URL, or nothing. */
  without: 'placeholder' | 'nothing';
  /** Whether it is inside a link, which must not contain another link. */
  inLink: boolean;
  /** The author's description of what it shows. */
  words?: string;
  className?: string;
}

/** Collects the remote elements of a page from its tags and attributes. */
export function remoteElements() {
  const found: RemoteElement[] = [];
  const containers: Container[] = [];
  let own: Container | undefined;
  let links = 0;

  const finish = ({ openEnd: _, locals, ...element }: Container, end: number) => {
    if (element.urls.length === 0 || locals > 0) return;
    found.push({ ...element, end, without: element.load === 'code' ? 'nothing' : 'placeholder' });
  };
  const describe = (tag: Tag) => ({
    name: tag.name,
    start: tag.start,
    inLink: links > 0,
    words: wordsOf(tag),
    className: attribute(tag, 'class'),
  });

  return {
    /** `lazy` is the URL of the frame that a script creates from the element. */
    open(tag: Tag, lazy: string | undefined) {
      if (tag.name === 'a') links++;
      own = undefined;
      if (lazy === undefined && !containerNames.has(tag.name)) return;
      const urls = lazy === undefined ? [] : [lazy];
      own = { ...describe(tag), openEnd: tag.end, urls, locals: 0, load: lazy === undefined ? 'media' : 'frame' };
    },
    /** An attribute of the open element with what it loads. */
    attribute(tag: Tag, item: Attribute, loads: Load[]) {
      const load = roleOf(tag, item)?.load;
      if (load === undefined || item.name === 'style') return;
      const urls = loads.map(({ written }) => written);
      const isMain = item.name !== 'poster' && tag.name !== frameOnClick && !(item.name === 'srcset' && tag.name === 'img');
      const container = containers.at(-1);
      if (urls.length === 0) {
        // The fallback content of a frame does not describe the frame.
        const holder = own ?? (container?.load === 'frame' ? undefined : container);
        if (isMain && holder) holder.locals++;
      } else if (!isMain) {
        const { start, end } = item;
        found.push({ name: tag.name, load, urls, start, end, without: 'nothing', inLink: links > 0 });
      } else if (own) {
        own.urls.push(...urls);
        own.load = load;
      } else {
        // The URL of an `<img>` describes its image better than the sources before it.
        if (container && tag.name === 'img' && container.load !== 'frame') {
          container.urls.unshift(...urls);
          container.words = wordsOf(tag);
        } else container?.urls.push(...urls);
        const isPart = container !== undefined && (tag.name === 'source' || tag.name === 'track');
        const isShown = !isPart && !isDecoration(tag) && load !== 'code' && load !== 'hint';
        found.push({ ...describe(tag), load, urls, end: tag.end, without: isShown ? 'placeholder' : 'nothing' });
      }
    },
    /** After the last attribute of an element. */
    opened() {
      if (own) containers.push(own);
    },
    close(name: string, end: number) {
      if (name === 'a' && links > 0) links--;
      const index = containers.findLastIndex((container) => container.name === name);
      if (index < 0) return;
      const [closed, ...unclosed] = containers.splice(index);
      for (const container of unclosed) finish(container, container.openEnd);
      if (closed) finish(closed, end);
    },
    found() {
      for (const container of containers.splice(0)) finish(container, container.openEnd);
      return found;
    },
  };
}

/** An open element whose URLs are in other elements, or that is removed with its contents. */
interface Container extends Omit<RemoteElement, 'end' | 'without'> {
  openEnd: number;
  /** Number of its URLs that belong to the site. */
  locals: number;
}

const containerNames = new Set(['video', 'audio', 'picture', 'object', 'iframe', 'script', ...playerElements]);

export function wordsOf(tag: Tag): string | undefined {
  const words = attribute(tag, 'alt') || attribute(tag, 'title') || attribute(tag, 'aria-label');
  return words || (tag.name.startsWith('lite-') ? attribute(tag, 'videotitle') || attribute(tag, 'playlabel') : undefined);
}

/** Elements that do not show anything, or not on their own. */
export function isDecoration(tag: Tag): boolean {
  return attribute(tag, 'aria-hidden') === 'true' || tag.name === 'link' || svgLoads.has(tag.name);
}
