import { expect, test } from 'vitest';
import type { SiteConfig } from '../../../src/site/model.ts';
import { rootStyle } from '../../../src/theme/appearance.ts';

const config = { colors: { primary: '#16a34a', light: '#4ade80', dark: '#166534' } } as SiteConfig;

test('derives readable colors from the site’s colors', () => {
  expect(rootStyle(config)).toMatch(/^--accent-light:#[0-9a-f]{6};--accent-dark:#4ade80;--fill:#166534;--on-fill:#ffffff$/);
});

test('names the site’s fonts before ours, without what would end the declaration', () => {
  expect(rootStyle({ ...config, fonts: { body: { family: "Lato'; } body{" } } })).toContain(
    "--font-body:'Lato  body',var(--font-sans)",
  );
});

test('accepts only valid background colors', () => {
  expect(rootStyle({ ...config, background: { color: { light: '#fafafa', dark: 'url(x)' } } })).toContain(
    '--background-light:#fafafa',
  );
  expect(rootStyle({ ...config, background: { color: { dark: 'url(x)' } } })).not.toContain('url');
});
