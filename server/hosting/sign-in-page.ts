// Where people sign in to read a private site: a page without scripts, which shows no more of the site than its name and colors.
import type { Manifest } from '../../integration/manifest.ts';
import { fillOf, readable, textOn } from '../../integration/text/contrast.ts';
import { escapeHtml } from '../../integration/text/escape.ts';
import { english, labelsOf, type Labels } from '../../integration/texts/index.ts';
import { inlineSources } from './security-headers.ts';

/** Headers of what only readers of a private site see. */
export const privateHeaders: Record<string, string> = {
  'cache-control': 'private, no-cache',
  vary: 'authorization, cookie',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'same-origin',
  'x-robots-tag': 'noindex',
};

/** What readers show to be let in. */
export type SignInBy = 'password' | 'membership';

export interface SiteLook extends Pick<Manifest, 'accent'> {
  name: string;
}

/** What the pages to sign in on have in common, on a site. */
export interface SignInPlace {
  base: string;
  by: SignInBy;
  look: SiteLook;
  /** Where members sign in. */
  publicUrl: string;
}

interface SignInPage extends SignInPlace {
  status: number;
  /** Path and query that the reader wanted, below the base. */
  to: string;
  fault?: 'wrongPassword' | 'tooManyTries' | 'signInFailed';
  retryAfter?: string;
}

const longestTo = 4096;

/** In the first language of the reader's browser that there is, or else in English. */
export async function signInPage(
  request: Request,
  { status, base, to: asked, by, look, publicUrl, fault, retryAfter }: SignInPage,
): Promise<Response> {
  const { language, texts } = await textsFor(request.headers.get('accept-language') ?? '');
  const { pathname } = new URL(request.url);
  // A form takes no more.
  const to = asked.length > longestTo ? '' : asked;
  // Relative, for a proxy that removes a prefix.
  const action = '../'.repeat(pathname.slice(base.length).split('/').length - 1) || './';
  const html = `<!doctype html>
<html lang="${escapeHtml(language)}" dir="${/^(?:ar|he)\b/i.test(language) ? 'rtl' : 'ltr'}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(`${texts.signIn} - ${look.name}`)}</title>
<style>${styleOf(look)}</style>
<main>
<p><bdi>${escapeHtml(look.name)}</bdi></p>
<h1>${escapeHtml(by === 'password' ? texts.passwordNeeded : texts.membersOnly)}</h1>
<form method="post" action="${action}">
${by === 'password' ? passwordField(texts.password, fault !== undefined) : ''}
${fault ? `<p id="fault" role="alert">${escapeHtml(texts[fault])}</p>` : ''}
<input type="hidden" name="to" value="${escapeHtml(to)}">
<button>${escapeHtml(texts.signIn)}</button>
</form>
</main>
</html>
`;
  const style = inlineSources(html)['style-src-elem']!.join(' ');
  const headers = {
    ...privateHeaders,
    'cache-control': 'no-store',
    'content-security-policy': `default-src 'none'; style-src ${style}; form-action 'self'${by === 'membership' ? ` ${new URL(publicUrl).origin}` : ''}; frame-ancestors 'none'; base-uri 'none'`,
    'content-type': 'text/html; charset=utf-8',
    'x-content-type-options': 'nosniff',
    vary: 'accept, accept-language, authorization, cookie',
    // Browsers ask for no password here.
    ...(status === 401 && { 'www-authenticate': 'Bearer realm="carrel"' }),
    ...(retryAfter !== undefined && { 'retry-after': retryAfter }),
  };
  return new Response(request.method === 'HEAD' ? null : html, { status, headers });
}

// A browser sends a few.
const mostLanguages = 10;

/** Browsers sort the languages in the header. */
async function textsFor(header: string): Promise<{ language: string; texts: Labels['server'] }> {
  for (const part of header.split(',', mostLanguages)) {
    const [, language = ''] = /^\s*([\w-]+)/.exec(part) ?? [];
    const labels = await labelsOf(language);
    if (labels !== english) return { language, texts: labels.server };
    if (/^en\b/i.test(language)) break;
  }
  return { language: 'en', texts: english.server };
}

function passwordField(label: string, isInvalid: boolean): string {
  return `<label for="password">${escapeHtml(label)}</label>
<input id="password" name="password" type="password" autocomplete="current-password" required autofocus${isInvalid ? ' aria-invalid="true" aria-describedby="fault"' : ''}>`;
}

/** Where the manifest has no colors, as in exports of older versions and of existing sites. */
const noAccent = { light: '#18181b', dark: '#ededef' };

function styleOf({ accent }: SiteLook): string {
  const { light, dark } = accent ?? noAccent;
  const both = (of: (color: string, ground: string) => string) => `light-dark(${of(light, '#ffffff')}, ${of(dark, '#18181b')})`;
  return `${signInStyle}button { background: ${both(fillOf)}; color: ${both((color) => textOn(fillOf(color)))} }
${accent ? `:focus-visible { outline-color: ${both((color, ground) => readable(color, ground, 3))} }\n` : ''}`;
}

const signInStyle = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; background: light-dark(#fafafa, #111113); color: light-dark(#18181b, #ededef) }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1rem; box-sizing: border-box }
main { width: min(22rem, 100%); box-sizing: border-box; padding: 2rem; border: 1px solid light-dark(#e4e4e7, #2e2e33); border-radius: .75rem; background: light-dark(#fff, #18181b) }
main > p { font-size: 1.25rem; font-weight: 650; line-height: 1.3; margin: 0 0 .25rem; overflow-wrap: anywhere }
h1 { font-size: 1rem; font-weight: 400; margin: 0 0 1.5rem; text-wrap: balance; color: light-dark(#52525b, #a1a1aa) }
form { display: grid; gap: .5rem }
label { font-size: .875rem; font-weight: 500 }
input, button { font: inherit; box-sizing: border-box; width: 100%; padding: .5rem .75rem; border-radius: .5rem; border: 1px solid light-dark(#8b8b95, #6f6f7a); background: light-dark(#fff, #111113); color: inherit }
button { margin-top: .5rem; border-color: transparent; font-weight: 500; cursor: pointer }
:focus-visible { outline: 2px solid light-dark(#2563eb, #7aa2ff); outline-offset: 2px }
[role=alert] { margin: 0; font-size: .875rem; color: light-dark(#b42318, #ff9b8f) }
`;
