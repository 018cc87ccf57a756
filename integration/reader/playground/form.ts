// The form of an operation: its fields, and the values in them.
import { element } from '../shared/elements.ts';
import type { StoredValues } from './memory.ts';
import type { Content, Operation, Schema, Scheme } from './operation.ts';
import { isBinary, isForm, isMultipart, keyOf, plain, type Faults, type Values } from './request.ts';
import type { TokenRequest } from './oauth.ts';
import type { Texts } from './texts.ts';
import { tokenFields, type GetToken } from './token-fields.ts';

type Input = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

export class OperationForm {
  readonly element = element('form', { novalidate: '' });
  readonly values: Values;
  readonly #operation: Operation;
  readonly #texts: Texts;
  readonly #getToken: GetToken | undefined;
  readonly #tokenRequests = new Map<string, TokenRequest>();
  readonly #inputs = new Map<string, { input: Input; fault: HTMLElement }>();
  #count = 0;

  constructor(operation: Operation, stored: StoredValues | undefined, texts: Texts, getToken: GetToken | undefined) {
    this.#operation = operation;
    this.#texts = texts;
    this.#getToken = getToken;
    this.values = { ...initialValues(operation), ...stored };
    this.#render();
  }

  /** Fills in the values of an earlier request. Credentials stay. */
  restore(values: StoredValues): void {
    Object.assign(this.values, structuredClone(values), { files: {} });
    this.#render();
    this.#changed();
  }

  /** Shows what is wrong at the fields; returns the first one that is faulty. */
  showFaults(faults: Faults): HTMLElement | undefined {
    let first: HTMLElement | undefined;
    for (const [key, { input, fault }] of this.#inputs) {
      const found = faults.get(key);
      fault.hidden = !found;
      fault.textContent = found ? this.#texts.ofFault(found) : '';
      if (found) input.setAttribute('aria-invalid', 'true');
      else input.removeAttribute('aria-invalid');
      if (found) first ??= input;
    }
    return first;
  }

  #changed(): void {
    this.element.dispatchEvent(new Event('values'));
  }

  /** Renders again after a choice that changes the fields, with the focus on the choice. */
  #again(key: string): void {
    this.#render();
    this.#inputs.get(key)?.input.focus();
    this.#changed();
  }

  #render(): void {
    this.#inputs.clear();
    const { servers, security, parameters, body } = this.#operation;
    const { values } = this;
    const { labels } = this.#texts;
    const places = (['path', 'query', 'header'] as const).map((place) => parameters.filter((one) => one.in === place));
    const titles = [labels.pathParameters, labels.queryParameters, labels.headers];
    this.element.replaceChildren(
      ...group(labels.server, [
        ...(servers.length > 1
          ? [
              this.#choice(
                'server',
                'URL',
                servers.map(({ url, description }) => (description ? `${url} (${description})` : url)),
                values.server,
                (index) => {
                  values.server = index;
                  values.variables = variablesOf(this.#operation, index);
                },
              ),
            ]
          : []),
        ...(servers[values.server]?.variables ?? []).map(({ name, options }) =>
          this.#field(`variable ${name}`, name, { ...(options && { enum: options }) }, true, values.variables, name),
        ),
      ]),
      ...group(labels.authorization, [
        ...(security.length > 1
          ? [
              this.#choice(
                'security',
                labels.authMethod,
                security.map((schemes) => schemes.map(({ name }) => name).join(' + ') || labels.noAuthorization),
                values.security,
                (index) => (values.security = index),
              ),
            ]
          : []),
        ...(security[values.security] ?? []).flatMap((scheme) => this.#secret(scheme)),
      ]),
      ...places.flatMap((some, index) =>
        group(
          titles[index] ?? '',
          some.map((one) =>
            this.#field(keyOf(one), one.name, one.schema, one.required, values.parameters, keyOf(one), one.isJson),
          ),
        ),
      ),
      ...(body && body.contents.length > 0
        ? group(labels.body, [
            ...(body.contents.length > 1
              ? [
                  this.#choice(
                    'content',
                    labels.mediaType,
                    body.contents.map(({ type }) => type),
                    values.content,
                    (index) => {
                      values.content = index;
                      values.body = textOf(body.contents[index]);
                      values.fields = fieldsOf(body.contents[index]);
                      values.files = {};
                    },
                  ),
                ]
              : []),
            ...this.#body(body.contents[values.content], body.required),
          ])
        : []),
    );
  }

  #body(content: Content | undefined, required: boolean): HTMLElement[] {
    if (!content) return [];
    const { values } = this;
    if (isForm(content))
      return Object.entries(content.schema?.properties ?? {}).map(([name, schema]) => {
        const isRequired = content.schema?.required?.includes(name) === true;
        if (schema.isFile && isMultipart(content)) return this.#file(`field ${name}`, name, name, isRequired);
        return this.#field(`field ${name}`, name, schema, isRequired, values.fields, name);
      });
    if (isBinary(content)) return [this.#file('body', content.type, '', required)];
    const area = element('textarea', { class: 'body', dir: 'ltr', spellcheck: 'false' });
    area.value = values.body;
    area.addEventListener('input', () => {
      values.body = area.value;
      this.#changed();
    });
    return [this.#labeled('body', content.type, required, area)];
  }

  #file(key: string, label: string, name: string, required: boolean): HTMLElement {
    const input = element('input', { type: 'file' });
    input.addEventListener('change', () => {
      const file = input.files?.[0];
      if (file) this.values.files[name] = file;
      else delete this.values.files[name];
      this.#changed();
    });
    return this.#labeled(key, label, required, input);
  }

  #secret(scheme: Scheme): HTMLElement[] {
    const { name, kind, field } = scheme;
    const texts = this.#texts;
    if (kind === 'unsupported') return [element('p', { class: 'hint' }, texts.of('unsupportedAuth', { name }))];
    const set = (part: 'user' | 'secret', label: string, type: string, key: string) => {
      const input = element('input', { type, dir: 'ltr', autocomplete: 'off', spellcheck: 'false' });
      input.value = this.values.secrets[name]?.[part] ?? '';
      input.addEventListener('input', () => {
        this.values.secrets[name] = { secret: '', ...this.values.secrets[name], [part]: input.value };
        this.#changed();
      });
      return this.#labeled(key, label, false, input);
    };
    if (kind !== 'basic')
      return [
        set('secret', kind === 'bearer' ? texts.of('token', { name }) : `${name}: ${field}`, 'password', `secret ${name}`),
        ...this.#tokenFields(scheme),
      ];
    return [
      set('user', texts.of('user', { name }), 'text', `user ${name}`),
      set('secret', texts.of('password', { name }), 'password', `secret ${name}`),
    ];
  }

  #tokenFields(scheme: Scheme): HTMLElement[] {
    const { name, flows: [flow] = [], scopes = '' } = scheme;
    if (!flow) return [];
    const asked = this.#tokenRequests.get(name) ?? { flow, clientId: '', clientSecret: '', scopes };
    this.#tokenRequests.set(name, asked);
    const received = (token: string) => {
      this.values.secrets[name] = { secret: token };
      const field = this.#inputs.get(`secret ${name}`)?.input;
      if (field) field.value = token;
      this.#changed();
    };
    return tokenFields(scheme, { texts: this.#texts, asked, getToken: this.#getToken, received });
  }

  #choice(key: string, label: string, options: string[], chosen: number, choose: (index: number) => void): HTMLElement {
    const select = element('select', {}, ...options.map((text, index) => element('option', { value: String(index) }, text)));
    select.value = String(chosen);
    select.addEventListener('change', () => {
      choose(Number(select.value));
      this.#again(key);
    });
    return this.#labeled(key, label, false, select);
  }

  #field(
    key: string,
    label: string,
    schema: Schema,
    required: boolean,
    values: Record<string, string>,
    name: string,
    isJson = false,
  ): HTMLElement {
    const types = [schema.type ?? []].flat();
    const options = schema.enum?.map(plain) ?? (types.includes('boolean') ? ['true', 'false'] : undefined);
    const isLong = isJson || types.includes('object') || types.includes('array');
    const input: Input = options
      ? element('select', {}, ...['', ...options].map((text) => element('option', { value: text }, text)))
      : isLong
        ? element('textarea', { dir: 'auto', spellcheck: 'false' })
        : element('input', { type: 'text', dir: 'auto', autocomplete: 'off', spellcheck: 'false' });
    input.value = values[name] ?? '';
    input.addEventListener('input', () => {
      values[name] = input.value;
      this.#changed();
    });
    const hint =
      types.includes('array') && !isJson ? this.#texts.labels.onePerLine : isLong ? 'JSON' : (schema.format ?? types.join(' | '));
    return this.#labeled(key, label, required, input, hint);
  }

  #labeled(key: string, label: string, required: boolean, input: Input, hint = ''): HTMLElement {
    const id = `field-${this.#count++}`;
    const fault = element('p', { class: 'fault', id: `${id}-fault`, hidden: '' });
    input.id = id;
    input.setAttribute('aria-describedby', fault.id);
    if (required) input.setAttribute('aria-required', 'true');
    this.#inputs.set(key, { input, fault });
    const details = [hint, required ? this.#texts.labels.required : ''].filter(Boolean).join(' · ');
    const shown = element('label', { for: id }, label, ...(details ? [' ', element('span', {}, details)] : []));
    return element('div', { class: 'field' }, shown, input, fault);
  }
}

function group(title: string, fields: HTMLElement[]): HTMLElement[] {
  return fields.length === 0 ? [] : [element('fieldset', {}, element('legend', {}, title), ...fields)];
}

function initialValues(operation: Operation): Values {
  const content = operation.body?.contents[0];
  const parameters = operation.parameters.flatMap((one): [string, string][] => {
    const value = one.example ?? (one.required ? one.schema.default : undefined);
    if (value === undefined || !(one.required || one.in === 'path' || one.isPrefilled)) return [];
    const isList = Array.isArray(value) && !one.isJson;
    return [[keyOf(one), isList ? value.map(plain).join('\n') : plain(value)]];
  });
  const secrets = operation.security
    .flat()
    .flatMap(({ name, secret }) => (secret === undefined ? [] : [[name, { secret }] as const]));
  return {
    ...{ server: 0, security: 0, content: 0, files: {} },
    secrets: Object.fromEntries(secrets),
    variables: variablesOf(operation, 0),
    parameters: Object.fromEntries(parameters),
    body: textOf(content),
    fields: fieldsOf(content),
  };
}

function variablesOf({ servers }: Operation, index: number): Record<string, string> {
  return Object.fromEntries((servers[index]?.variables ?? []).map(({ name, value }) => [name, value]));
}

function textOf(content: Content | undefined): string {
  if (!content || isForm(content) || isBinary(content) || content.example === undefined) return '';
  return typeof content.example === 'string' ? content.example : JSON.stringify(content.example, null, 2);
}

function fieldsOf(content: Content | undefined): Record<string, string> {
  if (!content || !isForm(content) || typeof content.example !== 'object' || content.example === null) return {};
  const files = content.schema?.properties ?? {};
  return Object.fromEntries(
    Object.entries(content.example)
      .filter(([name]) => files[name]?.isFile !== true)
      .map(([name, value]) => [name, plain(value)]),
  );
}
