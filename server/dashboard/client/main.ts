// Sign-in and routing. The dashboard exchanges the key, or the token of a sign-in link, for a session, which survives a reload of the page.
import { createClient, Fault, signInMark, type Client, type Credential } from './client.ts';
import { announce, button, element, muted } from './element.ts';
import { organizationTabs } from './overview.ts';
import { hasPasskeys, signInWithPasskey } from './passkeys.ts';
import { attempt, emptyState, faultMessage, skeleton } from './parts.ts';
import type { AccountAnswer } from '../../members/account-routes.ts';
import type { ReaderCodeAnswer } from '../../sites/reader-code-routes.ts';
import { stateOfEntry } from './list.ts';
import type { Session, Tab } from './session.ts';
import { siteActions, siteTabs } from './site.ts';

history.scrollRestoration = 'manual';

const base = document.documentElement.dataset.base ?? '';
const linkStart = '#link=';
/** The name of `mark` in the query. */
const begunName = 'begun';
const refusedStart = '#refused=';
const refusals: Record<string, string> = {
  OidcDenied: 'Your account may not sign in here. Ask an owner of your organization, or an operator of the server.',
  OidcFailed: 'Signing in with your account did not work. Try again.',
  OidcUnavailable: "Your company's sign-in cannot be reached now. Try again in a moment, or sign in with a passkey.",
};
/** A site for members sent its reader here to sign in. */
const reading = readingOf(new URLSearchParams(location.search));
const main = document.querySelector('main')!;
const signInView = [...main.childNodes];
const signOutButton = document.querySelector<HTMLButtonElement>('#sign-out')!;
const person = document.querySelector<HTMLElement>('#person')!;
const organizationLink = document.querySelector<HTMLAnchorElement>('#organization')!;
let session: Session | undefined;
let mark: string | undefined;
/** Whether a view is being loaded: it is shorter than it will be, which also scrolls it. */
let isLoading = false;
let scrolled: ReturnType<typeof setTimeout> | undefined;
let leaving = new AbortController();
let ending = new AbortController();
// For requests before a session begins.
const client = createClient(base);

document.querySelector<HTMLFormElement>('#sign-in')!.addEventListener('submit', (event) => {
  event.preventDefault();
  const sender = document.querySelector<HTMLButtonElement>('#sign-in .actions button')!;
  void attempt(sender, document.querySelector('#sign-in-fault')!, signInByKey);
});
document.querySelector<HTMLFormElement>('#mail-link')?.addEventListener('submit', (event) => {
  event.preventDefault();
  const [sender, input] = [
    document.querySelector<HTMLButtonElement>('#mail-link button')!,
    document.querySelector<HTMLInputElement>('#email')!,
  ];
  const output = document.querySelector('#mail-link-fault')!;
  void attempt(sender, output, async () => {
    await client.call('POST', '/v1/session-links/mail', { body: { email: input.value.trim() } });
    output.replaceChildren(
      element('p', { role: 'status' }, `If ${input.value.trim()} is a member, a mail with a link is on its way.`),
    );
  });
});
// With the query, which may say which site the reader comes from.
document.querySelector<HTMLAnchorElement>('#oidc')?.addEventListener('click', ({ currentTarget }) => {
  const link = currentTarget as HTMLAnchorElement;
  const to = new URLSearchParams(location.search);
  if (mark !== undefined) to.set(begunName, mark);
  link.search = new URLSearchParams({ to: `?${to}` }).toString();
});
const passkeyButton = document.querySelector<HTMLButtonElement>('#passkey')!;
passkeyButton.parentElement!.hidden = !hasPasskeys();
passkeyButton.addEventListener('click', () => {
  void attempt(passkeyButton, document.querySelector('#sign-in-fault')!, async () => {
    await signInWithPasskey(client);
    begin(await accountAfterSignIn());
  });
});
signOutButton.addEventListener('click', () => void signOut());
addEventListener('popstate', () => session && void show(session));
document.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[data-inside]') : undefined;
  if (!link || !session || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  session.go(link.pathname + link.search);
});

// A link that is opened where the dashboard is open already changes only the fragment.
addEventListener('hashchange', () => location.hash.startsWith(linkStart) && void resume());

addEventListener('scroll', () => {
  clearTimeout(scrolled);
  scrolled = setTimeout(rememberScroll, 150);
});
addEventListener('pagehide', rememberScroll);

void resume();

/** Back and a reload show the same part of a view. */
function rememberScroll(): void {
  clearTimeout(scrolled);
  if (!isLoading) history.replaceState({ ...stateOfEntry(), scroll: scrollY }, '');
}

/** Signs in by the link in the fragment, or restores the session after a reload. Without either, the sign-in form stays. */
async function resume(): Promise<void> {
  mark ??= await signInMark();
  const isBegunHere = takeBegun();
  const link = takeLink();
  // Otherwise the form would flash before the view replaces it.
  main.replaceChildren(skeleton());
  const refused = takeRefusal();
  if (refused) return showSignIn(refused);
  const arrive = link === undefined ? accountOfSession() : isBegunHere ? signIn({ link }) : askThenSignIn(link);
  const found = await arrive.catch((error: unknown) => error);
  if (found === undefined || found instanceof Error) return showSignIn(found);
  begin(found as AccountAnswer);
  if (link !== undefined && !reading) await offerPasskey();
}

/** Asks first: anyone can send someone else a link to an account of their own. */
async function askThenSignIn(link: string): Promise<AccountAnswer> {
  const { name, email, organization } = await client.readLink(link);
  const go = button(`Sign in as ${name}`, () => {}, { class: 'primary wide' });
  const who = email === null ? `with the key “${name}”` : `as ${name} (${email})`;
  const hint = 'Continue only if this is you, and you asked for the link or expected it.';
  main.replaceChildren(
    element(
      'div.sign-in',
      element('h1', `Sign in to ${organization}`),
      element('p', `This link signs you in ${who}.`),
      muted(hint),
      go,
    ),
  );
  go.focus();
  await new Promise((resolve) => {
    go.addEventListener('click', resolve, { once: true });
  });
  go.ariaDisabled = 'true';
  return signIn({ link });
}

/** Whether this browser has begun the sign-in that comes back: then its link needs no question. */
function takeBegun(): boolean {
  const query = new URLSearchParams(location.search);
  const begun = query.get(begunName);
  if (begun === null) return false;
  query.delete(begunName);
  history.replaceState(null, '', location.pathname + (query.size > 0 ? `?${query}` : '') + location.hash);
  return begun === mark;
}

/** A link works once: who has no passkey could not sign in again. */
async function offerPasskey(): Promise<void> {
  if (!session?.account.member) return;
  // Where the company's account is required, it is the way to sign in again.
  if (session.account.oidc?.required) return;
  const { passkeys } = await session.client.call<{ passkeys: object[] }>('GET', '/v1/passkeys');
  if (passkeys.length === 0) session.go(session.path(undefined, 'sessions'));
}

/** Why the provider has signed no one in. */
function takeRefusal(): Fault | undefined {
  if (!location.hash.startsWith(refusedStart)) return undefined;
  const code = location.hash.slice(refusedStart.length);
  history.replaceState(null, '', location.pathname + location.search);
  return new Fault(0, {
    error: refusals[code] ?? refusals.OidcFailed!,
    code: refusals[code] === undefined ? 'OidcFailed' : code,
  });
}

/** The token of a sign-in link. It leaves the address bar and the history. */
function takeLink(): string | undefined {
  if (!location.hash.startsWith(linkStart)) return undefined;
  const token = location.hash.slice(linkStart.length);
  history.replaceState(null, '', location.pathname + location.search);
  // Only what a header can carry: the server says what is wrong with it.
  return token.replaceAll(/[^\w-]/g, '');
}

async function accountOfSession(): Promise<AccountAnswer | undefined> {
  const found = await client.call<object | undefined>('GET', '/v1/session');
  return found && client.call<AccountAnswer>('GET', '/v1/account');
}

async function signInByKey(): Promise<void> {
  const input = document.querySelector<HTMLInputElement>('#key')!;
  const key = input.value.trim();
  // Ready for another attempt if this one fails.
  input.focus();
  input.select();
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new Fault(0, {
      error: 'This is not a valid key. Keys start with "svc_" and contain only letters, digits and underscores.',
      code: 'KeyMalformed',
    });
  }
  const account = await signIn({ key });
  input.value = '';
  begin(account);
}

async function signIn(by: Credential): Promise<AccountAnswer> {
  await client.signIn(by);
  return accountAfterSignIn();
}

async function accountAfterSignIn(): Promise<AccountAnswer> {
  const account = await accountOfSession();
  if (account) return account;
  const error = 'The browser did not store the session. Allow cookies for this site, and sign in again.';
  throw new Fault(0, { error, code: 'SessionNotKept' });
}

async function signOut(): Promise<void> {
  const fault = element('div');
  main.prepend(fault);
  await attempt(signOutButton, fault, async () => {
    // The server would refuse what the view still reads when the session has ended.
    leaving.abort();
    const sent = session?.client.call<{ signOutUrl: string } | undefined>('DELETE', '/v1/session');
    const ended = await sent?.catch((error: unknown) => {
      if (session) void show(session);
      main.prepend(fault);
      throw error;
    });
    showSignIn();
    if (ended) return location.assign(ended.signOutUrl);
    announce('Signed out.');
  });
}

function go(path: string): void {
  rememberScroll();
  history.pushState(null, '', path);
  if (session) void show(session);
}

interface Reading {
  domain: string;
  state: string;
  to: string;
  from: string;
  /** Groups of the audience as which the site is seen. */
  view: string[];
}

function readingOf(query: URLSearchParams): Reading | undefined {
  const [domain, state, to = '', from = ''] = ['read', 'state', 'to', 'from'].map((name) => query.get(name) ?? undefined);
  return domain === undefined || state === undefined ? undefined : { domain, state, to, from, view: query.getAll('view') };
}

/** Back to the site, with a code that lets this browser in. */
async function goBack(signedIn: Session, { from, view, ...wanted }: Reading): Promise<void> {
  const body = { ...wanted, ...(from !== '' && { from }), ...(view.length > 0 && { view }) };
  const { organization, member, key } = signedIn.account;
  try {
    const { url } = await signedIn.client.call<ReaderCodeAnswer>('POST', '/v1/reader-codes', { body });
    location.replace(url);
  } catch (error) {
    const text = `You are signed in as ${member?.email ?? key.name}, of ${organization.name}.`;
    const other = element('a.button', { href: signedIn.path() }, 'Open the dashboard');
    const heading = element('h1', `You cannot read ${wanted.domain}`);
    main.replaceChildren(element('div.group', heading, faultMessage(error), muted(text), other));
  }
}

function begin(account: AccountAnswer): void {
  const { organizationId, name } = account.organization;
  const path = (domain?: string, tab?: string) => {
    const parts = [organizationId, domain].filter((part) => part !== undefined);
    return `${base}/dashboard/${parts.map(encodeURIComponent).join('/')}${tab === undefined ? '' : `?tab=${tab}`}`;
  };
  ending = new AbortController();
  session = { client: clientUntil(ending.signal), account, path, go };
  signOutButton.hidden = false;
  organizationLink.hidden = false;
  person.textContent = account.member?.name ?? '';
  organizationLink.textContent = name;
  organizationLink.href = path();
  if (reading) return void goBack(session, reading);
  const asked = routeOf(location.pathname);
  // The key gives access to one organization; the path of another one redirects to it, with the same site and tab.
  if (asked.organization !== organizationId) history.replaceState(null, '', path(asked.domain) + location.search);
  void show(session);
}

/** Ignores responses that arrive after the session has ended: the page then belongs to the sign-in form or to a newer session. */
function clientUntil(ended: AbortSignal): Client {
  const client = createClient(base, (fault) => {
    if (!ended.aborted) showSignIn(fault);
  });
  return {
    ...client,
    async call<Answer>(...request: Parameters<Client['call']>) {
      const answer = await client.call<Answer>(...request);
      ended.throwIfAborted();
      return answer;
    },
  };
}

function showSignIn(fault?: Error): void {
  session = undefined;
  ending.abort();
  leaving.abort();
  document.querySelectorAll('dialog').forEach((open) => open.close());
  signOutButton.hidden = true;
  organizationLink.hidden = true;
  person.textContent = '';
  document.title = 'Sign in · Carrel';
  main.replaceChildren(...signInView);
  if (reading) main.querySelector('h1')!.textContent = `Sign in to read ${reading.domain}`;
  document.querySelector('#sign-in-fault')!.replaceChildren(...(fault ? [faultMessage(fault)] : []));
  // Readers are members.
  (reading && hasPasskeys() ? passkeyButton : document.querySelector<HTMLInputElement>('#key')!).focus();
}

/** The view of the URL. When another tab of the same view was shown before, its link gets the focus; otherwise the title. */
async function show(opened: Session): Promise<void> {
  leaving.abort();
  leaving = new AbortController();
  const { signal } = leaving;
  clearTimeout(scrolled);
  const { scroll } = stateOfEntry();
  isLoading = true;
  const { domain } = routeOf(location.pathname);
  const name = domain ?? opened.account.organization.name;
  const tabs = domain === undefined ? organizationTabs(opened) : siteTabs(domain);
  const asked = new URLSearchParams(location.search).get('tab') ?? '';
  const chosen = Object.hasOwn(tabs, asked) ? asked : Object.keys(tabs)[0]!;
  const tab = tabs[chosen]!;
  document.title = `${tab.name} · ${name} · Carrel`;
  const heading = element('h1', { tabindex: -1 }, name);
  const body = element('div.view', { 'aria-busy': 'true' }, skeleton());
  const isSameView = main.dataset.view === location.pathname && main.querySelector('h1') !== null;
  main.dataset.view = location.pathname;
  main.replaceChildren(
    element('div.head', heading, domain !== undefined && siteActions(opened, domain, signal)),
    tabsOf(opened, domain, tabs, chosen),
    body,
  );
  const current = main.querySelector<HTMLElement>('.tabs [aria-current]')!;
  (isSameView ? current : heading).focus({ preventScroll: true });
  current.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  if (!isSameView) scrollTo(0, 0);
  try {
    await tab.show(opened, body, signal);
  } catch (error) {
    if (!signal.aborted) showFault(opened, body, error, domain);
  }
  body.ariaBusy = null;
  if (signal.aborted) return;
  isLoading = false;
  if (scroll !== undefined) scrollTo(0, scroll);
}

function showFault({ path }: Session, body: Element, error: unknown, domain: string | undefined): void {
  if (domain === undefined || !(error instanceof Fault) || error.code !== 'SiteUnknown')
    return body.replaceChildren(faultMessage(error));
  main.querySelectorAll('.tabs, .site-actions').forEach((part) => part.remove());
  const all = element('a.button', { href: path(), 'data-inside': true }, 'Show all sites');
  const text = 'It was removed, its name is misspelled, or it belongs to another organization.';
  body.replaceChildren(emptyState('This site does not exist', text, [], all));
}

type Tabs = Record<string, { name: string; show: Tab }>;

function tabsOf({ path }: Session, domain: string | undefined, tabs: Tabs, chosen: string): HTMLElement {
  const links = Object.entries(tabs).map(([id, { name }], index) =>
    element(
      'a',
      { href: path(domain, index === 0 ? undefined : id), 'data-inside': true, 'aria-current': id === chosen && 'page' },
      name,
    ),
  );
  return element('nav.tabs', { 'aria-label': domain === undefined ? 'Organization' : 'Site' }, ...links);
}

function routeOf(pathname: string): { organization?: string; domain?: string } {
  const [organization, domain] = pathname
    .slice(`${base}/dashboard`.length)
    .split('/')
    .filter((part) => part !== '')
    .map(decodeURIComponent);
  return { organization, domain };
}
