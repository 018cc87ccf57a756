// What a browser measures of SVG: the boxes of shapes and texts in their own coordinates.
import { createFonts } from './fonts.ts';
import { type Box, boxAround, matrixOf, numbersOf, pathPoints, transformedBox, union } from './geometry.ts';
import type { Rule } from './styles.ts';
import { textBoxes } from './text-boxes.ts';

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
  const fontOf = createFonts(rules);
  const box = (element: Element): Box => boxOf(element) ?? { x: 0, y: 0, width: 0, height: 0 };
  /** The texts in an element of a text, which are placed with the others of that text. */
  const textsIn = (element: Element) =>
    textBoxes(element.closest('text') ?? element, fontOf).filter(({ node }) => element.contains(node));

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
        return union(textsIn(element).map((text) => text.box));
      case 'tspan':
        return element.closest('text') ? union(textsIn(element).map((text) => text.box)) : undefined;
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

  return {
    box,
    outerBox(element) {
      let outer = box(element);
      for (let at: Element | null = element; at && at.localName !== 'svg'; at = at.parentElement)
        outer = transformedBox(outer, matrixOf(at.getAttribute('transform')));
      return outer;
    },
    textLength: (element) => textsIn(element).reduce((sum, { box: { width } }) => sum + width, 0),
  };
}

function around(x: number, y: number, width: number, height: number): Box {
  return { x: x - width, y: y - height, width: 2 * width, height: 2 * height };
}
