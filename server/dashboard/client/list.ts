// Lists that are filtered and shown in pages. The filters are in the URL, and how much is shown is in the entry of the history: Back, a reload
// and, for the filters, a link show the same again.
import { button, element, replace } from './element.ts';
import { attempt, faultMessage, table } from './parts.ts';

type Filter = HTMLInputElement | HTMLSelectElement;

/** Takes the value of a filter from the URL, and changes it there. */
export function bindFilter(filter: Filter, name: string, onChange: () => void): void {
  const asked = new URLSearchParams(location.search).get(name) ?? '';
  if (filter instanceof HTMLInputElement || [...filter.options].some(({ value }) => value === asked)) filter.value = asked;
  filter.addEventListener('input', () => {
    const url = new URL(location.href);
    if (filter.value === '') url.searchParams.delete(name);
    else url.searchParams.set(name, filter.value);
    // Another list begins with its first page.
    history.replaceState({ ...stateOfEntry(), shown: undefined }, '', url);
    onChange();
  });
}

interface EntryState {
  scroll?: number;
  /** How many items each list shows. */
  shown?: Record<string, number>;
}

export function stateOfEntry(): EntryState {
  return (history.state as EntryState | null) ?? {};
}

interface Page<Item> {
  items: Item[];
  /** Absent on the last page. */
  cursor?: string;
}

interface PagedOptions<Item> {
  /** Its name among the lists of a view. */
  name: string;
  /** Text of the button that shows more. */
  more: string;
  pageLength: number;
  read: (cursor: string | undefined, limit: number) => Promise<Page<Item>> | Page<Item>;
  show: (items: Item[]) => void;
}

/** The server takes no more. */
const mostAtOnce = 100;

/** Shows a page of a list, or as much of it as before, and more on request. `element` has the button. */
export function pagedList<Item>({ name, more: text, pageLength, read, show }: PagedOptions<Item>) {
  const output = element('div');
  const more = button(text, () => void attempt(more, output, () => load(items.length + pageLength)), { hidden: true });
  let items: Item[] = [];
  let loads = 0;

  /** Reads the list from its beginning. */
  async function load(wanted = Math.max(pageLength, stateOfEntry().shown?.[name] ?? 0)): Promise<void> {
    const load = ++loads;
    const found: Item[] = [];
    let cursor: string | undefined;
    do {
      const page = await read(cursor, Math.min(mostAtOnce, wanted - found.length));
      found.push(...page.items);
      ({ cursor } = page);
    } while (cursor !== undefined && found.length < wanted);
    // Others were chosen meanwhile.
    if (load !== loads) return;
    items = found;
    more.hidden = cursor === undefined;
    const before = stateOfEntry();
    history.replaceState({ ...before, shown: { ...before.shown, [name]: items.length } }, '');
    show(items);
  }

  async function reload(): Promise<void> {
    const loading = load();
    const started = loads;
    const faults = await loading.then(
      () => [],
      (error: unknown) => [faultMessage(error)],
    );
    if (started === loads) output.replaceChildren(...faults);
  }

  return {
    element: element('div.group', output, more),
    load: () => load(),
    /** Loads when a filter has changed, though what was chosen before still loads. The last one's error is shown. */
    reload: () => void reload(),
    items: (): readonly Item[] => items,
    /** Replaces items without a request. */
    update(change: (item: Item) => Item): void {
      items = items.map(change);
      show(items);
    },
  };
}

/** A page of a list that is known as a whole. */
export function pageOf<Item>(items: Item[], cursor = '0', limit: number): Page<Item> {
  const end = Number(cursor) + limit;
  return { items: items.slice(Number(cursor), end), ...(end < items.length && { cursor: String(end) }) };
}

/** A table that shows the first 200 items, and more of them on request. `rowsOf` gets an item and the one before it. */
export function longTable<Item>(
  label: string,
  columns: string[],
  items: Item[],
  { rowsOf, more }: { rowsOf: (item: Item, before: Item | undefined) => HTMLElement[]; more: string },
): HTMLElement {
  const body = element('tbody');
  const list = pagedList<Item>({
    ...{ name: label, more, pageLength: 200 },
    read: (cursor, limit) => pageOf(items, cursor, limit),
    show: (shown) => replace(body, ...shown.flatMap((item, at) => rowsOf(item, shown[at - 1]))),
  });
  list.reload();
  return element('div.group', table(label, columns, body), list.element);
}
