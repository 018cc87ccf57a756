import type { AskSource } from './answer.ts';
import type { Answer } from './conversation.ts';
import type { AskLabels } from './labels.ts';
import { markdownView, type MarkdownOptions, type Suggestion } from './markdown.ts';
import { copyText } from '../shared/copy-text.ts';
import { element } from '../shared/elements.ts';

export interface MessageOptions {
  labels: AskLabels;
  pageUrl: MarkdownOptions['pageUrl'];
  sourceUrl: (source: AskSource) => string;
  /** Asks, about the page with this root-absolute path if there is one. */
  ask: (text: string, path?: string) => void;
  retry: () => void;
  /** Absent where there is nothing to quote from. */
  quote: (() => void) | undefined;
  /** Absent where no server takes ratings. Returns whether it arrived. */
  rate: ((answer: Answer, comment?: string) => Promise<boolean>) | undefined;
}

export interface MessageView {
  node: HTMLElement;
  update(): void;
}

/** A question of the reader. */
export function questionView({ text, about = [] }: Answer, { labels }: MessageOptions): MessageView {
  const names = about.map((name) => element('li', { dir: 'auto' }, name));
  const node = element(
    'article',
    { class: 'question' },
    element('h3', { class: 'hidden' }, labels.askYou),
    element('p', { dir: 'auto' }, text),
    ...(names.length > 0 ? [element('ul', { class: 'about' }, ...names)] : []),
  );
  return { node, update() {} };
}

/** An answer; `update` shows its current state. */
export function answerView(answer: Answer, options: MessageOptions): MessageView {
  const { labels } = options;
  const text = element('div', { class: 'text', dir: 'auto' });
  // The panel's status says it to screen readers.
  const progress = element('p', { class: 'progress', 'aria-hidden': 'true' });
  const sources = element('div', { class: 'sources' });
  const fault = element('div', { class: 'fault' });
  const actions = element('div', { class: 'actions' });
  const node = element(
    'article',
    { class: 'answer' },
    element('h3', { class: 'hidden' }, labels.askAnswer),
    progress,
    text,
    sources,
    fault,
    actions,
  );
  const show = markdownView(text, {
    pageUrl: options.pageUrl,
    citation: (number) => {
      const source = answer.sources?.find((one) => one.number === number);
      const label = labels.askSource.replace('{number}', String(number)).replace('{title}', source?.title ?? '');
      return source && { href: options.sourceUrl(source), label };
    },
    copyButton: (code) => copyCodeButton(code, labels),
    suggestions: (suggestions) => suggestionList(suggestions, options),
  });
  let done = false;
  return {
    node,
    update() {
      if (answer.text !== '') show(answer.text, answer.sources?.length);
      progress.hidden = !answer.busy || answer.text !== '';
      progress.textContent = progressOf(answer, labels);
      node.ariaBusy = String(answer.busy === true);
      if (answer.busy || done) return;
      done = true;
      sources.replaceChildren(...sourceList(answer, options));
      fault.replaceChildren(...faultParts(answer, options));
      actions.replaceChildren(...actionParts(answer, options));
    },
  };
}

/** What an answer waits for. */
export function progressOf({ reading }: Answer, labels: AskLabels): string {
  return reading === undefined ? labels.askSearching : labels.askReading.replace('{count}', String(reading));
}

function copyCodeButton(code: string, labels: AskLabels): HTMLButtonElement {
  const button = iconButton('copy', labels.askCopyCode, async () => {
    await copyText(code, button.parentElement ?? document.body);
    markCopied(button, labels);
  });
  return button;
}

function markCopied(button: HTMLElement, labels: AskLabels): void {
  button.setAttribute('aria-label', labels.askCopied);
  button.classList.add('done');
}

function sourceList({ sources = [], text, failure, fault }: Answer, { labels, sourceUrl }: MessageOptions): Node[] {
  const cited = sources.filter(({ number }) => text.includes(`[${number}]`));
  const isWhole = (failure?.reason ?? fault) === undefined;
  const shown = (cited.length > 0 || !isWhole ? cited : sources).slice(0, 8);
  if (shown.length === 0) return [];
  const items = shown.map((source) =>
    element(
      'li',
      {},
      element(
        'a',
        { href: sourceUrl(source), dir: 'auto' },
        element('span', { class: 'number' }, String(source.number)),
        source.title,
      ),
    ),
  );
  return [element('h4', {}, labels.askSources), element('ul', {}, ...items)];
}

function faultParts({ failure, fault }: Answer, { labels, retry, quote }: MessageOptions): Node[] {
  const reason = failure?.reason ?? fault;
  if (reason === undefined) return [];
  const sentences: Record<string, string> = {
    stopped: labels.askStopped,
    lost: labels.askLost,
    'cut-off': labels.askCutOff,
    busy: labels.askBusy.replace('{seconds}', String(failure?.seconds ?? 60)),
  };
  const said = sentences[reason] ?? [labels.askFailed, failure?.message].filter(Boolean).join(' ');
  const buttons = [textButton(labels.askRetry, retry)];
  if (quote && reason !== 'stopped') buttons.push(textButton(labels.askQuoteInstead, quote));
  return [element('p', { dir: 'auto' }, said), element('div', { class: 'row' }, ...buttons)];
}

function actionParts(answer: Answer, { labels, rate }: MessageOptions): Node[] {
  if (answer.text === '') return [];
  const copy = iconButton('copy', labels.askCopy, async () => {
    await copyText(answer.text.replace(/```suggestions[^]*?(?:```|$)/g, '').trim(), copy.parentElement ?? document.body);
    markCopied(copy, labels);
  });
  return rate && answer.by === 'server' ? [copy, ...ratingParts(answer, labels, rate)] : [copy];
}

function ratingParts(answer: Answer, labels: AskLabels, rate: NonNullable<MessageOptions['rate']>): HTMLElement[] {
  const field = element('textarea', {
    rows: '2',
    maxlength: '2000',
    'aria-label': labels.askComment,
    placeholder: labels.askComment,
  });
  const form = element('form', { class: 'comment' }, field, element('button', { class: 'plain' }, labels.askSendComment));
  const thanks = element('p', { role: 'status', class: 'thanks' });
  form.hidden = true;
  const send = async (comment?: string) => {
    const arrived = await rate(answer, comment);
    thanks.textContent = arrived ? labels.askThanks : labels.askLost;
    if (comment !== undefined && arrived) form.hidden = true;
  };
  const thumbs = (['up', 'down'] as const).map((rating) => {
    const button = iconButton(rating, rating === 'up' ? labels.askGood : labels.askBad, () => {
      answer.rating = rating;
      for (const [i, thumb] of thumbs.entries()) thumb.ariaPressed = String(['up', 'down'][i] === rating);
      form.hidden = false;
      void send();
    });
    button.ariaPressed = String(answer.rating === rating);
    return button;
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (field.value.trim() !== '') void send(field.value.trim());
  });
  return [...thumbs, thanks, form];
}

function suggestionList(suggestions: Suggestion[], { ask }: MessageOptions): Node {
  const list = element('ul');
  for (const { label, path } of suggestions)
    list.append(
      element(
        'li',
        {},
        textButton(label, () => ask(label, path)),
      ),
    );
  return list;
}

export function textButton(label: string, press: () => unknown): HTMLButtonElement {
  const button = element('button', { type: 'button', class: 'plain', dir: 'auto' }, label);
  button.addEventListener('click', press);
  return button;
}

/** A button whose class draws its icon (style.ts). */
export function iconButton(icon: string, label: string, press: () => unknown): HTMLButtonElement {
  const button = element('button', { type: 'button', class: `icon ${icon}`, 'aria-label': label, title: label });
  button.addEventListener('click', press);
  return button;
}
