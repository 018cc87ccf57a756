// The page that an authorization server sends readers back to, and its script. It hands the query to the playground, on the same origin
// only, and links and redirects to nothing.
import type { ExportAsset } from '../../integration/export/export-site.ts';

const page = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<meta name="referrer" content="no-referrer"><title>Sign-in</title></head>
<body style="color-scheme:light dark;font:1rem/1.6 system-ui,sans-serif"><p>You can close this window.</p><script src="oauth.js"></script></body></html>
`;

const script = `(() => {
  const { code, state, error, error_description } = Object.fromEntries(new URLSearchParams(location.search));
  // The code is in no history.
  history.replaceState(null, '', location.pathname);
  if (state) new BroadcastChannel('carrel-oauth').postMessage({ code, state, error, error_description });
  close();
})();
`;

export const oauthPage: ExportAsset[] = [
  { path: '_carrel/oauth.html', contents: page },
  { path: '_carrel/oauth.js', contents: script },
];
