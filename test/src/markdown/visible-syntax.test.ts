import { expect, test } from 'vitest';
import { createRenderer } from '../../../src/markdown/render.ts';
import { options, page } from './fixtures.ts';

async function problemsOf(body: string) {
  const { problems } = await createRenderer(options).render(page(body, { kind: 'md', file: 'page.md' }));
  return problems.flatMap(({ kind, severity, line, message }) =>
    kind === 'unknown-syntax' ? [`${severity} ${line} ${/^"(.*)" is shown as text/.exec(message)?.[1]}`] : [],
  );
}

test.each([
  ['Text.\n\nText {{< figure src=x >}} here.', 'warning 3 {{< figure src=x >}}'],
  ['Text {{% ref x %}}.', 'warning 1 {{% ref x %}}'],
  ['Text {% raw %} here.', 'warning 1 {% raw %}'],
  ['## State %{#state}% here', 'warning 1 %{#state}%'],
  ['Text --8<-- "a.md" here.', 'warning 1 --8<--'],
  ['Text {! a.md !} here.', 'warning 1 {! a.md !}'],
  ['Text {* a.py hl[1] *} here.', 'warning 1 {* a.py hl[1] *}'],
  ['Text ::: warning', 'warning 1 ::: warning'],
  ['<p :x="1">a</p>\n\nText <i style={{color: red}}>here</i>.', 'warning 3 <i style={'],
])('a page that shows its syntax is named with the construct: %j', async (body, problem) => {
  expect(await problemsOf(`${body}\n`)).toEqual([problem]);
});

test.each([
  '`{{< figure >}}` and\n\n```\n:::note\n{% raw %}\n--8<-- "a"\n```',
  'The operator `a ::: b`, a time 12:::30, {a: 1} and 3 <T and \\<Tag />',
  ':::note\nText.\n:::',
  'A set {!} and a {* b',
  '## Types\\<Tag />\n\nThe `Types<Tag />` of ``a `<Tag />` ``.\n\n```\n\n<Tag />\n```',
  'A &lt;Tag /> and <span title="<Tag />">text</span>',
])('code, escapes and what only looks like syntax are not reported: %j', async (body) => {
  expect(await problemsOf(`${body}\n`)).toEqual([]);
});

test('a construct is reported once for a page', async () => {
  expect(await problemsOf('A {% if x %} b.\n\nA {% if y %} b {% endif %}.\n')).toEqual([
    'warning 1 {% if x %}',
    'warning 3 {% endif %}',
  ]);
});
