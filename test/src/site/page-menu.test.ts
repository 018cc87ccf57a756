import { expect, test } from 'vitest';
import { menuEntry, pageMenu } from '../../../src/site/page-menu.ts';

test('the entries of contextual keep their order, and those of other hosts are left out of an air-gapped site', () => {
  const contextual = { options: ['copy', 'chatgpt', 'devin', 'view', { title: 'Ask us', href: '/help' }] };
  expect(pageMenu(contextual, false)).toMatchObject({
    place: 'header',
    entries: [{ kind: 'copy' }, { kind: 'chat', name: 'ChatGPT' }, { kind: 'view' }, { kind: 'link', href: '/help' }],
  });
  expect(pageMenu(contextual, true)?.entries.map(({ kind }) => kind)).toEqual(['copy', 'view', 'link']);
});

test.each([[undefined], [false], ['copy'], [{}], [{ options: [] }], [{ options: 'copy' }], [{ options: ['devin', null, 3] }]])(
  '%j is no menu',
  (contextual) => {
    expect(pageMenu(contextual, false)).toBeUndefined();
  },
);

test('options for AI tools need a command, and one entry copies the server', () => {
  const menu = pageMenu({ options: ['mcp', 'cursor', 'add-mcp', 'vscode'] }, true);
  expect(menu).toMatchObject({ copiesMarkdown: false, mcpCommand: expect.stringMatching(/^npx (?:--no )?carrel mcp$/) });
  expect(menu?.entries).toEqual([{ kind: 'mcp' }, { kind: 'mcp', editor: 'Cursor' }, { kind: 'mcp', editor: 'VS Code' }]);
});

test.each([
  [{ title: 'A', href: 'help' }, '/help'],
  [{ title: 'A', href: 'https://x.example/?q=$path' }, 'https://x.example/?q=$path'],
  [
    { title: 'A', href: { base: 'https://x.example/?a=1', query: [{ key: 'q', value: 'see $page & $path' }] } },
    'https://x.example/?a=1&q=see%20$page%20%26%20$path',
  ],
  [{ title: 'A', href: { base: 'https://x.example/', query: [{ key: 3 }] } }, 'https://x.example/'],
])('%j links to %s', (option, href) => {
  expect(menuEntry(option)).toMatchObject({ kind: 'link', title: 'A', href });
});

test.each([['constructor'], ['toString'], [{ title: 'A' }], [{ href: '/x' }], [[]], [null]])('%j is no entry', (option) => {
  expect(menuEntry(option)).toBeUndefined();
});
