import { expect, test } from 'vitest';
import { safeUrl } from '../../../../integration/reader/ask/safe-url.ts';

test.each([
  ['https://docs.example/a?b#c', { kind: 'other', href: 'https://docs.example/a?b#c' }],
  ['HTTP://docs.example', { kind: 'other', href: 'http://docs.example/' }],
  ['mailto:a@docs.example', { kind: 'other', href: 'mailto:a@docs.example' }],
  ['/guides/install#npm', { kind: 'own', path: '/guides/install#npm' }],
  ['guides/../install', { kind: 'own', path: '/install' }],
  ['#npm', { kind: 'own', path: '/#npm' }],
  ['/../../etc/passwd', { kind: 'own', path: '/etc/passwd' }],
])('%s is a safe URL', (address, expected) => {
  expect(safeUrl(address)).toEqual(expected);
});

test.each([
  ['javascript:alert(1)'],
  ['JaVaScRiPt:alert(1)'],
  ['java\nscript:alert(1)'],
  ['\u0001javascript:alert(1)'],
  [' javascript:alert(1)'],
  ['javascript\t:alert(1)'],
  ['data:text/html,<script>alert(1)</script>'],
  ['vbscript:msgbox(1)'],
  ['file:///etc/passwd'],
  ['blob:https://docs.example/1'],
  ['about:blank'],
  ['ftp://docs.example/a'],
  ['//evil.example/a'],
  ['/\\evil.example/a'],
  ['\\\\evil.example\\a'],
  ['/\t/evil.example'],
  ['https://user:secret@docs.example/'],
  ['https://carrel.invalid/a'],
  ['http://[::bad'],
  [''],
  ['   '],
])('%j is not a safe URL', (address) => {
  expect(safeUrl(address)).toBeNull();
});
