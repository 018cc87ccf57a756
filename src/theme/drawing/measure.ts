// What a browser measures of SVG: the boxes of shapes and texts in their own coordinates.
import { type Box, boxAround, matrixOf, numbersOf, pathPoints, transformedBox, union } from './geometry.ts';
import { cascade, type Rule } from './styles.ts';
import { ascent, descent, textWidth } from './text-width.ts';

const rootFontSize = 16;

export interface Measure {
  /** `getBBox()` */
  box(element: Element): Box;
  /** The box in the coordinates of the whole drawing. */
  outerBox(element: Element): Box;
  /** `getComputedTextLength()` */
  textLength(element: Element): number;
}

/** `rules` gives the styles that apply now. */
export function createMeasure(rules: () => Rule[]): Measure {
  const box = (element: Element): Box => boxOf(element) ?? { x: 0, y: 0, width: 0, height: 0 };

  function boxOf(element: Element): Box | undefined {
    const number = (name: string): number => parseFloat(element.getAttribute(name) ?? '') || 0;
    switch (element.localName.toLowerCase()) {
      case 'rect':
      case 'image':
      case 'foreignobject':
        // Browsers ignore an empty one.
        return number('width') > 0 || number('height') > 0
          ? { x: number('x'), y: number('y'), width: number('width'), height: number('height') }
          : undefined;
      case 'circle':
        return around(number('cx'), number('cy'), number('r'), number('r'));
      case 'ellipse':
        return around(number('cx'), number('cy'), number('rx'), number('ry'));
      case 'line':
        return boxAround([
          [number('x1'), number('y1')],
          [number('x2'), number('y2')],
        ]);
      case 'polygon':
      case 'polyline': {
        const numbers = numbersOf(element.getAttribute('points') ?? '');
        return boxAround(numbers.flatMap((x, index) => (index % 2 === 0 ? [[x, numbers[index + 1] ?? 0] as const] : [])));
      }
      case 'path':
        return boxAround(pathPoints(element.getAttribute('d') ?? ''));
      case 'text':
        return union(textParts(element).map(({ box: part }) => part));
      case 'tspan': {
        const text = element.closest('text');
        return text ? union(textParts(text).flatMap((part) => (element.contains(part.node) ? [part.box] : []))) : undefined;
      }
      case 'svg':
      case 'g':
      case 'a':
      case 'switch':
        return union(
          [...element.children].flatMap((child) => {
            if (/display:\s*none/.test(child.getAttribute('style') ?? '')) return [];
            const own = boxOf(child);
            return own ? [transformedBox(own, matrixOf(child.getAttribute('transform')))] : [];
          }),
        );
      default:
        return undefined;
    }
  }

  interface TextPart {
    node: Node;
    box: Box;
  }

  /** The texts of a `text` element, each where it is shown. */
  function textParts(text: Element): TextPart[] {
    const parts: TextPart[] = [];
    let [x, y] = [0, 0];
    let chunk: { parts: TextPart[]; anchor: string } = { parts: [], anchor: 'start' };
    let isAfterSpace = true;
    const endChunk = (): void => {
      const width = chunk.parts.reduce((sum, part) => sum + part.box.width, 0);
      const shift = chunk.anchor === 'middle' ? width / 2 : chunk.anchor === 'end' ? width : 0;
      for (const part of chunk.parts) part.box.x -= shift;
    };
    const visit = (element: Element, baseline: string): void => {
      const { size, isBold, anchor, baseline: ownBaseline = baseline } = fontOf(element);
      const length = (name: string): number | undefined => {
        const value = element
          .getAttribute(name)
          ?.trim()
          .split(/[\s,]+/)[0];
        if (!value) return undefined;
        const number = parseFloat(value);
        if (Number.isNaN(number)) return undefined;
        return value.endsWith('em') ? number * size : number;
      };
      const [ownX, ownY] = [length('x'), length('y')];
      if (ownX !== undefined || ownY !== undefined) {
        endChunk();
        chunk = { parts: [], anchor };
        isAfterSpace = true;
        x = ownX ?? x;
        y = ownY ?? y;
      }
      if (chunk.parts.length === 0) chunk.anchor = anchor;
      x += length('dx') ?? 0;
      y += length('dy') ?? 0;
      for (const child of element.childNodes) {
        if (child.nodeType === 1) {
          if ((child as Element).localName !== 'title') visit(child as Element, ownBaseline);
        } else if (child.nodeType === 3) {
          let shown = (child.textContent ?? '').replace(/\s+/g, ' ');
          if (isAfterSpace && shown.startsWith(' ')) shown = shown.slice(1);
          if (shown === '') continue;
          isAfterSpace = shown.endsWith(' ');
          const width = textWidth(shown, size, isBold);
          const top = y + baselineShift(ownBaseline) * size - ascent * size;
          const part = { node: child, box: { x, y: top, width, height: (ascent + descent) * size } };
          x += width;
          parts.push(part);
          chunk.parts.push(part);
        }
      }
    };
    visit(text, 'auto');
    endChunk();
    return parts;
  }

  // Mermaid measures the same kinds of text again and again, word by word.
  let known = new Map<string, Font>();
  let knownRules: Rule[] | undefined;
  let fontRules: Rule[] = [];

  function fontOf(element: Element): Font {
    if (rules() !== knownRules) {
      knownRules = rules();
      known = new Map();
      fontRules = knownRules.filter(({ declarations }) => declarations.some(({ name }) => fontProperties.includes(name)));
    }
    const key = keyOf(element);
    let font = known.get(key);
    if (!font) known.set(key, (font = cascadedFont(element)));
    return font;
  }

  function cascadedFont(element: Element): Font {
    const parent = element.parentElement ? fontOf(element.parentElement) : pageFont;
    const styles = cascade(
      element,
      fontRules.filter(({ selector }) => matches(element, selector)),
    );
    const weight = styles.get('font-weight');
    return {
      size: fontSize(styles.get('font-size'), parent.size),
      isBold: weight === undefined || weight === 'inherit' ? parent.isBold : /^bold|^[6-9]00$/.test(weight),
      anchor: styles.get('text-anchor') ?? parent.anchor,
      baseline: styles.get('alignment-baseline') ?? styles.get('dominant-baseline'),
    };
  }

  return {
    box,
    outerBox(element) {
      let outer = box(element);
      for (let at: Element | null = element; at && at.localName !== 'svg'; at = at.parentElement)
        outer = transformedBox(outer, matrixOf(at.getAttribute('transform')));
      return outer;
    },
    textLength(element) {
      const text = element.closest('text') ?? element;
      return textParts(text).reduce((sum, { node, box: part }) => sum + (element.contains(node) ? part.width : 0), 0);
    },
  };
}

interface Font {
  size: number;
  isBold: boolean;
  anchor: string;
  baseline: string | undefined;
}

const pageFont: Font = { size: rootFontSize, isBold: false, anchor: 'start', baseline: undefined };
const fontProperties = ['font-size', 'font-weight', 'text-anchor', 'dominant-baseline', 'alignment-baseline'];

/** The same for elements that the same rules match. */
function keyOf(element: Element): string {
  let key = '';
  for (let at: Element | null = element; at; at = at.parentElement) {
    key += `${at.localName}|`;
    for (const { name, value } of at.attributes) if (keyAttributes.has(name)) key += `${name}=${value}|`;
  }
  return key;
}

const keyAttributes = new Set(['id', 'class', 'style', ...fontProperties]);

function fontSize(value: string | undefined, parent: number): number {
  const number = parseFloat(value ?? '');
  if (value === undefined || Number.isNaN(number)) return parent;
  if (value.endsWith('rem')) return number * rootFontSize;
  if (value.endsWith('em')) return number * parent;
  return value.endsWith('%') ? (number * parent) / 100 : number;
}

function matches(element: Element, selector: string): boolean {
  try {
    return element.matches(selector);
  } catch {
    return false;
  }
}

function around(x: number, y: number, width: number, height: number): Box {
  return { x: x - width, y: y - height, width: 2 * width, height: 2 * height };
}

/** From the alphabetic baseline, in parts of the font size. */
function baselineShift(name: string): number {
  switch (name) {
    case 'central':
      return (ascent - descent) / 2;
    case 'middle':
      return 0.273;
    case 'hanging':
      return 0.727;
    case 'text-before-edge':
    case 'before-edge':
    case 'text-top':
      return ascent;
    case 'text-after-edge':
    case 'after-edge':
    case 'ideographic':
      return -descent;
    default:
      return 0;
  }
}
