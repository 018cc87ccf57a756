import { expect, test } from 'vitest';
import { rewriteProps } from '../../../integration/scripts/island-props.ts';

const known = new Map([
  ['/_astro/logo.png', '../_astro/logo.png'],
  ['/guides/use/', '../guides/use/index.html'],
]);
const rewritten = (props: string) => rewriteProps(props, (url) => known.get(url));

test('URLs of files and pages become relative to the page at any depth', () => {
  const props =
    '{"image":[0,{"src":[0,"/_astro/logo.png"],"width":[0,9]}],"links":[1,[[0,"/guides/use/"]]],"/guides/use/":[0,null]}';
  expect(rewritten(props)).toBe(
    '{"image":[0,{"src":[0,"../_astro/logo.png"],"width":[0,9]}],"links":[1,[[0,"../guides/use/index.html"]]],"/guides/use/":[0,null]}',
  );
});

test.each([
  '{"a":[0,"/"],"b":[0,"//host/x"],"c":[0,"/unknown/"],"d":[0,"a /guides/use/ b"]}',
  '{"a": [0, "/no/file" ] }',
  '{"cut":[0,"/guides/use/"',
  '',
])('all else stays verbatim: %s', (props) => expect(rewritten(props)).toBe(props));
