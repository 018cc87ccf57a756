import type { AskContext } from '../shared/events.ts';
import type { About } from './conversation.ts';
import type { AskLabels } from './labels.ts';
import { shortened } from '../../text/beginning.ts';
import { element } from '../shared/elements.ts';

const MOST = 20;

/** The context of the next question, as chips that the reader can remove: the page, selected texts, blocks of code. */
export class AskChips {
  readonly list = element('ul', { class: 'chips' });
  #items: AskContext[] = [];
  #page = true;
  #labels: AskLabels;
  #path: string | undefined;
  #moveFocus: () => void;

  constructor(labels: AskLabels, moveFocus: () => void) {
    this.#labels = labels;
    this.#moveFocus = moveFocus;
  }

  /** `path` is undefined where the page does not belong to the docs. */
  show(labels: AskLabels, path: string | undefined): void {
    this.#labels = labels;
    this.#path = path;
    this.#draw();
  }

  add(context: AskContext): void {
    const isKnown = this.#items.some(({ type, value }) => type === context.type && value === context.value);
    if (!isKnown) this.#items = [...this.#items, context].slice(-MOST);
    this.#draw();
  }

  /** The context for one question. Selected texts are removed then, since they belong to that question alone; the page stays. */
  take(): About {
    const page = this.#page ? this.#path : undefined;
    const path = this.#path;
    const context = this.#items.map((item) => ({ ...item, ...(path !== undefined && { path }) }));
    const names = this.#items.map((item) => this.#nameOf(item));
    this.#items = [];
    this.#draw();
    return { context, page, names };
  }

  #draw(): void {
    const chips = this.#items.map((item) =>
      this.#chip(this.#nameOf(item), () => {
        this.#items = this.#items.filter((other) => other !== item);
      }),
    );
    if (this.#path !== undefined) {
      if (this.#page) chips.unshift(this.#chip(this.#labels.askThisPage, () => void (this.#page = false)));
      else chips.unshift(this.#offerPage());
    }
    this.list.replaceChildren(...chips);
  }

  #chip(name: string, remove: () => void): HTMLElement {
    const label = this.#labels.askRemove.replace('{name}', name);
    const button = element('button', { type: 'button', class: 'icon close', 'aria-label': label, title: label });
    button.addEventListener('click', () => {
      remove();
      this.#draw();
      this.#moveFocus();
    });
    return element('li', { class: 'chip' }, element('span', { dir: 'auto' }, name), button);
  }

  #offerPage(): HTMLElement {
    const button = element('button', { type: 'button', class: 'plain' }, `+ ${this.#labels.askThisPage}`);
    button.addEventListener('click', () => {
      this.#page = true;
      this.#draw();
      this.#moveFocus();
    });
    return element('li', {}, button);
  }

  #nameOf({ type, value }: AskContext): string {
    const line = value.replace(/\s+/g, ' ').trim();
    const kind = type === 'code' ? this.#labels.askCode : this.#labels.askSelection;
    return `${kind}: ${shortened(line, 60)}`;
  }
}
