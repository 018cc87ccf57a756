import { AskChips } from './chips.ts';
import { AskConversation, type About, type Answer, type Answerer } from './conversation.ts';
import { sendFeedback } from './feedback.ts';
import { askHistory, fingerprint, type Conversation } from './history.ts';
import { englishAskLabels, type AskLabels } from './labels.ts';
import { answerView, iconButton, questionView, textButton, type MessageView } from './message.ts';
import { askServer } from './online.ts';
import { HIGHLIGHT_PARAMETER, OPEN_CONVERSATION, type AskRequest } from '../shared/events.ts';
import { askSettings, type AskSettings } from './settings.ts';
import { askSite, type AskSite } from './site.ts';
import { askStyle, besideStyle } from './style.ts';
import { starters } from './suggested-questions.ts';
import { element } from '../shared/element.ts';
import { keepKeys } from '../shared/keep-keys.ts';
import { carrelFolder } from '../shared/loader.ts';
import { highlight } from '../core/highlight.ts';
import { followScheme } from '../shared/scheme.ts';
import { adoptStyle } from '../shared/shadow-style.ts';

const storage = () => localStorage;
// Below this width there is no room for a page and the panel side by side.
const wide = matchMedia('(min-width: 80rem)');

/**
 * `<carrel-ask>`: questions about the docs, beside the page where there is room, else in a dialog above it. It stands in a shadow tree
 * with a style sheet of its own; `--carrel-*` custom properties on the page colour it (style.ts).
 */
export class AskPanel extends HTMLElement {
  #labels: AskLabels = englishAskLabels;
  #settings: AskSettings = askSettings((globalThis as { __carrel_config?: unknown }).__carrel_config, location.href, tell);
  #site: AskSite | undefined;
  #ready: Promise<void> | undefined;
  #history = askHistory(storage, `carrel-ask ${new URL('..', carrelFolder).href}`);
  #views = new Map<Answer, MessageView>();
  #conversation = new AskConversation(undefined, (answer) => this.#onChange(answer));
  #returnTo: HTMLElement | null = null;
  #drawing = 0;

  #title = element('h2', { id: 'title' });
  #new = iconButton('new', '', () => this.#start(undefined));
  #earlier = iconButton('history', '', () => this.#showHistory(Boolean(this.#historyList.hidden)));
  #close = iconButton('close', '', () => this.#dialog.close());
  #log = element('div', { role: 'log', tabindex: '0', 'aria-labelledby': 'title', 'aria-live': 'polite' });
  #starters = element('div', { class: 'starters' });
  #historyList = element('div', { class: 'past' });
  #notice = element('p', { class: 'notice' });
  #chips = new AskChips(this.#labels, () => this.#field.focus());
  #field = element('textarea', { rows: '1', maxlength: '4000', enterkeyhint: 'send', dir: 'auto' });
  #send = element('button', { class: 'icon send' });
  #status = element('p', { role: 'status', class: 'hidden' });
  #form = element('form', {}, this.#chips.list, element('div', { class: 'field' }, this.#field, this.#send), this.#notice);
  #dialog = element(
    'dialog',
    { 'aria-labelledby': 'title', part: 'dialog' },
    element('div', { class: 'head' }, this.#title, this.#new, this.#earlier, this.#close),
    element('div', { class: 'body' }, this.#log, this.#starters, this.#historyList),
    this.#form,
    this.#status,
  );

  connectedCallback() {
    if (this.shadowRoot) return;
    const root = this.attachShadow({ mode: 'open' });
    adoptStyle(root, askStyle);
    followScheme(this);
    keepKeys(root);
    document.adoptedStyleSheets.push(sheetOf(besideStyle));
    root.append(this.#dialog);
    this.#historyList.hidden = true;
    this.#form.addEventListener('submit', (event) => {
      event.preventDefault();
      if (this.#conversation.busy) this.#conversation.stop();
      else void this.#ask(this.#field.value);
    });
    this.#field.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      if (!this.#conversation.busy) void this.#ask(this.#field.value);
    });
    this.#dialog.addEventListener('keydown', (event) => {
      // A dialog above the page does so by itself.
      if (event.key !== 'Escape' || this.#dialog.matches(':modal') || event.isComposing) return;
      event.stopPropagation();
      this.#dialog.close();
    });
    this.#dialog.addEventListener('click', (event) => this.#onClick(event));
    this.#dialog.addEventListener('close', () => this.#onClose());
    wide.addEventListener('change', () => this.#dialog.open && this.#show());
    addEventListener('pagehide', () => this.#keep());
  }

  /** Shows the panel and takes what it is asked with; once more from within it, it closes. */
  async open({ text, about, again }: AskRequest): Promise<void> {
    if (again && !wide.matches) return;
    if (this.#dialog.open && !about && text === undefined && this.matches(':focus-within')) return this.#dialog.close();
    if (!this.#dialog.open) {
      this.#returnTo = document.activeElement instanceof HTMLElement ? document.activeElement : null;
      if (again) this.#start(this.#history.read().find(({ id }) => id === stayedOpen()));
      this.#applyLabels();
      this.#show();
    }
    if (about) this.#chips.add(about);
    if (text !== undefined) this.#field.value = text;
    if (!again) this.#field.focus();
    await this.#prepare();
    this.#drawStarters();
  }

  #prepare(): Promise<void> {
    this.#ready ??= askSite().then(
      (site) => {
        this.#site = site;
        this.#labels = site.labels;
        this.#applyLabels();
        // What was drawn before knew neither words nor addresses.
        this.#views.clear();
        this.#redraw();
      },
      () => void (this.#ready = undefined),
    );
    return this.#ready;
  }

  #show() {
    const within = this.shadowRoot!.activeElement as HTMLElement | null;
    if (this.#dialog.open) {
      this.#leavePage();
      this.#dialog.close();
    }
    if (wide.matches) {
      // `show()` would take the focus from where the reader is.
      this.#dialog.open = true;
      document.documentElement.setAttribute('data-ask-open', '');
    } else {
      this.#dialog.showModal();
      document.documentElement.style.overflow = 'hidden';
    }
    within?.focus();
    this.#stay();
  }

  #leavePage() {
    document.documentElement.removeAttribute('data-ask-open');
    document.documentElement.style.removeProperty('overflow');
  }

  #onClose() {
    // It only moved from beside the page to above it, or back.
    if (this.#dialog.open) return;
    this.#leavePage();
    session((stored) => stored.removeItem(OPEN_CONVERSATION));
    if (this.#returnTo?.isConnected) this.#returnTo.focus();
  }

  #stay() {
    session((stored) =>
      wide.matches && this.#dialog.open
        ? stored.setItem(OPEN_CONVERSATION, this.#conversation.conversation.id)
        : stored.removeItem(OPEN_CONVERSATION),
    );
  }

  async #ask(words: string): Promise<void> {
    const text = words.trim();
    if (text === '') return;
    this.#field.value = '';
    this.#showHistory(false);
    await this.#prepare();
    this.#say(this.#labels.askSearching);
    const [by, answerer] = this.#answerer();
    const about: About = this.#chips.take();
    const done = this.#conversation.ask(text, about, by, answerer);
    this.#stay();
    this.#redraw();
    await done;
  }

  #answerer(by: 'server' | 'quotes' = this.#settings.server ? 'server' : 'quotes'): ['server' | 'quotes', Answerer] {
    const { server } = this.#settings;
    const asker = { fp: fingerprint(storage), filter: this.#site?.filter ?? {} };
    if (by === 'server' && server) return [by, (question, signal) => askServer(server, question, asker, signal)];
    const { quotes } = this.#site ?? {};
    if (quotes) return ['quotes', quotes];
    const failed = async function* () {
      yield { type: 'failed' as const, reason: 'lost' as const };
    };
    return ['quotes', failed];
  }

  async #again(by?: 'server' | 'quotes') {
    await this.#prepare();
    this.#say(this.#labels.askSearching);
    const done = this.#conversation.again(...this.#answerer(by));
    this.#redraw();
    this.#field.focus();
    await done;
  }

  #onChange(answer: Answer) {
    this.#send.classList.toggle('stop', this.#conversation.busy);
    const label = this.#conversation.busy ? this.#labels.askStop : this.#labels.askSend;
    this.#send.setAttribute('aria-label', label);
    this.#send.title = label;
    if (!answer.busy) {
      this.#keep();
      if (this.#conversation.messages.includes(answer)) this.#say(answer.failure ? '' : this.#labels.askDone);
    }
    // A model writes faster than a screen shows.
    if (!answer.busy) this.#update(answer);
    else this.#drawing ||= requestAnimationFrame(() => this.#update(answer));
  }

  #update(answer: Answer) {
    cancelAnimationFrame(this.#drawing);
    this.#drawing = 0;
    const body = this.#log.parentElement!;
    const isFollowing = body.scrollHeight - body.scrollTop - body.clientHeight < 60;
    this.#views.get(answer)?.update();
    if (isFollowing) this.#scrollToEnd();
  }

  /** Down to the newest words, but never past the question that they answer. */
  #scrollToEnd() {
    const body = this.#log.parentElement!;
    const question = [...this.#log.children].findLast((node) => node.className === 'question') as HTMLElement | undefined;
    body.scrollTop = Math.min(body.scrollHeight, (question?.offsetTop ?? Infinity) - body.offsetTop - 12);
  }

  /** Shows the conversation as it is, with only what is new made anew. */
  #redraw() {
    const views = this.#conversation.messages.map((message, at, all) => {
      const view =
        this.#views.get(message) ??
        (message.role === 'user' ? questionView(message, this.#labels) : this.#answerView(message, all[at - 1]?.text ?? ''));
      this.#views.set(message, view);
      view.update();
      return view;
    });
    for (const node of [...this.#log.children]) if (!views.some((view) => view.node === node)) node.remove();
    this.#log.append(...views.map(({ node }) => node).filter((node) => !node.isConnected));
    this.#starters.hidden = views.length > 0;
    this.#log.hidden = views.length === 0;
    this.#scrollToEnd();
  }

  #answerView(message: Answer, question: string): MessageView {
    const { server } = this.#settings;
    return answerView(message, {
      labels: this.#labels,
      ownAddress: (path) => this.#site?.ownAddress(path) ?? '#',
      sourceAddress: (source) => this.#site?.sourceAddress(source, question) ?? '#',
      ask: (text) => void this.#ask(text),
      retry: () => void this.#again(),
      ...(this.#site?.quotes && message.by === 'server' ? { quote: () => void this.#again('quotes') } : {}),
      ...(server
        ? {
            rate: async (answer: Answer, comment?: string) => {
              const { thread } = this.#conversation.conversation;
              this.#keep();
              if (!thread || !answer.rating) return false;
              const asker = { fp: fingerprint(storage), filter: {} };
              return sendFeedback(server, asker, { thread, messageId: answer.id, rating: answer.rating, comment });
            },
          }
        : {}),
    });
  }

  #keep() {
    const { conversation } = this.#conversation;
    if (conversation.messages.length > 0) this.#history.keep(keepable(conversation));
  }

  #start(conversation: Conversation | undefined) {
    this.#conversation.stop();
    this.#conversation = new AskConversation(conversation, (answer) => this.#onChange(answer));
    this.#views.clear();
    this.#showHistory(false);
    this.#redraw();
    this.#drawStarters();
    this.#stay();
    if (this.#dialog.open) this.#field.focus();
  }

  #drawStarters() {
    const questions = starters(this.#settings.suggestions, this.#labels.askAboutHeading);
    this.#starters.replaceChildren(...questions.map((question) => textButton(question, () => void this.#ask(question))));
  }

  #showHistory(shown: boolean) {
    this.#historyList.hidden = !shown;
    this.#earlier.setAttribute('aria-expanded', String(shown));
    this.#log.hidden = shown || this.#conversation.messages.length === 0;
    this.#starters.hidden = shown || this.#conversation.messages.length > 0;
    if (!shown) return this.#historyList.replaceChildren();
    const conversations = this.#history.read();
    const titles = conversations.map((kept) => textButton(kept.messages[0]?.text ?? '', () => this.#start(kept)));
    const clear = textButton(this.#labels.askHistoryClear, () => {
      this.#history.clear();
      this.#start(undefined);
    });
    clear.classList.add('clear');
    const nothing = element('p', {}, this.#labels.askHistoryEmpty);
    this.#historyList.replaceChildren(
      element('h3', {}, this.#labels.askHistory),
      ...(titles.length > 0 ? [...titles, clear] : [nothing]),
    );
  }

  /** A link to the page being read moves within it; any other takes the reader away, and the panel along where it stands beside. */
  #onClick(event: MouseEvent) {
    if (event.target === this.#dialog && this.#dialog.matches(':modal')) return this.#dialog.close();
    const link = (event.target as Element).closest?.('a');
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || link.target === '_blank' || !this.#site?.isHere(link.href))
      return;
    event.preventDefault();
    const { hash, searchParams } = new URL(link.href);
    if (this.#dialog.matches(':modal')) this.#dialog.close();
    highlight(searchParams.get(HIGHLIGHT_PARAMETER)?.split(' ').filter(Boolean) ?? []);
    if (hash !== '' && hash !== location.hash) location.hash = hash;
    else document.getElementById(decodeURIComponent(hash.slice(1)))?.scrollIntoView();
  }

  #say(words: string) {
    this.#status.textContent = words;
  }

  #applyLabels() {
    const labels = this.#labels;
    this.#title.textContent = labels.askTitle;
    this.#field.placeholder = labels.askPlaceholder;
    this.#field.setAttribute('aria-label', labels.askPlaceholder);
    this.#send.setAttribute('aria-label', labels.askSend);
    this.#notice.textContent = this.#settings.server ? labels.askModelNotice : labels.askQuotesNotice;
    for (const [button, label] of [
      [this.#new, labels.askNew],
      [this.#earlier, labels.askHistory],
      [this.#close, labels.close],
    ] as const) {
      button.setAttribute('aria-label', label);
      button.title = label;
    }
    this.#earlier.setAttribute('aria-expanded', String(!this.#historyList.hidden));
    this.#chips.show(labels, this.#site?.page);
    this.#drawStarters();
  }
}

/** Without what belongs to the screen; an answer that was still coming when the page went away counts as stopped. */
function keepable(conversation: Conversation): Conversation {
  const messages = conversation.messages.map(({ busy, failure: _, ...message }: Answer) =>
    busy ? { ...message, fault: 'stopped' } : message,
  );
  return { ...conversation, messages };
}

function sheetOf(style: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style);
  return sheet;
}

function session(act: (storage: Storage) => void): void {
  try {
    act(sessionStorage);
  } catch {
    // A browser that keeps nothing opens the panel once a page.
  }
}

function stayedOpen(): string | null {
  try {
    return sessionStorage.getItem(OPEN_CONVERSATION);
  } catch {
    return null;
  }
}

function tell(fault: string): void {
  console.warn(fault);
}
