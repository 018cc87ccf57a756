// Where the pieces of a text are: SVG's layout of text, without anything that Mermaid does not use.
import type { Font } from './fonts.ts';
import type { Box } from './geometry.ts';
import { ascent, descent, textWidth } from './text-width.ts';

export interface TextBox {
  node: Node;
  box: Box;
}

/** The texts of a `text` element, each where it is shown. */
export function textBoxes(text: Element, fontOf: (element: Element) => Font): TextBox[] {
  const boxes: TextBox[] = [];
  let [x, y] = [0, 0];
  /** What is anchored together. */
  let chunk: { boxes: TextBox[]; anchor: string } = { boxes: [], anchor: 'start' };
  let isAfterSpace = true;
  const endChunk = (): void => {
    const width = chunk.boxes.reduce((sum, { box }) => sum + box.width, 0);
    const shift = chunk.anchor === 'middle' ? width / 2 : chunk.anchor === 'end' ? width : 0;
    for (const { box } of chunk.boxes) box.x -= shift;
  };
  const visit = (element: Element, baseline: string): void => {
    const { size, isBold, anchor, baseline: ownBaseline = baseline } = fontOf(element);
    const [ownX, ownY] = [lengthOf(element, 'x', size), lengthOf(element, 'y', size)];
    if (ownX !== undefined || ownY !== undefined) {
      endChunk();
      chunk = { boxes: [], anchor };
      isAfterSpace = true;
      x = ownX ?? x;
      y = ownY ?? y;
    }
    if (chunk.boxes.length === 0) chunk.anchor = anchor;
    x += lengthOf(element, 'dx', size) ?? 0;
    y += lengthOf(element, 'dy', size) ?? 0;
    for (const child of element.childNodes) {
      if (child.nodeType === 1 && (child as Element).localName !== 'title') visit(child as Element, ownBaseline);
      if (child.nodeType !== 3) continue;
      let shown = (child.textContent ?? '').replace(/\s+/g, ' ');
      if (isAfterSpace && shown.startsWith(' ')) shown = shown.slice(1);
      if (shown === '') continue;
      isAfterSpace = shown.endsWith(' ');
      const width = textWidth(shown, size, isBold);
      const top = y + (baselineShifts[ownBaseline] ?? 0) * size - ascent * size;
      const own = { node: child, box: { x, y: top, width, height: (ascent + descent) * size } };
      x += width;
      boxes.push(own);
      chunk.boxes.push(own);
    }
  };
  visit(text, 'auto');
  endChunk();
  return boxes;
}

function lengthOf(element: Element, name: string, fontSize: number): number | undefined {
  const [value = ''] =
    element
      .getAttribute(name)
      ?.trim()
      .split(/[\s,]+/) ?? [];
  const number = parseFloat(value);
  if (Number.isNaN(number)) return undefined;
  return value.endsWith('em') ? number * fontSize : number;
}

/** From the alphabetic baseline, in parts of the font size. */
const baselineShifts: Record<string, number> = {
  central: (ascent - descent) / 2,
  middle: 0.273,
  hanging: 0.727,
  'text-before-edge': ascent,
  'before-edge': ascent,
  'text-top': ascent,
  'text-after-edge': -descent,
  'after-edge': -descent,
  ideographic: -descent,
};
