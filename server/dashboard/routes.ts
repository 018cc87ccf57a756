import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import module from 'node:module';
import type { Api } from '../http/api.ts';
import { ApiError } from '../platform/errors.ts';
import type { Services } from '../services.ts';
import { escapeHtml } from '../../integration/text/escape.ts';

/** Headers for Carrel's own pages: only their own files and API, and a frame for a site; nothing inline. The browser itself never submits a form. */
function pageHeaders(sitesUrl: string) {
  return {
    'content-security-policy': `default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; connect-src 'self'; img-src 'self' data:; frame-src ${new URL(sitesUrl).origin}; frame-ancestors 'none'; form-action 'none'; base-uri 'none'`,
    'content-type': 'text/html; charset=utf-8',
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
  };
}

/** Serves the dashboard: the same page, without secrets, at each of its paths. It calls the public API in the browser's session. */
export function addDashboardRoutes(
  api: Api,
  { publicUrl, sitesUrl, sendMail, oidc }: Pick<Services, 'publicUrl' | 'sitesUrl' | 'sendMail' | 'oidc'>,
): void {
  const assets = readAssets();
  const headers = pageHeaders(sitesUrl);
  const page = dashboardPage(new URL(publicUrl).pathname.replace(/\/$/, ''), assets, {
    mail: sendMail !== undefined,
    oidc: oidc !== undefined,
  });
  const folder = '/dashboard/_assets/:hash/:name';

  api.get(folder, (context) => {
    const { hash, name } = context.req.param();
    const file = assets.path.endsWith(`/${hash}`) ? assets.files.get(name) : undefined;
    if (!file)
      throw new ApiError('AssetUnknown', 'This file does not exist; the dashboard may have been updated. Reload the page.');
    return context.body(file.content, 200, { 'content-type': file.type, 'cache-control': 'public, max-age=31536000, immutable' });
  });
  for (const path of ['/dashboard', '/dashboard/', '/dashboard/:organization', '/dashboard/:organization/:domain'])
    api.get(path, (context) => context.body(page, 200, headers));
}

/** The root route: redirects browsers to the dashboard, and returns the other URLs to programs. */
export function addRootRoute(api: Api, { publicUrl }: Pick<Services, 'publicUrl'>): void {
  const base = new URL(publicUrl).pathname.replace(/\/$/, '');
  const places = {
    dashboard: `${publicUrl}/dashboard`,
    reference: `${publicUrl}/reference/`,
    openapi: `${publicUrl}/openapi.json`,
  };
  api.get('/', (context) => {
    context.header('vary', 'accept');
    // A path without a host: the browser stays on the host that it has reached.
    if (context.req.header('accept')?.includes('text/html')) return context.redirect(`${base}/dashboard`, 303);
    return context.json({ name: 'Carrel', ...places });
  });
}

/** The fonts of Carrel's theme, by the names that style.css has. */
const fonts = {
  'inter.woff2': '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
  'inter-ext.woff2': '@fontsource-variable/inter/files/inter-latin-ext-wght-normal.woff2',
  'geist-mono.woff2': '@fontsource/geist-mono/files/geist-mono-latin-400-normal.woff2',
};

const logo =
  '<svg class="logo" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true"><rect x="7" y="6.5" width="4" height="11" rx="1" fill="#ea580c"/><rect x="12" y="8.5" width="4" height="9" rx="1" fill="#f59e0b"/><rect x="17" y="5.5" width="4" height="12" rx="1" fill="#f97316"/><path d="M4 28V6M28 28V6M4 19h24" fill="none" stroke="#c2410c" stroke-width="3" stroke-linecap="round"/></svg>';

/** For members without a passkey, where the server sends mail. */
const mailForm = `<form id="mail-link" class="sign-in">
<div class="field">
<label for="email">Email address</label>
<input id="email" type="email" required autocomplete="email" spellcheck="false" placeholder="ada@example.com">
<p class="hint">For members: a link that works once, within 10 minutes.</p>
</div>
<div id="mail-link-fault"></div>
<div class="actions"><button class="wide">Mail me a sign-in link</button></div>
</form>`;

/** The only page of the dashboard, the same for every user. `base` is the path prefix of a proxy: '' or '/carrel'. */
function dashboardPage(base: string, { path, main }: Assets, ways: { mail: boolean; oidc: boolean }): string {
  const assets = escapeHtml(base + path);
  return `<!doctype html>
<html lang="en" data-base="${escapeHtml(base)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Sign in · Carrel</title>
<link rel="icon" type="image/svg+xml" href="${assets}/favicon.svg">
<link rel="preload" as="font" type="font/woff2" href="${assets}/inter.woff2" crossorigin>
<link rel="stylesheet" href="${assets}/style.css">
<script type="module" src="${assets}/${main}"></script>
</head>
<body>
<header class="header">
<a class="brand" href="${escapeHtml(base)}/dashboard" data-inside>${logo}<span>Carrel</span></a>
<a id="organization" href="${escapeHtml(base)}/dashboard" data-inside hidden>Organization</a>
<nav class="links" aria-label="Carrel"><a href="${escapeHtml(base)}/reference/">API reference</a></nav>
<span id="person" class="muted"></span>
<button id="sign-out" type="button" hidden>Sign out</button>
</header>
<main>
<form id="sign-in" class="sign-in">
<h1>Sign in</h1>
${ways.oidc ? `<a id="oidc" class="button wide" href="${escapeHtml(base)}/v1/oidc">Sign in with your company's account</a>` : ''}
<div class="group">
<button id="passkey" type="button" class="primary">Sign in with a passkey</button>
<p class="hint">For members. Your invitation is a link; if you have lost your passkey, an owner can send you another link.</p>
<hr>
</div>
<p>With an admin key: the first start of the server wrote one to <code>keys.json</code> in its data folder, as <code>adminKey</code>. Or without typing: <code>carrel dashboard</code> opens this page with a link that signs you in.</p>
<p class="hint">The browser does not store the key. You stay signed in until you sign out or close the browser, for at most 7 days.</p>
<div class="field">
<label for="key">Admin key</label>
<input id="key" type="password" required autofocus autocomplete="off" spellcheck="false" placeholder="svc_…">
</div>
<div id="sign-in-fault"></div>
<div class="actions"><button class="wide">Sign in with the key</button></div>
<noscript><p>The dashboard requires JavaScript. The API and the command line offer everything that it does.</p></noscript>
</form>
${ways.mail ? mailForm : ''}
</main>
<p id="announcement" class="visually-hidden" role="status"></p>
<div id="toasts" class="toasts" popover="manual"></div>
</body>
</html>
`;
}

interface Assets {
  /** Folder of the files: '/dashboard/_assets/0123456789ab'. It changes when any file changes. */
  path: string;
  /** Name of the entry script. */
  main: string;
  files: Map<string, { type: string; content: string | Uint8Array<ArrayBuffer> }>;
}

/** Reads the files. In the working tree, the scripts are TypeScript, whose types it strips; in the published package, they are compiled. */
function readAssets(): Assets {
  const folder = new URL('./client/', import.meta.url);
  const extension = import.meta.url.endsWith('.ts') ? '.ts' : '.js';
  const files: Assets['files'] = new Map();
  files.set('style.css', {
    type: 'text/css; charset=utf-8',
    content: readFileSync(new URL('./style.css', import.meta.url), 'utf8'),
  });
  files.set('favicon.svg', { type: 'image/svg+xml', content: logo.replace('<svg ', '<svg xmlns="http://www.w3.org/2000/svg" ') });
  const { resolve } = module.createRequire(import.meta.url);
  for (const [name, file] of Object.entries(fonts))
    files.set(name, { type: 'font/woff2', content: new Uint8Array(readFileSync(resolve(file))) });
  for (const name of readdirSync(folder).sort()) {
    if (!name.endsWith(extension) || name.endsWith('.d.ts')) continue;
    const text = readFileSync(new URL(name, folder), 'utf8');
    files.set(name, {
      type: 'text/javascript; charset=utf-8',
      content: extension === '.ts' ? module.stripTypeScriptTypes(text) : text,
    });
  }
  const hash = createHash('sha256');
  for (const [name, { content }] of files) hash.update(`${name}\0`).update(content).update('\0');
  return { path: `/dashboard/_assets/${hash.digest('hex').slice(0, 12)}`, main: `main${extension}`, files };
}
