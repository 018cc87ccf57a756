import { element } from '../shared/elements.ts';
import type { Answer } from './conversation.ts';
import { answerView, questionView, type MessageOptions, type MessageView } from './message.ts';

/** The messages of a conversation on the screen, in a box that scrolls. */
export class ConversationView {
  readonly log = element('div', { role: 'log', tabindex: '0', 'aria-labelledby': 'title', 'aria-live': 'polite' });
  readonly #box: HTMLElement;
  readonly #options: (question: string, answer: Answer) => MessageOptions;
  readonly #views = new Map<Answer, MessageView>();
  #frame = 0;

  /** `options` tells how a message is shown; `box` is the element that scrolls and has the log as a child. */
  constructor(box: HTMLElement, options: (question: string, answer: Answer) => MessageOptions) {
    this.#box = box;
    this.#options = options;
  }

  /** Shows these messages; those that are on the screen already stay there. */
  show(messages: Answer[]): void {
    const views = messages.map((message, at) => this.#viewOf(message, messages[at - 1]?.text ?? ''));
    const nodes = views.map(({ node }) => node);
    for (const node of Array.from(this.log.children)) if (!nodes.some((shown) => shown === node)) node.remove();
    this.log.append(...nodes.filter((node) => !node.isConnected));
    this.#scrollToEnd();
  }

  /** Forgets what is drawn, so that all messages are drawn again with other options. */
  clear(): void {
    this.#views.clear();
  }

  /** Shows the current state of an answer: once a frame while it arrives, since a model writes faster than a screen shows. */
  update(answer: Answer): void {
    if (answer.busy) this.#frame ||= requestAnimationFrame(() => this.#draw(answer));
    else this.#draw(answer);
  }

  #viewOf(message: Answer, question: string): MessageView {
    const options = this.#options(question, message);
    const view =
      this.#views.get(message) ?? (message.role === 'user' ? questionView(message, options) : answerView(message, options));
    this.#views.set(message, view);
    view.update();
    return view;
  }

  #draw(answer: Answer): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    const isFollowing = this.#box.scrollHeight - this.#box.scrollTop - this.#box.clientHeight < 60;
    this.#views.get(answer)?.update();
    if (isFollowing) this.#scrollToEnd();
  }

  /** Scrolls down to the newest words, but never past the question that they answer. */
  #scrollToEnd(): void {
    const questions = this.log.querySelectorAll<HTMLElement>(':scope > .question');
    const top = questions[questions.length - 1]?.offsetTop ?? Infinity;
    this.#box.scrollTop = Math.min(this.#box.scrollHeight, top - this.#box.offsetTop - 12);
  }
}
