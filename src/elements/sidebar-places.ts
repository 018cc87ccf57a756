// What the sidebar's script and that of its entries both need: where an entry is, and what it is called.

export interface Memory {
  /** Opens and closes groups as the reader left them. */
  openGroups(list: Element): void;
  /** Scrolls an entry that was visible on the last page to the same place. Returns whether it is the one that the reader came from. */
  place(): boolean;
}

/** Of a page in several places, the one that the reader came from; where that is not here yet, the first. */
export function currentEntry(sidebar: HTMLElement): HTMLAnchorElement | null {
  const places = [...sidebar.querySelectorAll<HTMLAnchorElement>('.c-navigation [aria-current="page"]')];
  const { carrelFrom: from } = sidebar.dataset;
  const came = places.length > 1 && from ? places.find((place) => isInside(titlePath(place), from)) : undefined;
  return came ?? places[0] ?? null;
}

export function whenIdle(task: (deadline?: IdleDeadline) => void): void {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(task, { timeout: 2000 });
  else setTimeout(task, 50);
}

/** The titles of an entry or a group and of the groups around it. */
export function titlePath(element: Element): string {
  const titles: string[] = [];
  for (let item = element.closest('li'); item; item = item.parentElement?.closest('li') ?? null) titles.unshift(titleOf(item));
  return titles.join('\n');
}

/** Whether an entry is a group or in it, by their names. */
export function isInside(name: string, group: string): boolean {
  return `${name}\n`.startsWith(`${group}\n`);
}

/** The title of an entry in a list, without its tags. */
export function titleOf(item: Element): string {
  const label = item.querySelector(
    ':is(:scope > a, :scope > details > summary) > span:not(.c-symbol, .c-tag, .c-external), :scope > .c-group-title > a',
  );
  if (label) return label.textContent;
  const texts = [...(item.querySelector(':scope > .c-group-title')?.childNodes ?? [])].filter((node) => node instanceof Text);
  return texts.map(({ data }) => data).join('');
}

/** Removes the room for entries above that did not come. */
export function dropRoom(sidebar: HTMLElement): void {
  navigationOf(sidebar).style.paddingBlockStart = '';
}

export function navigationOf(sidebar: HTMLElement): HTMLElement {
  return sidebar.querySelector<HTMLElement>('.c-navigation') ?? sidebar;
}
