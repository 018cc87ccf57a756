import type { Load } from './load.ts';
import { attribute, type Attribute, type RoleLoad, type Tag } from './read-html.ts';
import { playerElements, roleOf, svgLoads } from './references.ts';

/** An element or attribute that loads from another origin, and that the export can take out. */
export interface RemoteElement {
  name: string;
  load: RoleLoad;
  /** Verbatim, first the one that names it best. */
  urls: string[];
  start: number;
  end: number;
  /** What takes its place where it is blocked: a link that shows the address, or nothing. */
  without: 'placeholder' | 'nothing';
  /** Inside a link, which must not hold another link. */
  inLink: boolean;
  /** What it shows, in the author's words. */
  words?: string;
  className?: string;
}

/** Collects the remote elements of a page, which is given to it tag by tag and attribute by attribute. */
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
    /** `lazy` is the address of the frame that a script makes of the element. */
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
      const urls = loads.map(({ address }) => address);
      const isMain = item.name !== 'poster' && !(item.name === 'srcset' && tag.name === 'img');
      const container = containers.at(-1);
      if (urls.length === 0) {
        // What a frame falls back to says nothing of the frame.
        const holder = own ?? (container?.load === 'frame' ? undefined : container);
        if (isMain && holder) holder.locals++;
      } else if (!isMain) {
        const { start, end } = item;
        found.push({ name: tag.name, load, urls, start, end, without: 'nothing', inLink: links > 0 });
      } else if (own) {
        own.urls.push(...urls);
        own.load = load;
      } else {
        // An image names its picture better than the sources before it.
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

/** An open element that other elements say the addresses of, or that is taken out with all that it holds. */
interface Container extends Omit<RemoteElement, 'end' | 'without'> {
  openEnd: number;
  /** How many addresses of the site itself it has. */
  locals: number;
}

const containerNames = new Set(['video', 'audio', 'picture', 'object', 'iframe', 'script', ...playerElements]);

function wordsOf(tag: Tag): string | undefined {
  const words = attribute(tag, 'alt') || attribute(tag, 'title') || attribute(tag, 'aria-label');
  return words || (tag.name.startsWith('lite-') ? attribute(tag, 'videotitle') || attribute(tag, 'playlabel') : undefined);
}

/** Elements that show nothing, or nothing on their own. */
function isDecoration(tag: Tag): boolean {
  return attribute(tag, 'aria-hidden') === 'true' || tag.name === 'link' || svgLoads.has(tag.name);
}
