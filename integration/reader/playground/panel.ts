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
import { panelView, type PanelView } from './panel-view.ts';
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
    const { mode, hosts } = this.#settings;
    const allowed = hosts ? { hosts } : { origins: serverOrigins(operation.servers, location.href) };
    const memory = new Memory(operation);
    const closing = new AbortController();
    const getToken: GetToken = (asked, signal) =>
      requestToken(asked, this.#sendForToken(allowed), AbortSignal.any([signal, closing.signal]));
    const form = new OperationForm(operation, memory.values, texts, mode === 'mock' ? undefined : getToken);
    const view = panelView(operation, form, texts, this.#settings);
    const { dialog, keep, stop, close } = view;
    keep.checked = memory.isOn;
    const showCode = this.#followCode(operation, form, view, texts);
    const showPast = followPast(operation, form, memory, view, texts);
    keep.addEventListener('change', () => {
      if (keep.checked) memory.remember(form.values);
      else memory.forget();
      showPast();
    });
    form.element.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#submit({ operation, form, memory, view, texts, allowed, showPast });
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

  /** Shows the request as code, also after each change of its values. */
  #followCode(operation: Operation, form: OperationForm, { languages, code, copy, status, dialog }: PanelView, texts: Texts) {
    const show = () => {
      const samples = samplesOf(harOf(requestOf(operation, form.values, location.href).request));
      languages.replaceChildren(...samples.map((sample) => element('option', {}, sample.title)));
      languages.value = this.#language;
      code.textContent = samples.find((sample) => sample.title === this.#language)?.code ?? '';
    };
    languages.addEventListener('change', () => {
      this.#language = languages.value;
      show();
    });
    copy.addEventListener('click', () => {
      void copyText(code.textContent ?? '', dialog).then(() => (status.textContent = texts.labels.copied));
    });
    form.element.addEventListener('values', show);
    return show;
  }

  async #submit({ operation, form, memory, view, texts, allowed, showPast }: Submitted): Promise<void> {
    const { labels } = texts;
    const { keep, status, answer } = view;
    const isMock = this.#settings.mode === 'mock';
    if (keep.checked) memory.remember(form.values);
    const { request, faults } = requestOf(operation, form.values, location.href);
    const faulty = form.showFaults(faults);
    // A path with a hole is another operation's.
    const cannotSend = isMock || [...faults.keys()].some((key) => /^(?:path|variable|secret) /.test(key));
    if (faulty && cannotSend) {
      answer.replaceChildren();
      status.textContent = labels.notValid;
      return faulty.focus();
    }
    this.#sending?.abort();
    const sending = (this.#sending = new AbortController());
    status.textContent = labels.sending;
    answer.replaceChildren();
    view.showStop(!isMock);
    const sent = structuredClone({ ...form.values, secrets: {}, files: {} });
    const started = performance.now();
    try {
      const example = operation.answers[Number(view.answers.value)] ?? { status: '200' };
      const received = isMock ? mockAnswer(example) : await this.#send(request, allowed, sending.signal);
      const milliseconds = received.milliseconds ?? Math.round(performance.now() - started);
      const shown = `${statusLine(received)} · ${isMock ? labels.example : texts.milliseconds(milliseconds)}`;
      status.textContent = shown;
      if (keep.checked) memory.add(sent, received.status, Date.now());
      showPast();
      const { bytes, end } = await showAnswer(answer, received, texts, sending.signal);
      if (this.#sending !== sending) return;
      const size = texts.size(bytes);
      const withSize = `${shown} · ${end === 'cut' ? texts.of('moreThan', { size }) : size}`;
      status.textContent = end === 'stopped' ? `${withSize} · ${labels.stopped}` : withSize;
    } catch (error) {
      if (this.#sending !== sending) return;
      status.textContent = sending.signal.aborted ? labels.stoppedEarly : sentenceOf(error, texts);
    }
    view.showStop(false);
  }

  #send(request: Request, allowed: Allowed, signal: AbortSignal): Promise<Received> {
    return this.#settings.proxy ? sendThroughProxy(request, this.#proxySettings, signal) : sendDirect(request, allowed, signal);
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

interface Submitted {
  operation: Operation;
  form: OperationForm;
  memory: Memory;
  view: PanelView;
  texts: Texts;
  allowed: Allowed;
  showPast(): void;
}

/** Shows the requests that were sent before. */
function followPast(
  operation: Operation,
  form: OperationForm,
  memory: Memory,
  { past, send }: PanelView,
  texts: Texts,
): () => void {
  const { labels } = texts;
  const restore = (request: PastRequest) => {
    const button = element('button', { type: 'button' }, texts.time(request.time), ' · ', lineOf(operation, request));
    button.addEventListener('click', () => {
      form.restore(request.values);
      past.open = false;
      past.querySelector('summary')?.focus();
    });
    return element('li', {}, button);
  };
  const show = () => {
    const { requests } = memory;
    past.hidden = requests.length === 0;
    const clear = element('button', { type: 'button' }, labels.clearHistory);
    clear.addEventListener('click', () => {
      memory.clearRequests();
      show();
      send.focus();
    });
    past.replaceChildren(
      element('summary', {}, `${labels.history} (${requests.length})`),
      element('ul', {}, ...requests.map(restore)),
      clear,
    );
  };
  show();
  return show;
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
