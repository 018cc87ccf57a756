import type { Element, ElementContent } from 'hast';
import type { RenderContext } from './context.ts';
import { isOn } from './components/props.ts';
import { frameElement } from './frames.ts';
import { safeAttributes, unsafeLink } from './sanitize.ts';
import { element, type Props, raw, textOf } from './tree.ts';

/** An author's HTML element, whose name the caller has checked, with its safe attributes. */
export function htmlElement(
  tag: string,
  props: Props,
  children: () => ElementContent[],
  context: RenderContext,
): ElementContent | ElementContent[] {
  // `safeAttributes` has checked each URL by the kind of its attribute; here all are only resolved.
  const attributes = safeAttributes(tag, props, (href) => context.imageUrl(href) ?? '');
  if (tag === 'a' && typeof props.href === 'string' && attributes.href === undefined) {
    context.report(unsafeLink(props.href), props.href);
  }
  if (tag === 'img' && isOn(props.noZoom ?? props.nozoom))
    attributes.class = [attributes.class, 'no-zoom'].filter(Boolean).join(' ');
  for (const name of String(attributes.class ?? '').split(/\s+/)) if (name) context.classes.add(name);
  const special = Object.hasOwn(specials, tag) ? specials[tag] : undefined;
  if (special) return special(attributes, children, context);
  if (voids.has(tag)) return element(tag, attributes);
  const content = children();
  return element(tag, attributes, phrasing.has(tag) ? unwrapParagraph(content) : content);
}

type Attributes = Record<string, string | number | boolean>;

const specials: Record<
  string,
  (attributes: Attributes, children: () => ElementContent[], context: RenderContext) => ElementContent | ElementContent[]
> = {
  a: (attributes, children) => element('a', attributes, withoutLinks(unwrapParagraph(children()))),
  // Nothing in a page is executed, so a button would do nothing, and inside a link it would make the link unreachable by keyboard.
  button: ({ class: classes, ...attributes }, children) =>
    element('span', { class: ['c-author-button', classes], ...attributes }, unwrapParagraph(children())),
  img: (attributes, _children, context) => {
    if (attributes.alt === undefined && attributes['aria-hidden'] === undefined) reportNoAlt(attributes.src, context);
    return element('img', { alt: '', loading: 'lazy', ...attributes });
  },
  iframe: (attributes, _children, context) => {
    const frame = frameElement(attributes);
    if (frame) return frame;
    context.report(
      {
        kind: 'frame-removed',
        message: 'A frame is removed: only pages from external origins are shown in frames.',
        hint: 'Link to the page, or give the frame an https: URL.',
      },
      'iframe',
    );
    return [];
  },
  video: (attributes, children) =>
    element(
      'video',
      {
        class: 'c-video',
        ...attributes,
        ...(attributes.autoplay ? { muted: true, loop: true, playsinline: true } : { controls: true }),
      },
      children(),
    ),
  table: (attributes, children) => tableBox(element('table', attributes, children())),
  input: (attributes) => (attributes.type === 'checkbox' ? element('input', { ...attributes, disabled: true }) : []),
  pre: (attributes, children, context) => {
    const content = children();
    const code = content.find((node) => node.type === 'element' && node.tagName === 'code');
    const language = code?.type === 'element' ? /language-([\w+#-]+)/.exec(String(code.properties.class ?? ''))?.[1] : undefined;
    // Code with markup in it was highlighted by its author.
    if (code?.type !== 'element' || !language || code.children.some((node) => node.type !== 'text'))
      return element('pre', { tabindex: 0, ...attributes }, content);
    const html = context.highlighter.highlight(textOf(code).replace(/\n$/, ''), language);
    return element('pre', { tabindex: 0, ...attributes }, [element('code', {}, [raw(html)])]);
  },
};

/** Reports an image without a text for those who do not see it. `alt=""` says that it needs none. */
export function reportNoAlt(src: unknown, context: RenderContext): void {
  if (typeof src !== 'string' || src === '') return;
  const name = src.startsWith('data:') ? 'data:…' : src;
  context.report(
    {
      kind: 'image-without-alt',
      ...context.positionOf(src),
      message: `The image "${name}" does not have a text for readers who do not see it.`,
      hint: 'Write ![what it shows](…), or <img alt="" …> if it is only decoration.',
    },
    src,
  );
}

const voids = new Set(['br', 'hr', 'col', 'source', 'track', 'wbr']);
const phrasing = new Set(
  'a abbr b bdi bdo big cite code dfn em font h1 h2 h3 h4 h5 h6 i kbd mark p q s samp small span strike strong sub summary sup tt u var figcaption caption dt'.split(
    ' ',
  ),
);

/** Markdown turns URLs into links, even inside a link, which browsers would split at the inner one. */
function withoutLinks(nodes: ElementContent[]): ElementContent[] {
  return nodes.flatMap((node) => {
    if (node.type !== 'element') return node;
    const children = withoutLinks(node.children);
    return node.tagName === 'a' ? children : { ...node, children };
  });
}

/** MDX makes a paragraph of text on lines of its own, which is invalid in an element with phrasing content. */
function unwrapParagraph(nodes: ElementContent[]): ElementContent[] {
  const [only, ...others] = nodes.filter((node) => node.type !== 'text' || node.value.trim());
  const isParagraph = only?.type === 'element' && only.tagName === 'p' && Object.keys(only.properties).length === 0;
  return isParagraph && others.length === 0 ? only.children : nodes;
}

/** A table in a box that scrolls. In each column with sentences, the longest cell gets a class that keeps the column wide enough for them. */
export function tableBox(table: Element): Element {
  const longest: { cell: Element; width: number }[] = [];
  for (const row of rowsOf(table)) {
    const cells = row.children.filter((child) => child.type === 'element');
    cells.forEach((cell, column) => {
      const width = widthOf(textOf(cell));
      if (width > (longest[column]?.width ?? sentence)) longest[column] = { cell, width };
    });
  }
  for (const { cell } of longest.filter(Boolean)) {
    cell.properties.class = [cell.properties.class, 'c-long'].filter(Boolean).join(' ');
  }
  return element('div', { class: 'c-table', tabindex: 0 }, [table]);
}

// Text of this length breaks into three lines or more in the narrowest column.
const sentence = 36;

/** Width in characters; Chinese, Japanese and Korean ones count double. */
function widthOf(text: string): number {
  const words = text.trim();
  return words.length + (words.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu)?.length ?? 0);
}

function rowsOf({ children }: { children: ElementContent[] }): Element[] {
  return children.flatMap((child) =>
    child.type !== 'element'
      ? []
      : child.tagName === 'tr'
        ? [child]
        : /^t(?:head|body|foot)$/.test(child.tagName)
          ? rowsOf(child)
          : [],
  );
}
