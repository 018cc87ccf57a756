// The settings of a site: each section is saved on its own.
import type { SiteAnswer } from '../../sites/site-routes.ts';
import { button, element, type Child, muted, textInput } from './element.ts';
import { modelSection } from './site-model.ts';
import { pushHooksSection } from './push-hooks.ts';
import { field, form, sayThatDraftsStay, showFor, itemsOf } from './form.ts';
import { confirm, notice, section } from './parts.ts';
import { isOperator, mayWrite, type Session } from './session.ts';
import { select, sourceFields } from './source-fields.ts';
import { toast } from './toast.ts';

export async function settingsTab(session: Session, domain: string, body: Element, signal: AbortSignal): Promise<void> {
  const path = `/v1/sites/${encodeURIComponent(domain)}`;
  const site = await session.client.call<SiteAnswer>('GET', path, { signal });
  const save = async (changes: object) => {
    await session.client.call<SiteAnswer>('PATCH', path, { body: changes });
    toast('Saved.');
  };
  const hooks = await pushHooksSection(session, domain, signal);
  const isReader = !mayWrite(session, domain);
  const removal = section(
    'remove',
    'Remove the site',
    undefined,
    muted('It is no longer served, and its exports are deleted. The source stays as it is.'),
    button('Remove this site', () => removeSite(session, domain, () => Promise.resolve()), { class: 'danger' }),
  );
  removal.classList.add('danger-zone');
  body.replaceChildren(
    element(
      'div.settings',
      isReader &&
        notice(
          ['To change the settings, sign in with a key that has the permission write, or ask an owner to make you an editor.'],
          '',
        ),
      sourceSection(session, site, save),
      scheduleSection(site, save),
      hooks,
      site.source.type === 'git' && previewsSection(site, save),
      publishSection(site, save),
      visibilitySection(site, save),
      featuresSection(session, site, save),
      modelSection(session, site),
      mayWrite(session) && removal,
    ),
  );
  if (isReader) makeReadOnly(body);
  sayThatDraftsStay(signal);
}

function makeReadOnly(body: Element): void {
  for (const input of body.querySelectorAll<HTMLInputElement>('input, select, textarea')) input.disabled = true;
  for (const button of body.querySelectorAll<HTMLElement>('form .primary')) button.hidden = true;
}

type Save = (changes: object) => Promise<void>;

/** Its `id` is unique among the forms of a page. */
function settingsForm(id: string, title: string, about: Child, fields: Child[], submit: () => Promise<void>): HTMLElement {
  const made = form({ go: 'Save', submit, fields, draft: `${location.pathname} ${id}` });
  made.setAttribute('aria-labelledby', `${id}-title`);
  return section(id, title, undefined, muted(about), made);
}

function sourceSection(session: Session, { source, builder }: SiteAnswer, save: Save): HTMLElement {
  const fields = sourceFields({ canUseFolders: isOperator(session), source, builder });
  return settingsForm('source', 'Source', 'Takes effect with the next export.', [fields.element], () => save(fields.value()));
}

/** "Every 15 minutes", "0 6 * * 1-5 (Europe/Paris)". */
export function scheduleText(schedule: SiteAnswer['schedule']): string {
  if (schedule?.everyMinutes !== undefined)
    return schedule.everyMinutes === 1 ? 'Every minute' : `Every ${schedule.everyMinutes} minutes`;
  return schedule?.cron === undefined ? 'None' : `${schedule.cron} (${schedule.timezone ?? 'UTC'})`;
}

function scheduleSection({ schedule, source }: SiteAnswer, save: Save): HTMLElement {
  const kind = select(
    { none: 'None', minutes: 'Every few minutes', cron: 'At set times (cron)' },
    schedule?.cron !== undefined ? 'cron' : schedule ? 'minutes' : 'none',
  );
  const minutes = element('input', { type: 'number', min: 1, max: 44_640, required: true, value: schedule?.everyMinutes ?? 15 });
  const cron = textInput({ required: true, value: schedule?.cron ?? '0 6 * * 1-5' });
  const zone = textInput({ value: schedule?.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone, required: true });
  const minutesField = field('Minutes', minutes, 'From 1 to 44640, which is 31 days.', 'schedule.everyMinutes');
  const cronFields = element(
    'div.fields',
    field('Cron', cron, 'Minute, hour, day of month, month, day of week.', 'schedule.cron'),
    field('Time zone', zone, undefined, 'schedule.timezone'),
  );
  showFor(kind, [minutesField, 'minutes'], [cronFields, 'cron']);
  const about =
    source.type === 'git'
      ? 'When the server looks for new commits. It exports only what has changed.'
      : 'When the server exports the folder.';
  return settingsForm(
    'schedule',
    'Schedule',
    about,
    [field('Look for changes', kind, undefined, 'schedule'), minutesField, cronFields],
    () => save({ schedule: scheduleOf() }),
  );

  function scheduleOf(): object | null {
    if (kind.value === 'none') return null;
    return kind.value === 'minutes'
      ? { everyMinutes: Number(minutes.value) }
      : { cron: cron.value.trim(), timezone: zone.value.trim() };
  }
}

function previewsSection({ previews }: SiteAnswer, save: Save): HTMLElement {
  const given = previews?.branches;
  const kind = select(
    { none: 'None', all: 'Of all branches', some: 'Of some branches' },
    given === undefined ? 'none' : given === 'all' ? 'all' : 'some',
  );
  const branches = textInput({
    required: true,
    value: Array.isArray(given) ? given.join(', ') : '',
    placeholder: 'next, docs/*',
  });
  const whole = (value: number, max: number) => element('input', { type: 'number', min: 1, max, required: true, value });
  const days = whole(previews?.days ?? 14, 365);
  const most = whole(previews?.most ?? 10, 50);
  const branchesField = field(
    'Branches',
    branches,
    'Separated by commas. * matches any part of a name, ** any path.',
    'previews.branches',
  );
  const comment = element('input', { type: 'checkbox', name: 'previews.comment', checked: previews?.comment ?? false });
  const commentField = element(
    'div',
    element('label', comment, ' Comment on pull requests with what their branch changes'),
    element('p.hint', 'This requires a push hook of GitHub or GitLab, and a token of the server that may comment.'),
  );
  const limits = element(
    'div.fields',
    field('Days after the last push', days, 'Then a preview is removed.', 'previews.days'),
    field('Previews at the same time', most, undefined, 'previews.most'),
  );
  showFor(kind, [branchesField, 'some'], [limits, 'all', 'some'], [commentField, 'all', 'some']);
  const about = 'A push to another branch is exported as a site of its own. This requires a push hook or a schedule.';
  return settingsForm(
    'previews',
    'Previews',
    about,
    [field('Previews of branches', kind, undefined, 'previews'), branchesField, limits, commentField],
    () => save({ previews: chosen() }),
  );

  function chosen(): SiteAnswer['previews'] | null {
    if (kind.value === 'none') return null;
    return {
      branches: kind.value === 'all' ? 'all' : itemsOf(branches.value, ','),
      days: days.valueAsNumber,
      most: most.valueAsNumber,
      comment: comment.checked,
    };
  }
}

function publishSection({ siteUrl, deployment }: SiteAnswer, save: Save): HTMLElement {
  const url = element('input', {
    type: 'url',
    value: siteUrl ?? '',
    placeholder: 'https://…',
    autocomplete: 'off',
  });
  const kind = select(
    {
      'client-hosted': 'Self-hosted: by this server or one of yours',
      cloud: 'Cloud: third-party services are allowed',
      'air-gapped': 'Air-gapped: no external requests at all',
    },
    deployment,
  );
  const fields = [
    field('Public URL', url, 'For canonical links, the sitemap and social networks. Empty for none.', 'siteUrl'),
    field('Deployment', kind, 'Which external requests exports may make.', 'deployment'),
  ];
  return settingsForm('publish', 'Publishing', 'Takes effect with the next export.', fields, () =>
    save({ siteUrl: url.value.trim() || null, deployment: kind.value }),
  );
}

export const visibilities = {
  public: 'Everyone',
  password: 'Readers who know the password',
  members: 'Members of the organization',
  groups: 'Members of some groups',
};

function visibilitySection({ visibility, builder, groups = [], audiences = [] }: SiteAnswer, save: Save): HTMLElement {
  const kind = select(visibilities, visibility);
  const password = element('input', {
    type: 'password',
    minLength: 8,
    maxLength: 200,
    required: visibility !== 'password',
    autocomplete: 'new-password',
  });
  const passwordField = field('Password', password, 'At least 8 characters. A new one signs all readers out.', 'password');
  const someGroups = textInput({ value: groups.join(', '), required: true, placeholder: 'partner, beta' });
  const groupsField = field('Groups that may read it', someGroups, 'Separated by commas. One of them is enough.', 'groups');
  const more = audienceFields(audiences, kind);
  const moreFields = element('div', builder === 'docs' && more.element);
  showFor(kind, [passwordField, 'password'], [groupsField, 'groups'], [moreFields, 'password', 'members', 'groups']);
  if (visibility === 'password') password.placeholder = 'Unchanged';
  const fields = [field('Who may read the site', kind, undefined, 'visibility'), passwordField, groupsField, moreFields];
  return settingsForm('visibility', 'Visibility', 'Takes effect immediately.', fields, async () => {
    const { value } = kind;
    await save({
      visibility: value,
      ...(value === 'password' && password.value !== '' && { password: password.value }),
      ...(value === 'groups' && { groups: itemsOf(someGroups.value, ',') }),
      ...(value !== 'public' && builder === 'docs' && more.value()),
    });
    const isByPassword = value === 'password';
    Object.assign(password, { value: '', required: !isByPassword, placeholder: isByPassword ? 'Unchanged' : '' });
    more.saved();
  });
}

/** Audiences, each with its groups and, where readers need one, its password. */
function audienceFields(audiences: { groups: string[] }[], visibility: HTMLSelectElement) {
  const rows: {
    groups: HTMLInputElement;
    password: HTMLInputElement;
    passwordField: HTMLElement;
    row: HTMLElement;
    hasPassword: boolean;
  }[] = [];
  const needPasswords = () => visibility.value === 'password';
  const showPasswords = (): void => {
    for (const { password, passwordField, hasPassword } of rows) {
      const isNeeded = needPasswords();
      passwordField.hidden = !isNeeded;
      // What is hidden must not block the form.
      Object.assign(password, { required: isNeeded && !hasPassword, placeholder: hasPassword ? 'Unchanged' : '' });
      if (!isNeeded) password.value = '';
    }
  };
  visibility.addEventListener('change', showPasswords);
  const haveStored = needPasswords();
  const list = element('div');
  let made = 0;
  const addRow = (known: string[]): HTMLInputElement => {
    const id = `audience-${++made}`;
    const groups = textInput({ id, value: known.join(', '), required: true, placeholder: 'partner, beta' });
    const password = element('input', {
      ...{ id: `${id}-password`, type: 'password', minLength: 8, maxLength: 200, autocomplete: 'new-password' },
    });
    const passwordField = field('Password of these readers', password);
    const remove = button('Remove', () => {
      rows.splice(rows.indexOf(entry), 1);
      entry.row.remove();
      add.focus();
    });
    const row = element('div.audience', field('Groups', groups), passwordField, remove);
    const entry = { groups, password, passwordField, row, hasPassword: haveStored && known.length > 0 };
    rows.push(entry);
    list.append(row);
    showPasswords();
    return groups;
  };
  const add = button('Add an audience', () => addRow([]).focus());
  for (const { groups } of audiences) addRow(groups);
  const hint = element(
    'p.hint',
    'Who signs in with such a password, or is a member of all of these groups, also sees the pages for them. Separated by commas.',
  );
  return {
    element: element('fieldset.audiences', { name: 'audiences' }, element('legend', 'Readers of groups'), hint, list, add),
    value: () => ({
      audiences: rows.map(({ groups, password }) => ({
        groups: itemsOf(groups.value, ','),
        ...(needPasswords() && password.value !== '' && { password: password.value }),
      })),
    }),
    saved() {
      for (const row of rows) {
        row.hasPassword = needPasswords();
        row.password.value = '';
      }
      showPasswords();
    },
  };
}

function featuresSection(session: Session, { features = {} }: SiteAnswer, save: Save): HTMLElement {
  const { search, assistant, analytics, playground } = features;
  const searchKind = select({ on: 'On', off: 'Off' }, search?.enabled === false ? 'off' : 'on');
  const assistantKind = select(
    { model: 'On: the model, if there is one', quotes: 'Only quotes of the docs', off: 'Off' },
    assistant?.mode ?? 'model',
  );
  const analyticsKind = select(
    {
      off: 'Off',
      own: 'Carrel: counted by this server',
      ...((isOperator(session) || analytics?.mode === 'providers' || analytics?.mode === 'both') && {
        providers: 'Providers that are set by the API',
        both: 'Both',
      }),
    },
    analytics?.mode ?? 'off',
  );
  const playgroundKind = select(
    { '': 'Default', mock: 'Examples only', direct: 'From the browser of the reader', proxy: 'Through this server', off: 'Off' },
    playground?.mode ?? '',
  );
  const suggestions = element('textarea', { rows: 3 }, (assistant?.suggestions ?? []).join('\n'));
  const consent = select(
    { '': 'Before providers are loaded', required: 'Always first', none: 'Never' },
    analytics?.consent ?? '',
  );
  const hosts = textInput({ value: (playground?.hosts ?? []).join(', '), placeholder: 'api.example.com' });
  const hostsField = field(
    'Hosts of the playground',
    hosts,
    'Separated by commas. From the browser: empty for those of the API specifications. Through this server: the hosts that it sends requests to.',
    'features.playground.hosts',
  );
  const show = () => {
    hostsField.hidden = playgroundKind.value !== 'direct' && playgroundKind.value !== 'proxy';
    // The specifications are part of the docs, whose authors should not choose where this server sends requests.
    hosts.required = playgroundKind.value === 'proxy';
  };
  playgroundKind.addEventListener('change', show);
  show();
  const fields = [
    element(
      'div.fields',
      field('Search', searchKind, undefined, 'features.search.enabled'),
      field('Assistant', assistantKind, undefined, 'features.assistant.mode'),
      field('Analytics', analyticsKind, undefined, 'features.analytics.mode'),
      field('Ask for consent', consent, undefined, 'features.analytics.consent'),
      field('API playground', playgroundKind, undefined, 'features.playground.mode'),
      hostsField,
    ),
    field(
      'Suggested questions',
      suggestions,
      'One on each line, at most three. Empty for questions about the headings of the page.',
      'features.assistant.suggestions',
    ),
  ];
  return settingsForm('features', 'Features', 'Take effect immediately, without another export.', fields, async () => {
    const hostNames = itemsOf(hosts.value, ',');
    const questions = itemsOf(suggestions.value, '\n');
    await save({
      features: {
        search: { enabled: searchKind.value === 'on' },
        assistant: { mode: assistantKind.value, ...(questions.length > 0 && { suggestions: questions }) },
        analytics: {
          ...analytics,
          mode: analyticsKind.value,
          consent: consent.value === '' ? undefined : consent.value,
        },
        playground:
          playgroundKind.value === '' ? null : { mode: playgroundKind.value, ...(hostNames.length > 0 && { hosts: hostNames }) },
      },
    });
  });
}

/** Asks, removes the site, and shows the list of the sites. */
export function removeSite(session: Session, domain: string, onRemoved: () => Promise<void>): void {
  confirm(
    `Remove “${domain}”?`,
    "The server no longer serves the site and deletes its exports. This can't be undone.",
    'Remove the site',
    async () => {
      await session.client.call('DELETE', `/v1/sites/${encodeURIComponent(domain)}`);
      toast(`Removed ${domain}.`);
      await onRemoved();
      session.go(session.path());
    },
  );
}
