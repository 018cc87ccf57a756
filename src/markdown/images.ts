// Images of a page: which of them get their size from their file, and which one loads at once.
import type { Element, ElementContent } from 'hast';
import { sizeMark } from '../../integration/html/export-marks.ts';

/**
 * Marks images without a size, which the export reads from their files so that the text around them does not move. The first image of a page,
 * which is often in view, is not lazy. Those in a sentence get a class, which their placeholders carry on.
 */
export function finishImages(content: ElementContent[]): void {
  for (const node of content) markInline(node, false);
  // One whose URL was removed shows nothing.
  const images = content.flatMap(imagesIn).filter(({ properties }) => Boolean(properties.src));
  for (const { properties } of images) if (keepsItsShape(properties)) properties[sizeMark] = '';
  const [first] = images;
  if (first?.properties.loading === 'lazy') delete first.properties.loading;
}

function imagesIn(node: ElementContent): Element[] {
  if (node.type !== 'element') return [];
  return node.tagName === 'img' ? [node] : node.children.flatMap(imagesIn);
}

function markInline(node: ElementContent, isInSentence: boolean): void {
  if (node.type !== 'element') return;
  const { tagName, properties, children } = node;
  if (tagName === 'img' && isInSentence) properties.class = [properties.class, inlineImage].filter(Boolean).join(' ');
  const hasText = children.some((child) => child.type === 'text' && /\S/.test(child.value));
  for (const child of children) markInline(child, hasText || (isInSentence && wrappers.has(tagName)));
}

const inlineImage = 'c-inline';
const wrappers = new Set(['a', 'span', 'b', 'strong', 'i', 'em', 'u', 'small', 'picture']);

/** Whether only one of width and height is set at most, in pixels, and nothing else can set the other one. */
function keepsItsShape({ width, height, style, class: names, sizes }: Element['properties']): boolean {
  if (
    (typeof style === 'string' && sizeStyle.test(style)) ||
    sizes !== undefined ||
    (width !== undefined && height !== undefined)
  )
    return false;
  const isPixels = (value: unknown) =>
    value === undefined ||
    (typeof value === 'number' ? value >= 1 : typeof value === 'string' && /^[1-9]\d*(?:px)?$/.test(value));
  const classes = typeof names === 'string' ? names.split(/\s+/) : [];
  return isPixels(width) && isPixels(height) && classes.every((name) => name === '' || harmless.test(name));
}

// Properties that set a size, also that of a border.
const sizeStyle = /width|height|size|aspect|object|inset|position|flex|grid|zoom|scale/i;

// Classes that change neither width nor height.
const harmless =
  /^(?:c-inline|(?:dark:)?(?:block|hidden|inline|inline-block|rounded(?:-\w+)*|border(?:-[\w/]+)*|shadow(?:-\w+)*|-?m[xytblrse]?-(?:[\d.]+|auto|px)|no-zoom))$/;
