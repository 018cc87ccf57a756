import { expect, test } from 'vitest';
import { createRenderer } from '../../../src/markdown/render.ts';
import { options, page } from './fixtures.ts';

const data = `export const items = [{ title: 'One', href: '/a', n: 1, tags: ['x', 'y'] }, { title: 'Two', href: '/b', n: 2, tags: [] }];
export const isOn = true;
export const isOff = false;
`;

async function render(body: string) {
  const renderer = createRenderer(options);
  return renderer.render(page(`${data}\n${body}`, { file: 'page.mdx' }));
}

const textOf = (html: string) =>
  html
    .replace(/<svg.*?<\/svg>/gs, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

test.each([
  [
    'items become elements',
    '{items.map((item) => <Card title={item.title} href={item.href}>Number {item.n}</Card>)}',
    'One Number 1 Two Number 2',
  ],
  [
    'a function returns, takes parts and an index',
    '{items.map(({ title: name }, index) => { return <p>{index}: {name}</p>; })}',
    '0: One 1: Two',
  ],
  ['over several lines', '{items.map((item) => (\n  <Note>\n    **{item.title}**\n  </Note>\n))}', 'One Two'],
  ['filtered', '{items.filter((item) => item.n > 1).map((item) => <b>{item.title}</b>)}', 'Two'],
  ['joined', "Titles: {items.map((item) => item.title.toUpperCase()).join(', ')}.", 'Titles: ONE, TWO.'],
  ['lists in lists', '{items.map((item) => item.tags.map((tag) => <b>{item.title}-{tag}</b>))}', 'One-x One-y'],
  ['on a condition', '{isOn && <Badge>On</Badge>}{isOff && <Badge>Off</Badge>}', 'On'],
  ['one of two', '{isOff ? <Tip>Yes</Tip> : <Warning>No</Warning>}', 'No'],
  ['by their place', 'First: {items[0].title}, {`and ${items[1].title}`}, of {items.length}.', 'First: One, and Two, of 2.'],
  ['in a property', '<Card title={items.map((item) => item.title).join(" and ")}>Both</Card>', 'One and Two Both'],
])('data of a page is shown: %s', async (_, body, expected) => {
  const { html, markdown, problems } = await render(body);
  expect(textOf(html)).toBe(expected);
  expect(problems).toEqual([]);
  // All words are in the Markdown version, too.
  for (const word of expected.match(/[A-Za-z]{2,}/g)!) expect(markdown).toContain(word);
});

test('elements made of data have their links and are in the Markdown version', async () => {
  const { html, markdown } = await render(
    '{items.map((item) => <Card title={item.title} href={item.href}>Number {item.n}</Card>)}',
  );
  expect([...html.matchAll(/href="([^"]+)"/g)].map(([, href]) => href)).toEqual(['/a', '/b']);
  expect(markdown).toContain('[One](/a)');
});

const many = Array.from({ length: 1001 }, (_, index) => index % 10).join(',');
test.each([
  ['a call', '{items.map(alert)}'],
  ['a constructor', "{items.map((item) => item.constructor.constructor('globalThis.hostile=1')())}"],
  ['a constructor by a computed name', "{items.map((item) => item['con' + 'structor'])}"],
  ['a prototype in a parameter', '{items.map(({ __proto__: p }) => p)}'],
  ['a function with code', '{items.map((item) => { globalThis.hostile = 1; return item.title; })}'],
  ['an assignment', '{items.map((item) => (globalThis.hostile = 1))}'],
  ['an asynchronous function', '{items.map(async (item) => item.title)}'],
  ['a method that changes a list', '{items.push(1)}'],
  ['an unknown name', '{fetch("https://evil.example").map((x) => x)}'],
  ['a list without end', `{[${many}].map((n) => <b>{n}</b>)}`],
  ['a literal list without end', `{[${many}]}`],
  ['lists that multiply', `{[${many.slice(0, 1999)}].map((a) => [${many.slice(0, 1999)}].map((b) => a + b).join('')).join('')}`],
  ['text that multiplies', `{[${many.slice(0, 1999)}].map((a) => '${'x'.repeat(500)}').join('')}`],
])('%s is not evaluated, and shown and reported', async (_, body) => {
  const { html, problems } = await render(`Before.\n\n${body}\n\nAfter.`);
  expect(problems).toMatchObject([{ kind: 'expression-not-evaluated', severity: 'warning', line: 7 }]);
  expect(textOf(html)).toMatch(/^Before\. \{.*After\.$/s);
  expect(globalThis).not.toHaveProperty('hostile');
});

test('a page of many expensive expressions ends soon, and what it leaves out is reported', async () => {
  const ten = '[1,2,3,4,5,6,7,8,9,0]';
  const one = `{${ten}.map((a) => ${ten}.map((b) => [1,2,3,4,5].map((c) => <b>{c}</b>)))}`;
  const { problems } = await render(Array.from({ length: 400 }, () => one).join('\n\n'));
  expect(problems.length).toBeGreaterThan(0);
  for (const { kind, message } of problems) {
    expect(kind).toMatch(/^(?:expression-not-evaluated|snippet-too-deep)$/);
    expect(message).toMatch(/too many steps|too large/);
  }
});
