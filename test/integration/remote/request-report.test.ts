import { expect, test } from 'vitest';
import type { PageLoad } from '../../../integration/html/load.ts';
import { createRequestReport } from '../../../integration/remote/request-report.ts';

const url = 'https://a.example/x.png';
const image: PageLoad = {
  ...{ element: 'img', kind: 'image', url, written: url, static: true, rewritable: true, inContent: true, blocked: 'card' },
};

test.each([
  [false, 'Put a copy into the docs folder, or export with --vendor.'],
  [true, 'Put a copy into the docs folder.'],
])('the hint advises --vendor only without it: %s', (vendors, hint) => {
  const report = createRequestReport({
    deployment: 'air-gapped',
    onBlocked: 'placeholder',
    allow: [],
    vendored: new Map(),
    vendors,
  });
  report.addPage('a.mdx', [image]);
  expect(report.finish().problems).toMatchObject([{ kind: 'remote-media-replaced', hint }]);
});
