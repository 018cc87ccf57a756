// The elements of the playground's dialog.
import { element } from '../shared/elements.ts';
import type { OperationForm } from './form.ts';
import type { Operation } from './operation.ts';
import type { PlaygroundSettings } from './settings.ts';
import type { Texts } from './texts.ts';

export type PanelView = ReturnType<typeof panelView>;

export function panelView(operation: Operation, form: OperationForm, texts: Texts, { mode, proxy }: PlaygroundSettings) {
  const { labels } = texts;
  const isMock = mode === 'mock';
  const code = element('pre', { tabindex: '0', dir: 'ltr', 'aria-label': labels.requestCode });
  const languages = element('select', { 'aria-label': labels.codeLanguage });
  const copy = element('button', { type: 'button' }, labels.copy);
  const status = element('p', { class: 'status', role: 'status' });
  const answer = element('div');
  const answers = answerMenu(operation, labels.response);
  const send = element('button', { class: 'send', type: 'submit' }, isMock ? labels.showExample : labels.send);
  const stop = element('button', { type: 'button', hidden: '' }, labels.stop);
  const keep = element('input', { type: 'checkbox' });
  const past = element('details');
  const close = element('button', { type: 'button' }, labels.close);
  const path = element('code', { dir: 'ltr' }, `${operation.method} ${operation.path}`);
  const title = element('h2', { id: 'title' }, operation.title, path);
  const actions = element(
    'div',
    { class: 'row' },
    send,
    stop,
    ...(isMock && operation.answers.length > 0 ? [answers] : []),
    element('label', { class: 'check' }, keep, labels.remember),
  );
  const sentBy = proxy ? texts.of('proxyNotice', { host: new URL(proxy.url).host }) : labels.directNotice;
  const notice = element('p', { class: 'hint' }, isMock ? labels.mockNotice : sentBy);
  const request = [element('h3', {}, labels.request), element('div', { class: 'row' }, languages, copy), code];
  const dialog = element(
    'dialog',
    { 'aria-labelledby': 'title' },
    element('div', { class: 'head' }, title, close),
    element(
      'div',
      { class: 'columns' },
      element('div', {}, form.element),
      element('div', {}, notice, actions, past, status, answer, element('section', {}, ...request)),
    ),
  );
  // Fields are in the form, and the button is beside it.
  form.element.id = 'form';
  send.setAttribute('form', 'form');
  const showStop = (isShown: boolean) => {
    const hadFocus = stop.matches(':focus');
    stop.hidden = !isShown;
    if (hadFocus && !isShown) send.focus();
  };
  return { dialog, code, languages, copy, status, answer, answers, send, stop, showStop, keep, past, close };
}

/** The answers of a mock; the first one without an error is chosen. */
function answerMenu({ answers }: Operation, label: string): HTMLSelectElement {
  const options = answers.map(({ status, name }, index) =>
    element('option', { value: String(index) }, name ? `${status} ${name}` : status),
  );
  const menu = element('select', { 'aria-label': label }, ...options);
  const good = answers.findIndex(({ status }) => status.startsWith('2'));
  menu.value = String(Math.max(0, good));
  return menu;
}
