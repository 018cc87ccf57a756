// What is wider than the window, of a page.
import type { Page } from '@playwright/test';

/**
 * Visible elements that reach out of the window sideways and are not in something that scrolls there, and the page itself if it scrolls
 * sideways. Of elements in each other, only the outermost is listed.
 */
export function outside(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { clientWidth, scrollWidth } = document.scrollingElement!;
    const nameOf = (element: Element) =>
      `<${element.localName} class="${element.getAttribute('class') ?? ''}"> ${element.textContent?.trim().replace(/\s+/g, ' ').slice(0, 40)}`;
    const found: Element[] = [];
    const visit = (element: Element): void => {
      const style = getComputedStyle(element);
      const { left, right, width, height } = element.getBoundingClientRect();
      // Texts for screen readers are clipped to a pixel.
      if (style.overflowX !== 'visible' && (width <= 1 || height <= 1)) return;
      const isShown = style.visibility === 'visible' && style.opacity !== '0' && width > 1 && height > 1;
      const isInside = left >= -1 && right <= clientWidth + 1;
      // Cut text ends in an ellipsis.
      if (isShown && isInside && (/auto|scroll/.test(style.overflowX) || style.textOverflow === 'ellipsis')) return;
      if (isShown && !isInside) {
        found.push(element);
        return;
      }
      for (const child of [...element.children, ...(element.shadowRoot?.children ?? [])]) visit(child);
    };
    visit(document.body);
    const wide = scrollWidth > clientWidth ? [`the page is ${scrollWidth} px wide`] : [];
    return [...wide, ...found.map((element) => `${nameOf(element)}: ${Math.round(element.getBoundingClientRect().right)} px`)];
  });
}
