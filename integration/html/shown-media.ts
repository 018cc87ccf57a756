import { attribute, type Tag } from './read-html.ts';
import { isDecoration, type RemoteElement, wordsOf } from './remote-elements.ts';
import { roleOf, urlsIn } from './references.ts';

/** An image, video or sound, or a part of it that the export can remove on its own, with all URLs that it may load. */
export type ShownMedia = Omit<RemoteElement, 'load'>;

/** Collects the media that the main content of a page shows, wherever they come from. */
export function shownMedia() {
  const found: ShownMedia[] = [];
  let container: ShownMedia | undefined;
  let links = 0;

  return {
    open(tag: Tag, inContent: boolean) {
      if (tag.name === 'a') links++;
      if (!inContent || !names.has(tag.name)) return;
      const { name, start, end } = tag;
      const element: ShownMedia = {
        ...{ name, start, end, urls: urlsOf(tag), inLink: links > 0, words: wordsOf(tag), className: attribute(tag, 'class') },
        without: parts.has(name) || isDecoration(tag) ? 'nothing' : 'placeholder',
      };
      const poster = tag.attributes.find((item) => item.name === 'poster' && item.value !== '');
      if (poster)
        found.push({ name, urls: [poster.value], start: poster.start, end: poster.end, without: 'nothing', inLink: false });
      if (containers.has(name)) container = element;
      else if (container && name === 'img') {
        const { words, className, without } = element;
        container.urls.unshift(...element.urls);
        Object.assign(container, { words, without, className: className ?? container.className });
      } else {
        if (name === 'source') container?.urls.push(...element.urls);
        if (container?.name !== 'picture') found.push(element);
      }
    },
    close(name: string, end: number) {
      if (name === 'a' && links > 0) links--;
      if (container?.name !== name) return;
      found.push({ ...container, end });
      container = undefined;
    },
    found: () => found.filter(({ urls }) => urls.length > 0),
  };
}

const containers = new Set(['video', 'audio', 'picture']);
const parts = new Set(['source', 'track']);
const names = new Set([...containers, ...parts, 'img']);

function urlsOf(tag: Tag): string[] {
  return tag.attributes.flatMap((item) => {
    const role = item.value === '' || item.name === 'poster' || item.name === 'style' ? undefined : roleOf(tag, item);
    return role?.load === 'media' ? urlsIn(role.kind, item.value) : [];
  });
}
