// The model that answers questions about a site, in its settings.
import type { ModelCheckAnswer } from '../../assistant/model-routes.ts';
import type { SiteAnswer } from '../../sites/site-routes.ts';
import { announce, button, element, muted, textInput } from './element.ts';
import { field, forgetDraft, form } from './form.ts';
import { attempt, chip, section } from './parts.ts';
import type { Session } from './session.ts';
import { select } from './source-fields.ts';
import { toast } from './toast.ts';

type Stored = NonNullable<NonNullable<SiteAnswer['assistant']>['model']>;

export function modelSection(session: Session, { domain, assistant = { panel: true } }: SiteAnswer): HTMLElement {
  const path = `/v1/sites/${encodeURIComponent(domain)}`;
  const draft = `${location.pathname} model`;
  const { model: stored, answersPerDay } = assistant;
  const isOff = stored === null || answersPerDay === 0;
  const kind = select(
    {
      server: 'The model of the server, if it has one',
      own: 'A model of this site',
      none: 'No model: quotes of the docs',
    },
    isOff ? 'none' : stored ? 'own' : 'server',
  );
  const own = ownModel(stored ?? undefined);
  const answers = element('input', { type: 'number', min: 1, max: 1_000_000, value: answersPerDay || '' });
  const answersField = field(
    'Answers of the model in a day',
    answers,
    'Further questions get quotes of the docs. Empty for no limit.',
    'assistant.answersPerDay',
  );
  const off = element(
    'p.hint',
    stored
      ? 'The model of this site and its key stay stored, so that you can switch back.'
      : 'Quotes come from the search of the docs, and cost nothing.',
  );
  const show = () => {
    own.setEnabled(kind.value === 'own');
    answersField.hidden = answers.disabled = kind.value === 'none';
    off.hidden = kind.value !== 'none';
  };
  kind.addEventListener('change', show);
  show();
  const found = element('p');
  const output = element('div');
  let isChanged = false;
  const check = button('Check the connection', () => {
    found.replaceChildren();
    void attempt(check, output, async () => {
      const answer = isChanged ? undefined : await session.client.call<ModelCheckAnswer>('GET', `${path}/model`);
      const text = answer ? sentence(answer) : 'Save the changes first: the check uses what is saved.';
      found.replaceChildren(chip(answer ? lookOf(answer) : 'expired', text));
      announce(text);
    });
  });
  const fields = [field('Answers come from', kind, undefined, 'assistant'), own.element, answersField, off, found, output];
  const made = form({ go: 'Save', submit: save, fields, others: [check], draft });
  made.setAttribute('aria-labelledby', 'model-title');
  made.addEventListener('input', () => {
    isChanged = true;
    found.replaceChildren();
  });
  const about = 'What answers questions about this site, in its panel and through the API. Takes effect immediately.';
  const whole = section('model', 'Model', undefined, muted(about), made);
  return whole;

  async function save(): Promise<void> {
    const limit = answers.value === '' ? null : Number(answers.value);
    const changes = {
      none: { answersPerDay: 0 },
      server: { model: 'server', answersPerDay: limit },
      own: { model: own.value(), answersPerDay: limit },
    };
    const body = { assistant: changes[kind.value as keyof typeof changes] };
    const site = await session.client.call<SiteAnswer>('PATCH', path, { body });
    forgetDraft(draft);
    const saved = modelSection(session, site);
    whole.replaceWith(saved);
    saved.querySelector<HTMLElement>('button.primary')!.focus();
    toast('Saved.');
  }
}

/** The fields of a model. Its key is only written: an empty field leaves the stored one. */
function ownModel(stored: Stored | undefined) {
  const text = (value: string, attributes: Record<string, string | boolean> = {}) => textInput({ value, ...attributes });
  const url = text(stored?.baseUrl ?? '', { type: 'url', required: true, placeholder: 'https://…/v1' });
  const name = text(stored?.model ?? '', { required: true, maxlength: '200', placeholder: 'qwen3:8b' });
  const key = text('', { type: 'password' });
  const removal = element('input', { type: 'checkbox', name: 'key-removal' });
  const removalLabel = element('label', removal, ' Remove the stored key');
  const keyField = field('API key', key, 'Encrypted, never shown again, and only for this base URL.', 'assistant.model.apiKey');
  const group = element(
    'div.group',
    element(
      'div.fields',
      field('Base URL', url, 'OpenAI-compatible: the URL that /chat/completions is below.', 'assistant.model.baseUrl'),
      field('Name of the model', name, undefined, 'assistant.model.model'),
    ),
    keyField,
    removalLabel,
  );
  const showKey = () => {
    const isStored = stored?.apiKeyIsSet === true && url.value.trim().replace(/\/+$/, '') === stored.baseUrl;
    removalLabel.hidden = !isStored;
    key.placeholder = isStored ? 'Stored. Leave empty to keep it' : 'None';
    key.disabled = isStored && removal.checked;
  };
  for (const input of [url, removal]) input.addEventListener('input', showKey);
  showKey();
  return {
    element: group,
    setEnabled(isEnabled: boolean): void {
      group.hidden = !isEnabled;
      // Hidden fields that are required would block the form without a word.
      url.disabled = name.disabled = !isEnabled;
    },
    value(): object {
      const { apiKeyIsSet: _, headerNames: __, ...others } = stored ?? {};
      const apiKey = !removalLabel.hidden && removal.checked ? null : key.value.trim() || undefined;
      return { ...others, baseUrl: url.value.trim(), model: name.value.trim(), ...(apiKey !== undefined && { apiKey }) };
    },
  };
}

function lookOf({ state, detail }: ModelCheckAnswer): string {
  if (state === 'ok') return detail === undefined ? 'completed' : 'expired';
  return state === 'rejected' || state === 'unavailable' ? 'failed' : 'expired';
}

function sentence({ state, model, detail }: ModelCheckAnswer): string {
  const sentences: Record<ModelCheckAnswer['state'], string> = {
    ok:
      detail === undefined
        ? `The server of the model “${model}” responds.`
        : `The server of the model “${model}” responds, but ${detail}. If it should have one, correct the base URL.`,
    unlisted: `Its server responds, but does not list the model “${model}”. It lists: ${detail}.`,
    rejected: `The key is not accepted: ${detail}. Enter another one and save it.`,
    unavailable: `The server of the model can't be reached: ${detail}.`,
    none: 'No model answers for this site: save one first.',
  };
  return sentences[state];
}
