import { escapeHtml } from '../../integration/text/escape-html.ts';
import type { Assets } from './assets.ts';

/** The only page of the dashboard, the same for every user. `base` is the path prefix of a proxy: '' or '/carrel'. */
export function dashboardPage(base: string, { path, main }: Assets): string {
  const assets = escapeHtml(base + path);
  return `<!doctype html>
<html lang="en" data-base="${escapeHtml(base)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Sign in · Carrel</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${assets}/style.css">
<script type="module" src="${assets}/${main}"></script>
</head>
<body>
<header class="header">
<span class="brand">Carrel</span>
<a id="organization" href="${escapeHtml(base)}/dashboard" data-inside hidden>Organization</a>
<button id="sign-out" type="button" hidden>Sign out</button>
</header>
<main>
<form id="sign-in" class="sign-in">
<h1>Sign in</h1>
<p>The browser does not store the key. You stay signed in until you sign out or close the browser, for at most 7 days.</p>
<div class="field">
<label for="key">Admin key</label>
<input id="key" type="password" required autofocus autocomplete="off" spellcheck="false" placeholder="svc_…">
</div>
<div id="sign-in-fault"></div>
<div class="actions"><button class="primary">Sign in</button></div>
<noscript><p>The dashboard requires JavaScript. The API and the command line offer everything that it does.</p></noscript>
</form>
</main>
<p id="announcement" class="visually-hidden" role="status"></p>
</body>
</html>
`;
}
