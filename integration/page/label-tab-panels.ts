import type { Element, ElementContent, Root } from 'hast';

/** Makes tabs readable in Markdown: each panel begins with its label in bold, and the row of tabs, which only works with a script, is removed. */
export function labelTabPanels(tree: Root): void {
  const rows: { row: Element; parent: Root | Element; tabs: Element[]; isUsed: boolean }[] = [];
  const walk = (parent: Root | Element) => {
    for (const element of parent.children) {
      if (element.type !== 'element') continue;
      if (element.properties['role'] === 'tablist') {
        rows.push({ row: element, parent, tabs: tabsIn(element), isUsed: false });
        continue;
      }
      walk(element);
      // Nested tabs have found their own panels by now.
      if (element.properties['role'] === 'tabpanel') label(element);
    }
  };
  const label = (panel: Element) => {
    const id = labelledBy(panel);
    const isOwn = (tab: Element) => id !== undefined && tab.properties['id'] === id;
    const named = rows.find(({ tabs }) => tabs.some(isOwn));
    // If a panel does not name its tab, tabs and panels have the same order.
    const row = named ?? rows.findLast(({ tabs }) => tabs.length > 0);
    if (!row) return;
    const [tab] = row.tabs.splice(named ? row.tabs.findIndex(isOwn) : 0, 1);
    row.isUsed = true;
    const text = textOf(tab!).replace(/\s+/g, ' ').trim();
    if (text !== '') panel.children.unshift(bold(text));
  };
  walk(tree);
  for (const { row, parent, isUsed } of rows) {
    if (isUsed) parent.children.splice((parent.children as ElementContent[]).indexOf(row), 1);
  }
}

function tabsIn(row: Element): Element[] {
  return row.children.flatMap((child) =>
    child.type !== 'element' ? [] : child.properties['role'] === 'tab' ? [child] : tabsIn(child),
  );
}

function labelledBy({ properties }: Element): string | undefined {
  const ids = properties['ariaLabelledBy'];
  return Array.isArray(ids) ? String(ids[0]) : typeof ids === 'string' ? ids : undefined;
}

function bold(text: string): Element {
  const strong: Element = { type: 'element', tagName: 'strong', properties: {}, children: [{ type: 'text', value: text }] };
  return { type: 'element', tagName: 'p', properties: {}, children: [strong] };
}

function textOf(content: ElementContent): string {
  return content.type === 'text' ? content.value : content.type === 'element' ? content.children.map(textOf).join('') : '';
}
