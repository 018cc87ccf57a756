import { escapeHtml } from '../../integration/text/escape-html.ts';
import type { Assets } from './assets.ts';

/** The one page of the dashboard, which is the same for everybody. `base` is the path that a proxy puts before ours: '' or '/carrel'. */
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
<p>The key is not stored. You stay signed in until you sign out or close the browser, for 7 days at most.</p>
<div class="field">
<label for="key">Admin key</label>
<input id="key" type="password" required autofocus autocomplete="off" spellcheck="false" placeholder="svc_…">
</div>
<div id="sign-in-fault"></div>
<div class="actions"><button class="primary">Sign in</button></div>
<noscript><p>The dashboard needs JavaScript. Everything in it is also in the API and the command line.</p></noscript>
</form>
</main>
<p id="announcement" class="visually-hidden" role="status"></p>
</body>
</html>
`;
}
