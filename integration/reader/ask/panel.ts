import { pagePathOf } from '../../urls/page-path.ts';
import { highlight } from '../core/highlight.ts';
import { pageVariant } from '../core/site.ts';
import { decode } from '../shared/decode.ts';
import { element, elementAt, keepKeys } from '../shared/elements.ts';
import { type AskRequest, HIGHLIGHT_PARAMETER, say } from '../shared/events.ts';
import { carrelFolder } from '../shared/loader.ts';
import { openConversation, rememberOpenConversation } from '../shared/open-conversation.ts';
import { renewSettings } from '../shared/renew-settings.ts';
import { adoptStyle, followScheme } from '../shared/style.ts';
import type { Answered, AskEvent, AskQuestion } from './answer.ts';
import { AskChips } from './chips.ts';
import { ConversationView } from './conversation-view.ts';
import { type Answer, type Answerer, AskConversation, askHistory, type Conversation, fingerprint } from './conversation.ts';
import { DockedDialog } from './docked-dialog.ts';
import { type AskLabels, englishAskLabels } from './labels.ts';
import { iconButton, type MessageOptions, progressOf, textButton } from './message.ts';
import { askServer, sendFeedback } from './ask-server.ts';
import { type AskServer, askSettings } from './settings.ts';
import { askSite, type AskSite } from './ask-site.ts';
import { askStyle } from './style.ts';

const storage = () => localStorage;

/**
 * `<carrel-ask>`: questions about the docs, in a shadow tree with a stylesheet of its own. The page colors it by custom properties
 * named `--carrel-*` (shared/colors.ts).
 */
export class AskPanel extends HTMLElement {
  #root = this.attachShadow({ mode: 'open' });
  #labels: AskLabels = englishAskLabels;
  #settings = askSettings(globalThis.__carrel_config, location.href, (fault) => console.warn(fault));
  #site: AskSite | undefined;
  #suggest: AskRequest['questions'];
  #ready: Promise<void> | undefined;
  #history = askHistory(storage, `carrel-ask ${new URL('..', carrelFolder).href}`);
  #conversation = new AskConversation(undefined, (answer) => this.#onChange(answer));

  #title = element('h2', { id: 'title' });
  #new = iconButton('new', '', () => this.#start(undefined));
  #earlier = iconButton('history', '', () => this.#showHistory(this.#historyList.hidden === true));
  #close = iconButton('close', '', () => this.#dialog.close());
  #body = element('div', { class: 'body' });
  #view = new ConversationView(this.#body, (question, answer) => this.#messageOptions(question, answer));
  #suggestions = element('div', { class: 'starters' });
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
    this.#body,
    this.#form,
    this.#status,
  );
  #docked = new DockedDialog(this.#dialog, {
    shown: () => this.#rememberOpen(),
    closed: () => rememberOpenConversation(undefined),
  });

  connectedCallback() {
    if (this.#dialog.isConnected) return;
    adoptStyle(this.#root, askStyle);
    followScheme(this);
    keepKeys(this.#root);
    this.#body.append(this.#view.log, this.#suggestions, this.#historyList);
    this.#root.append(this.#dialog);
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
    this.#dialog.addEventListener('click', (event) => this.#onClick(event));
    addEventListener('pagehide', () => this.#store());
  }

  /** Shows the panel with what the request brings. A second call, from within the panel, closes it. */
  async open({ text, about, again, questions }: AskRequest): Promise<void> {
    this.#suggest = questions;
    if (again && !this.#docked.hasRoomBeside) return;
    if (this.#dialog.open && !about && text === undefined && this.matches(':focus-within')) return this.#dialog.close();
    if (!this.#dialog.open) {
      if (again) this.#start(this.#history.read().find(({ id }) => id === openConversation()));
      this.#applyLabels();
      this.#docked.open();
    }
    if (about) this.#chips.add(about);
    if (text !== undefined) this.#field.value = text;
    if (!again) this.#field.focus();
    await this.#prepare();
    void this.#drawSuggestions();
  }

  #prepare(): Promise<void> {
    this.#ready ??= askSite().then(
      (site) => {
        this.#site = site;
        this.#labels = site.labels;
        this.#applyLabels();
        // What was drawn before has neither translated labels nor URLs.
        this.#view.clear();
        this.#showConversation();
      },
      () => void (this.#ready = undefined),
    );
    return this.#ready;
  }

  #rememberOpen() {
    const stays = this.#docked.hasRoomBeside && this.#dialog.open;
    rememberOpenConversation(stays ? this.#conversation.conversation.id : undefined);
  }

  /** Asks with the context of the chips; a path is that of the page that the question is about instead. */
  async #ask(words: string, path?: string): Promise<void> {
    const text = words.trim();
    if (text === '') return;
    this.#field.value = '';
    this.#showHistory(false);
    await this.#prepare();
    this.#say(this.#labels.askSearching);
    const done = this.#conversation.ask(
      text,
      { ...this.#chips.take(), ...(path !== undefined && { page: pagePathOf(path) }) },
      ...this.#answerer(),
    );
    this.#rememberOpen();
    this.#showConversation();
    await done;
  }

  #answerer(by: 'server' | 'quotes' = this.#settings.server ? 'server' : 'quotes'): ['server' | 'quotes', Answerer] {
    const asker = { fp: fingerprint(storage), filter: this.#site?.filter };
    const quotes = this.#site?.quotes ?? unanswered;
    if (by === 'quotes' || !this.#settings.server) return ['quotes', (question) => this.#announced(question, quotes(question))];
    return [
      by,
      (question, signal) =>
        this.#announced(
          question,
          askServer(this.#serverSettings, question, asker, signal, () => quotes(question)),
        ),
    ];
  }

  /** The events of an answer. Its end is also said to the page, and the notice says whether the model answers at all. */
  async *#announced({ messages }: AskQuestion, events: AsyncIterable<AskEvent | Answered>): AsyncGenerator<AskEvent> {
    for await (const event of events) {
      if (event.type !== 'answered') yield event;
      else {
        say({ type: 'question', query: messages.at(-1)?.text ?? '', answer: event.by });
        this.#showNotice(event.by);
      }
    }
  }

  #serverSettings = {
    server: (): AskServer | undefined => {
      this.#settings = askSettings(globalThis.__carrel_config, location.href, () => {});
      this.#showNotice();
      return this.#settings.server;
    },
    renew: renewSettings,
  };

  async #again(by?: 'server' | 'quotes') {
    await this.#prepare();
    this.#say(this.#labels.askSearching);
    const done = this.#conversation.again(...this.#answerer(by));
    this.#showConversation();
    this.#field.focus();
    await done;
  }

  #onChange(answer: Answer) {
    const { busy } = this.#conversation;
    this.#send.classList.toggle('stop', busy);
    setLabel(this.#send, busy ? this.#labels.askStop : this.#labels.askSend);
    if (answer.busy && answer.text === '') this.#say(progressOf(answer, this.#labels));
    if (!answer.busy) {
      this.#store();
      if (this.#conversation.messages.includes(answer)) this.#say(answer.failure ? '' : this.#labels.askDone);
    }
    this.#view.update(answer);
  }

  #showConversation() {
    const { messages } = this.#conversation;
    this.#suggestions.hidden = messages.length > 0;
    this.#view.log.hidden = messages.length === 0;
    this.#view.show(messages);
  }

  #messageOptions(question: string, message: Answer): MessageOptions {
    const { server } = this.#settings;
    const canQuote = this.#site?.quotes !== undefined && message.by === 'server';
    return {
      labels: this.#labels,
      pageUrl: (path) => this.#site?.pageUrl(path) ?? '#',
      sourceUrl: (source) => this.#site?.sourceUrl(source, question) ?? '#',
      ask: (text, path) => void this.#ask(text, path),
      retry: () => void this.#again(),
      quote: canQuote ? () => void this.#again('quotes') : undefined,
      rate:
        server &&
        (async (answer, comment) => {
          const { thread } = this.#conversation.conversation;
          this.#store();
          if (!thread || !answer.rating) return false;
          const asker = { fp: fingerprint(storage) };
          return sendFeedback(this.#serverSettings, asker, { thread, messageId: answer.id, rating: answer.rating, comment });
        }),
    };
  }

  #store() {
    const { conversation } = this.#conversation;
    if (conversation.messages.length > 0) this.#history.store(storable(conversation));
  }

  #start(conversation: Conversation | undefined) {
    this.#conversation.stop();
    this.#conversation = new AskConversation(conversation, (answer) => this.#onChange(answer));
    this.#view.clear();
    this.#showHistory(false);
    this.#showConversation();
    void this.#drawSuggestions();
    this.#rememberOpen();
    if (this.#dialog.open) this.#field.focus();
  }

  async #drawSuggestions() {
    // The panel is as useful without them.
    const script = await this.#suggest?.().catch(() => undefined);
    const { askWelcome, askAboutHeading } = this.#labels;
    const shown = script?.suggestions(this.#settings.suggestions, askAboutHeading, pageVariant().language) ?? [];
    this.#suggestions.replaceChildren(
      element('h3', {}, askWelcome),
      ...shown.map(({ label, question }) => textButton(label, () => void this.#ask(question))),
    );
  }

  #showHistory(shown: boolean) {
    const isEmpty = this.#conversation.messages.length === 0;
    this.#historyList.hidden = !shown;
    this.#earlier.setAttribute('aria-expanded', String(shown));
    this.#view.log.hidden = shown || isEmpty;
    this.#suggestions.hidden = shown || !isEmpty;
    if (!shown) return this.#historyList.replaceChildren();
    const conversations = this.#history.read();
    const titles = conversations.map((earlier) => textButton(earlier.messages[0]?.text ?? '', () => this.#start(earlier)));
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

  /** A link to the page being read scrolls there; a panel beside the page stays open. */
  #onClick(event: MouseEvent) {
    if (event.target === this.#dialog && this.#docked.isModal) return this.#dialog.close();
    const link = elementAt<HTMLAnchorElement>(event, 'a');
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || link.target === '_blank' || !this.#site?.isHere(link.href))
      return;
    event.preventDefault();
    const { hash, searchParams } = new URL(link.href);
    if (this.#docked.isModal) this.#dialog.close();
    highlight(searchParams.get(HIGHLIGHT_PARAMETER)?.split(' ').filter(Boolean) ?? [], this.#labels.clearHighlights);
    if (hash !== '' && hash !== location.hash) location.hash = hash;
    else document.getElementById(decode(hash.slice(1)))?.scrollIntoView();
  }

  #say(words: string) {
    this.#status.textContent = words;
  }

  /** Neither notice is true of what the server sends when the model did not answer. */
  #showNotice(by = 'model') {
    const { askModelNotice, askQuotesNotice } = this.#labels;
    this.#notice.textContent = !this.#settings.server ? askQuotesNotice : by === 'model' ? askModelNotice : '';
  }

  #applyLabels() {
    const labels = this.#labels;
    this.#title.textContent = labels.askTitle;
    this.#field.placeholder = labels.askPlaceholder;
    this.#field.setAttribute('aria-label', labels.askPlaceholder);
    this.#send.setAttribute('aria-label', labels.askSend);
    this.#showNotice();
    setLabel(this.#new, labels.askNew);
    setLabel(this.#earlier, labels.askHistory);
    setLabel(this.#close, labels.close);
    this.#earlier.setAttribute('aria-expanded', String(!this.#historyList.hidden));
    this.#chips.show(labels, this.#site?.page);
    void this.#drawSuggestions();
  }
}

async function* unanswered(): AsyncGenerator<AskEvent> {
  yield { type: 'failed', reason: 'lost' };
}

function setLabel(button: HTMLElement, label: string): void {
  button.setAttribute('aria-label', label);
  button.title = label;
}

/** Without the state of the screen; an answer that was still arriving counts as stopped. */
function storable(conversation: Conversation): Conversation {
  const messages = conversation.messages.map(({ busy, failure: _failure, reading: _reading, ...message }: Answer) =>
    busy ? { ...message, fault: 'stopped' } : message,
  );
  return { ...conversation, messages };
}
