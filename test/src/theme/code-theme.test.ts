import { bundledThemes } from 'shiki/themes';
import { expect, test } from 'vitest';
import { codeThemeSheet } from '../../../src/theme/code-theme.ts';

test('the stylesheet has the colors of both themes', async () => {
  const sheet = await codeThemeSheet({ light: 'github-light', dark: 'dracula' });
  expect(sheet).toContain('--code-ground:light-dark(#fff,#282A36)');
  expect(sheet).toContain('.sk-keyword{color:light-dark(#d73a49,#FF79C6)}');
  expect(sheet).toContain('.sk-string{color:light-dark(#032f62,#');
});

test('a color that cannot be read on the background of its theme becomes readable', async () => {
  // Comments of the theme Nord are #616E88 on #2E3440: a contrast of 2.3.
  const sheet = await codeThemeSheet({ light: 'nord', dark: 'nord' });
  expect(sheet).toMatch(/\.sk-comment\{color:light-dark\((#[0-9a-f]{6}),\1\)\}/);
  expect(sheet).not.toContain('#616E88');
});

test('every theme that docs.json can name has a stylesheet', async () => {
  const names = Object.keys(bundledThemes);
  expect(names).toContain('vesper');
  for (const name of names) expect(await codeThemeSheet({ light: name, dark: name }), name).toContain('.sk-keyword{color:');
});
