// The download of a completed export: a link that expires.
import { announce, element, externalLink } from './element.ts';
import { size, span } from './format.ts';
import { attempt } from './parts.ts';
import { mayWrite, type Bundle, type Session } from './session.ts';

export function bundleLink(session: Session, path: string, signal: AbortSignal): HTMLElement {
  const place = element('div');
  const link = element('div', { class: 'download' });
  const ask = element('button', { type: 'button', class: 'primary' }, 'Get a download link');
  let timer: ReturnType<typeof setInterval> | undefined;
  signal.addEventListener('abort', () => clearInterval(timer));
  ask.addEventListener(
    'click',
    () => void attempt(ask, place, async () => show(await session.client.call<Bundle>('POST', `${path}/bundle`))),
  );
  if (!mayWrite(session))
    return element('p', { class: 'muted' }, 'To get a download link, sign in with a key that has the scope write.');
  return element('div', {}, link, place, ask);

  function show({ bundleUrl, expiresAt, sizeBytes, sha256, version }: Bundle): void {
    clearInterval(timer);
    const left = element('span', { class: 'muted' });
    const count = () => {
      const seconds = (new Date(expiresAt).getTime() - Date.now()) / 1000;
      if (seconds > 0) return void (left.textContent = `The link expires in ${span(seconds)}.`);
      clearInterval(timer);
      link.replaceChildren(element('p', {}, 'The link has expired. Get a new one; the export itself is still available.'));
      announce('The download link has expired.');
    };
    link.replaceChildren(
      element('p', {}, externalLink(bundleUrl, `Download version ${version} (${size(sizeBytes)})`, { class: 'strong' })),
      element('p', {}, left),
      element('p', { class: 'digest' }, 'SHA-256 ', element('code', {}, sha256)),
    );
    ask.textContent = 'Get a new link';
    ask.classList.remove('primary');
    announce('The download link is ready.');
    timer = setInterval(count, 1000);
    count();
  }
}
