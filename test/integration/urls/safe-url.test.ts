import { expect, test } from 'vitest';
import { safeUrl } from '../../../integration/urls/safe-url.ts';

test.each([
  ['https://example.com', 'https://example.com'],
  ['/a b?x=javascript:y', '/a b?x=javascript:y'],
  ['mailto:desk@example.com', 'mailto:desk@example.com'],
  ['vscode:extension/x', 'vscode:extension/x'],
  ['JAVASCRIPT:alert(1)', undefined],
  ['\u0000java\nscript:alert(1)', undefined],
  ['blob:https://example.com/x', undefined],
  ['file:///etc/passwd', undefined],
  ['view-source:https://example.com', undefined],
  ['data:image/png;base64,AA', undefined],
  ['/\\files.example/a', undefined],
  ['\\\\files.example\\a', undefined],
  ['\\files\\a', undefined],
  ['a\\b', 'a\\b'],
])('the URL %j becomes %j', (url, safe) => {
  expect(safeUrl(url)).toBe(safe);
});
