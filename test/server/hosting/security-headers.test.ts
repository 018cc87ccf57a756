import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { embeddedSources, inlineSources } from '../../../server/hosting/security-headers.ts';
import { expectLinear } from '../../support/linear.ts';

test.each<[name: string, html: string, sources: object]>([
  [
    'a frame with other attributes',
    '<iframe title="a > b" src="https://a.example/1"></iframe>',
    { 'frame-src': ['https://a.example'] },
  ],
  ['a film without quotes', '<VIDEO><source src=https://b.example/2.mp4></VIDEO>', { 'media-src': ['https://b.example'] }],
  ['a frame in a text', '<p title="<iframe src=https://c.example">&lt;iframe src="https://c.example"></p>', {}],
  ['a frame in a comment', '<!-- <iframe src="https://c.example"></iframe> --><video controls></video>', {}],
  ['a host that would end the directive', '<iframe src="https://d.example;sandbox"></iframe>', {}],
  ['a URL that is not https', '<iframe src="http://e.example"></iframe><iframe src="https://["></iframe>', {}],
])('the policy of %s allows what the page embeds', (_, html, sources) => {
  const none = { 'frame-src': [], 'media-src': [] };
  expect({ ...none, ...embeddedSources(html, 'client-hosted') }).toEqual({ ...none, ...sources });
});

test('the policy of the 404 page has the hash of each inline script and style', () => {
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  const html = '<style>p { }</style><script src="a.js"></script><script>if (1 < 2) go("</p>")</script><style></style>';
  expect(inlineSources(html)).toEqual({
    'script-src': [hash('if (1 < 2) go("</p>")')],
    'style-src-elem': [hash('p { }'), hash('')],
  });
});

test.each(['iframe', 'video', 'script', 'style'])('a long text of "<%s " costs as much as any other', (name) => {
  expectLinear(8000, (size) => {
    const html = `<p title="${`<${name} `.repeat(size)}"></p>`;
    embeddedSources(html, 'client-hosted');
    inlineSources(html);
  });
});
