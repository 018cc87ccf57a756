import type { Element, ElementContent } from 'hast';
import { element, textOf } from './tree.ts';

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
