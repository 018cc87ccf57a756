import { attribute, type Attribute, type RoleLoad, type Tag } from './read-html.ts';
import { frameOnClick, playerElements, roleOf, svgLoads, urlsIn } from './references.ts';

/** An element or attribute that loads something, from the site or from an external origin, and that the export can remove. */
export interface LoadingElement {
  name: string;
  load: RoleLoad;
  /** Verbatim, the most descriptive first. */
  urls: string[];
  /** Whether it works with any one of its URLs, or only with all of them. */
  needs: 'any' | 'all';
  start: number;
  end: number;
  /** What replaces it if it cannot load: a placeholder that shows the URL, or nothing. */
  without: 'placeholder' | 'nothing';
  /** Whether it is inside a link, which must not contain another link. */
  inLink: boolean;
  /** The author's description of what it shows. */
  words?: string;
  className?: string;
}

/** Collects the elements of a page that load something. Nested elements, and attributes, come before the outer element. */
export function loadingElements() {
  const found: LoadingElement[] = [];
  const containers: Container[] = [];
  let links = 0;

  const finish = ({ openEnd: _, ...element }: Container, end: number) => {
    if (element.urls.length > 0) found.push({ ...element, end });
  };

  return {
    /** `lazy` is the URL of the frame that a script creates from the element. */
    open(tag: Tag, lazy: string | undefined) {
      if (tag.name === 'a') links++;
      const isContainer = lazy !== undefined || containerNames.has(tag.name);
      const loads = tag.attributes.flatMap((item) => loadOf(tag, item) ?? []);
      if (!isContainer && loads.length === 0) return;
      const { name, start, end } = tag;
      const [inLink, words, className] = [links > 0, wordsOf(tag), attribute(tag, 'class')];
      const container = containers.at(-1);
      const picture = container?.name === 'picture' ? container : undefined;
      const main = loads.filter(({ item }) => !alone.has(item.name) && name !== frameOnClick);
      const urls = [...(lazy === undefined ? [] : [lazy]), ...main.flatMap((one) => one.urls)];
      const load = lazy === undefined ? (main.at(-1)?.load ?? 'media') : 'frame';
      for (const part of loads) {
        if (main.includes(part) && (name !== 'img' || (loads.length === 1 && !picture && part.item.name === 'src'))) continue;
        found.push({ name, load: part.load, urls: part.urls, needs: 'all', ...rangeOf(part.item), without: 'nothing', inLink });
      }
      const isShown = !isPart.has(name) && load !== 'code' && load !== 'hint' && (load === 'frame' || !isDecoration(tag));
      const without = isShown ? 'placeholder' : 'nothing';
      const element = { name, load, urls, start, inLink, words, className, without } as const;
      if (isContainer) containers.push({ ...element, urls, needs: 'any', openEnd: end });
      else if (picture && name === 'img') {
        // Its URL describes the image better than those of the sources before it.
        picture.urls.unshift(...urls);
        Object.assign(picture, { words, without, className: className ?? picture.className });
      } else {
        if (name === 'source') container?.urls.push(...urls);
        if (urls.length > 0) found.push({ ...element, needs: name === 'img' ? 'any' : 'all', end });
      }
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

/** Whether an element cannot load what it needs. */
export function cannotLoad({ urls, needs }: Pick<LoadingElement, 'urls' | 'needs'>, isGone: (url: string) => boolean): boolean {
  return needs === 'any' ? urls.every(isGone) : urls.some(isGone);
}

/** An open element whose URLs are in other elements, or that is removed with its contents. */
interface Container extends Omit<LoadingElement, 'end'> {
  openEnd: number;
}

const containerNames = new Set(['video', 'audio', 'picture', 'object', 'iframe', 'script', ...playerElements]);

/** Elements that a container does without. */
const isPart = new Set(['source', 'track']);

/** Attributes that their element does without. */
const alone = new Set(['poster', 'background']);

function loadOf(tag: Tag, item: Attribute): { item: Attribute; load: RoleLoad; urls: string[] } | undefined {
  if (item.value === '' || item.name === 'style') return undefined;
  const role = roleOf(tag, item);
  return role?.load && { item, load: role.load, urls: urlsIn(role.kind, item.value) };
}

function rangeOf({ start, end }: Attribute) {
  return { start, end };
}

function wordsOf(tag: Tag): string | undefined {
  const words = attribute(tag, 'alt') || attribute(tag, 'title') || attribute(tag, 'aria-label');
  return words || (tag.name.startsWith('lite-') ? attribute(tag, 'videotitle') || attribute(tag, 'playlabel') : undefined);
}

/** Elements that do not show anything, or not on their own. */
function isDecoration(tag: Tag): boolean {
  return attribute(tag, 'aria-hidden') === 'true' || tag.name === 'link' || svgLoads.has(tag.name);
}
