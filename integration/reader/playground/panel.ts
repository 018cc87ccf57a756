import { copyText } from '../shared/copy-text.ts';
import { element, keepKeys } from '../shared/elements.ts';
import { renewSettings } from '../shared/renew-settings.ts';
import { adoptStyle, followScheme } from '../shared/style.ts';
import { showAnswer } from './answer-view.ts';
import { OperationForm } from './form.ts';
import { Memory, type PastRequest } from './memory.ts';
import { requestToken } from './oauth.ts';
import { serverOrigins, type Operation } from './operation.ts';
import { requestOf, type Request } from './request.ts';
import { samplesOf, type HarRequest } from './samples.ts';
import { mockAnswer, NotSent, sendDirect, sentenceOf, type Allowed, type Received } from './send.ts';
import { sendThroughProxy } from './send-through-proxy.ts';
import { type PlaygroundProxy, playgroundSettings } from './settings.ts';
import { playgroundStyle } from './style.ts';
import type { Texts } from './texts.ts';
import type { GetToken } from './token-fields.ts';

/** `<carrel-playground>`: a dialog with the form of one operation, its request as code, and the answer. */
export class Playground extends HTMLElement {
  readonly #settings = playgroundSettings(globalThis.__carrel_config, location.href, (fault) => console.warn(fault));
  readonly #proxySettings = {
    server: (): PlaygroundProxy | undefined => playgroundSettings(globalThis.__carrel_config, location.href, () => {}).proxy,
    renew: renewSettings,
  };
  readonly #root = this.attachShadow({ mode: 'open' });
  #sending: AbortController | undefined;
  #language = 'cURL';

  constructor() {
    super();
    adoptStyle(this.#root, playgroundStyle);
    keepKeys(this.#root);
  }

  connectedCallback(): void {
    followScheme(this);
  }

  open(operation: Operation, texts: Texts): void {
    const { labels } = texts;
    const { mode, hosts, proxy } = this.#settings;
    const allowed = hosts ? { hosts } : { origins: serverOrigins(operation.servers, location.href) };
    const memory = new Memory(operation);
    const closing = new AbortController();
    const getToken: GetToken = (asked, signal) =>
      requestToken(asked, this.#sendForToken(allowed), AbortSignal.any([signal, closing.signal]));
    const form = new OperationForm(operation, memory.values, texts, mode === 'mock' ? undefined : getToken);
    const code = element('pre', { tabindex: '0', dir: 'ltr', 'aria-label': labels.requestCode });
    const languages = element('select', { 'aria-label': labels.codeLanguage });
    const copy = element('button', { type: 'button' }, labels.copy);
    const status = element('p', { class: 'status', role: 'status' });
    const view = element('div');
    const answers = element(
      'select',
      { 'aria-label': labels.response },
      ...operation.answers.map(({ status: one, name }, index) =>
        element('option', { value: String(index) }, name ? `${one} ${name}` : one),
      ),
    );
    const good = operation.answers.findIndex(({ status: one }) => one.startsWith('2'));
    answers.value = String(Math.max(0, good));
    const send = element('button', { class: 'send', type: 'submit' }, mode === 'mock' ? labels.showExample : labels.send);
    const stop = element('button', { type: 'button', hidden: '' }, labels.stop);
    const keep = element('input', { type: 'checkbox' });
    keep.checked = memory.isOn;
    const past = element('details');
    const close = element('button', { type: 'button' }, labels.close);
    const path = element('code', { dir: 'ltr' }, `${operation.method} ${operation.path}`);
    const title = element('h2', { id: 'title' }, operation.title, path);
    const actions = element(
      'div',
      { class: 'row' },
      send,
      stop,
      ...(mode === 'mock' && operation.answers.length > 0 ? [answers] : []),
      element('label', { class: 'check' }, keep, labels.remember),
    );
    const notice =
      mode === 'mock'
        ? labels.mockNotice
        : proxy
          ? texts.of('proxyNotice', { host: new URL(proxy.url).host })
          : labels.directNotice;
    const dialog = element(
      'dialog',
      { 'aria-labelledby': 'title' },
      element('div', { class: 'head' }, title, close),
      element(
        'div',
        { class: 'columns' },
        element('div', {}, form.element),
        element(
          'div',
          {},
          element('p', { class: 'hint' }, notice),
          actions,
          past,
          status,
          view,
          element('section', {}, element('h3', {}, labels.request), element('div', { class: 'row' }, languages, copy), code),
        ),
      ),
    );
    // Fields are in the form, and the button is beside it.
    form.element.id = 'form';
    send.setAttribute('form', 'form');

    const showCode = () => {
      const samples = samplesOf(harOf(requestOf(operation, form.values, location.href).request));
      languages.replaceChildren(...samples.map((sample) => element('option', {}, sample.title)));
      languages.value = this.#language;
      code.textContent = samples.find((sample) => sample.title === this.#language)?.code ?? '';
    };
    languages.addEventListener('change', () => {
      this.#language = languages.value;
      showCode();
    });
    copy.addEventListener('click', () => {
      void copyText(code.textContent ?? '', dialog).then(() => (status.textContent = labels.copied));
    });
    form.element.addEventListener('values', showCode);
    const showPast = () => {
      const { requests } = memory;
      past.hidden = requests.length === 0;
      const restore = (request: PastRequest) => {
        const button = element('button', { type: 'button' }, texts.time(request.time), ' · ', lineOf(operation, request));
        button.addEventListener('click', () => {
          form.restore(request.values);
          past.open = false;
          past.querySelector('summary')?.focus();
        });
        return element('li', {}, button);
      };
      const clear = element('button', { type: 'button' }, labels.clearHistory);
      clear.addEventListener('click', () => {
        memory.clearRequests();
        showPast();
        send.focus();
      });
      past.replaceChildren(
        element('summary', {}, `${labels.history} (${requests.length})`),
        element('ul', {}, ...requests.map(restore)),
        clear,
      );
    };
    showPast();
    keep.addEventListener('change', () => {
      if (keep.checked) memory.remember(form.values);
      else memory.forget();
      showPast();
    });

    const showStop = (isShown: boolean) => {
      const hadFocus = this.#root.activeElement === stop;
      stop.hidden = !isShown;
      if (hadFocus && !isShown) send.focus();
    };
    const submit = async () => {
      if (keep.checked) memory.remember(form.values);
      const { request, faults } = requestOf(operation, form.values, location.href);
      const faulty = form.showFaults(faults);
      // A path with a hole is another operation's.
      const cannotSend = mode === 'mock' || [...faults.keys()].some((key) => /^(?:path|variable|secret) /.test(key));
      if (faulty && cannotSend) {
        view.replaceChildren();
        status.textContent = labels.notValid;
        return faulty.focus();
      }
      this.#sending?.abort();
      const sending = (this.#sending = new AbortController());
      status.textContent = labels.sending;
      view.replaceChildren();
      showStop(mode !== 'mock');
      const sent = structuredClone({ ...form.values, secrets: {}, files: {} });
      const started = performance.now();
      let shown = '';
      try {
        const answer = operation.answers[Number(answers.value)];
        const received =
          mode === 'mock'
            ? mockAnswer(answer ?? { status: '200' })
            : proxy
              ? await sendThroughProxy(request, this.#proxySettings, sending.signal)
              : await sendDirect(request, allowed, sending.signal);
        const milliseconds = received.milliseconds ?? Math.round(performance.now() - started);
        shown = `${statusLine(received)} · ${mode === 'mock' ? labels.example : texts.milliseconds(milliseconds)}`;
        status.textContent = shown;
        if (keep.checked) memory.add(sent, received.status, Date.now());
        showPast();
        const { bytes, end } = await showAnswer(view, received, texts, sending.signal);
        if (this.#sending !== sending) return;
        const size = texts.size(bytes);
        shown += ` · ${end === 'cut' ? texts.of('moreThan', { size }) : size}`;
        status.textContent = end === 'stopped' ? `${shown} · ${labels.stopped}` : shown;
      } catch (error) {
        if (this.#sending !== sending) return;
        status.textContent = sending.signal.aborted ? labels.stoppedEarly : sentenceOf(error, texts);
      }
      showStop(false);
    };
    form.element.addEventListener('submit', (event) => {
      event.preventDefault();
      void submit();
    });
    stop.addEventListener('click', () => this.#sending?.abort());
    close.addEventListener('click', () => dialog.close());
    dialog.addEventListener('close', () => {
      this.#sending?.abort();
      this.#sending = undefined;
      closing.abort();
      // Secrets and answers do not stay in the page.
      dialog.remove();
      this.remove();
    });
    this.#root.replaceChildren(dialog);
    showCode();
    dialog.showModal();
  }

  /** Sends the request for a token as other requests are sent; where the server of the site refuses its host, from the browser. */
  #sendForToken(allowed: Allowed): Parameters<typeof requestToken>[1] {
    const { proxy } = this.#settings;
    return async (request, signal) => {
      const own = { origins: [new URL(request.url).origin] };
      if (!proxy) return sendDirect(request, 'hosts' in allowed ? allowed : own, signal);
      try {
        return await sendThroughProxy(request, this.#proxySettings, signal);
      } catch (error) {
        if (error instanceof NotSent && error.code === 'PlaygroundHostRefused') return sendDirect(request, own, signal);
        throw error;
      }
    };
  }
}

/** A request without its credentials, as one line: `200 /parcels?limit=5`. */
function lineOf(operation: Operation, { status, values }: PastRequest): HTMLElement {
  const { url } = requestOf(operation, { ...values, secrets: {}, files: {} }, location.href).request;
  const { pathname = '', search = '' } = URL.parse(url) ?? {};
  return element('code', { dir: 'ltr' }, `${status} ${pathname}${search}`);
}

function statusLine({ status, statusText }: Received): string {
  return [String(status), statusText].filter(Boolean).join(' ');
}

function harOf({ method, url, headers, body }: Request): HarRequest {
  const type = headers.find(([name]) => name === 'Content-Type')?.[1] ?? 'multipart/form-data';
  const postData =
    body === undefined
      ? undefined
      : typeof body === 'string'
        ? { mimeType: type, text: body }
        : body instanceof File
          ? { mimeType: type, text: `@${body.name}` }
          : {
              mimeType: body.type,
              params: body.parts.map(([name, value]) => ({ name, value: typeof value === 'string' ? value : `@${value.name}` })),
            };
  return {
    ...{ method, url, queryString: [], cookies: [] },
    headers: headers.map(([name, value]) => ({ name, value })),
    ...(postData && { postData }),
  };
}
