// What the manual tells users to write, written and run.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { page } from './page.ts';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, test } from 'vitest';
import { openEndpoint } from './endpoint.ts';
import { importSnippet, snippet } from './snippet.ts';

const endpoint = await openEndpoint();
const run = promisify(execFile);

test.each([
  ['ai-5', 'ai-sdk-react-5', 'Ask.tsx'],
  ['ai-6', 'ai-sdk-react-6', 'Ask.tsx'],
  ['ai', 'ai-sdk-react-7', 'Ask.tsx'],
  ['ai-4', 'ai-sdk-react-4', 'Ask4.tsx'],
])('the component of the manual answers with %s and keeps its thread', async (ai, react, title) => {
  const { Ask } = await importSnippet<{ Ask: () => null }>(snippet(title, endpoint), { ai, '@ai-sdk/react': react });
  const body = page.body.appendChild(page.createElement('div'));
  const root = createRoot(body);
  root.render(createElement(Ask));
  await changed(body, () => body.querySelector('input') !== null);
  const threads = [];
  for (const turn of [1, 2]) {
    const input = body.querySelector('input')!;
    // React hears of a value only when it is set behind its back.
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(input), 'value')!.set!.call(input, 'How do I install it?');
    input.dispatchEvent(new (page.defaultView as unknown as typeof globalThis).Event('input', { bubbles: true }));
    await changed(body, () => input.getAttribute('value') !== '');
    body.querySelector('form')!.requestSubmit();
    await changed(body, () => body.querySelectorAll('[data-role=assistant] p').length >= turn && submitIn(body) === 'Ask');
    expect(body.querySelector('[role=alert]')).toBeNull();
    expect(body.querySelectorAll('[data-role=assistant]')).toHaveLength(turn);
    expect(body.querySelector('[data-role=assistant] a')!.getAttribute('href')).toContain('guides/install');
    threads.push(await endpoint.lastThread());
  }
  expect(threads[1]).toBe(threads[0]);
  root.unmount();
});

test('the script of the manual prints an answer, its sources and its thread', async () => {
  const code = snippet('ask.mjs', endpoint);
  const { stdout, stderr } = await run(process.execPath, ['--input-type=module', '--eval', code]);
  expect(stdout).toContain('npm');
  expect(stderr).toContain('guides/install');
  expect(stderr.trim().split('\n').at(-1)).toBe(await endpoint.lastThread());
});

function submitIn(body: Element): string | null {
  return body.querySelector('button')!.textContent;
}

/** Waits for a change of the page that makes this true. */
async function changed(body: Element, isSo: () => boolean): Promise<void> {
  const { MutationObserver } = page.defaultView as unknown as typeof globalThis;
  await new Promise<void>((resolve, reject) => {
    const tooLong = setTimeout(() => reject(new Error(`The page still shows ${body.innerHTML}`)), 60_000);
    const look = () => {
      if (!isSo()) return;
      clearTimeout(tooLong);
      observer.disconnect();
      resolve();
    };
    const observer = new MutationObserver(look);
    observer.observe(body, { subtree: true, childList: true, attributes: true, characterData: true });
    look();
  });
}
