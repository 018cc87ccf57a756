import { expect, test } from 'vitest';
import { iconSvg } from '../../../src/markdown/icons.ts';

test.each([
  ['rocket', 'fontawesome'],
  ['fa-solid fa-rocket', 'fontawesome'],
  ['github', 'fontawesome'],
  ['home', 'fontawesome'],
  ['book-open', 'lucide'],
  ['brand-github', 'tabler'],
  ['a-arrow-down', 'fontawesome'],
  ['material-close', 'fontawesome'],
  ['octicons-bookmark-outline-24', 'lucide'],
  ['fontawesome-brands-github', 'fontawesome'],
  ['material/magnify', 'tabler'],
] as const)('%s is found for %s', (name, library) => {
  expect(iconSvg(name, library)).toMatch(/^<svg class="c-icon" width="16".* aria-hidden="true">.*<\/svg>$/s);
});

test.each(['no-such-icon', 'rocket-outline-x', 'material-nosuchicon', '', '__proto__', 'constructor'])(
  '%j is not an icon',
  (name) => {
    expect(iconSvg(name, 'fontawesome')).toBeUndefined();
  },
);
