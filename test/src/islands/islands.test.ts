import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { compileIsland, type CompiledIsland } from '../../../src/islands/compile.ts';
import { openIslands } from '../../../src/islands/islands.ts';
import { createCodeModules } from '../../../src/markdown/code-modules.ts';
import { createSnippetUses } from '../../../src/markdown/snippet-uses.ts';
import { ensureTheme } from '../../../src/setup/ensure-theme.ts';
import { loadTheme } from '../../../src/theme/load.ts';
import { snippet } from '../markdown/fixtures.ts';

const file = 'snippets/all.jsx';
const body = `
export const Greeting = ({ name, children, aside }) => <p class="plain" style={{ padding: 4 }}>Hello {name}{children}{aside}</p>;
export const Hidden = ({ children }) => { const [open] = useState(false); return <div>{open && children}</div>; };
export const Pressed = () => <button onClick={() => alert(1)}>Press</button>;
let count = 0;
export const Stateful = () => { globalThis.seen = (globalThis.seen ?? 0) + 1; return <p>{++count} {globalThis.seen}</p>; };
export const Clock = () => <p>{new Date().getFullYear()} {Date.now()} {Date().length} {typeof new Date(0).getTime()}</p>;
export const Dice = () => <p>{[Math.random(), Math.random()].join()}</p>;
export const Known = () => <p>{new Date('2024-02-03T00:00:00Z').toISOString()} {(1234.5).toLocaleString()}</p>;
export const Throws = () => {
  const nothing = null;
  return <p>{nothing.title}</p>;
};
export const Text = () => { throw 'only a text'; };
export const Fetches = () => { fetch('https://example.com'); return null; };
export const LoopsLater = () => { const again = () => Promise.resolve().then(again); again(); return null; };
export const Fills = () => { const all = []; for (;;) all.push(new Array(1_000_000).fill(all.length)); };
export const Objects = () => ({ title: 'x' });
export const Functions = () => () => 1;
export const Promises = async () => <p/>;
export const Long = () => 'x'.repeat(3_000_000);
export const node = () => URL.constructor('return process')();
export const Reads = () => <p>{node().getBuiltinModule('node:fs').readFileSync('/etc/passwd', 'utf8')}</p>;
export const Starts = () => <p>{node().getBuiltinModule('node:child_process').execSync('id')}</p>;
export const Secrets = () => <p>{JSON.stringify(node().env)}</p>;
export const Kills = () => <p>{node().kill(node().ppid)}</p>;
export const Bare = () => <p>{typeof process} {typeof window} {typeof document}</p>;
export const data = [1, 2];
export const Lines = ({ text }) => <p>{text}{'\u2028'}{'\u2029'}</p>;
export const Nothing = () => { throw { get message() { throw null; } }; };
export const Connects = () => { node().getBuiltinModule('node:net').connect('/run/docker.sock'); return null; };
export const Forges = () => { node().stdout.write('{"html":"forged"}\\n'); return <p>honest</p>; };
export const Overrides = () => { node().getBuiltinModule('node:vm').Script.prototype.runInContext = () => 'forged'; return null; };
export const Imports = () => { import(['node:net'][0]).catch((error) => error.constructor.constructor('return process')().exit()); return <p>a</p>; };
export const Rejects = () => { Promise.reject(new Error('later')); return <p>b</p>; };
export const Address = () => <p>{new URL('../b', 'https://example.com/c/d').href} {new URLSearchParams('a=1').get('a')} {btoa('x')} {eval('1 + 1')}</p>;
`;
const answers = [
  'not JSON',
  'null',
  '[]',
  '5',
  '{}',
  '{"html":5,"shown":3,"asked":[],"reads":[],"isLive":true}',
  '{"html":"","shown":[],"asked":[["__proto__",{}]],"reads":[],"isLive":true}',
  '{"error":{"a":1},"stack":{}}',
  '{"html":"a"}\n{"html":"forged","isLive":false,"shown":[],"asked":[],"reads":[]}',
];

let islands: ReturnType<typeof openIslands>;
let compiledIsland: CompiledIsland;
let runtime: string;
beforeAll(async () => {
  const snippets = new Map([snippet(file, body)]);
  const compiled = await compileIsland(file, createCodeModules(snippets, createSnippetUses(snippets)));
  if ('fault' in compiled) throw new Error(compiled.fault.message);
  compiledIsland = compiled;
  runtime = await (await loadTheme(await ensureTheme())).islandsRuntime();
  islands = openIslands({ compiled: new Map<string, CompiledIsland>([[file, compiled]]), runtime });
});
afterAll(() => islands.close());

const render = (name: string, props = {}, slots = {}) => islands.render({ file, name, props, slots });

test('a component is rendered with its props and its content', async () => {
  const slots = { children: '<b>you</b>', aside: '<i>there</i>' };
  expect(await render('Greeting', { name: '<Ada>' }, slots)).toMatchObject({
    html: '<p style="padding:4px;" class="plain">Hello &lt;Ada><carrel-slot data-name="children"><b>you</b></carrel-slot><carrel-slot data-name="aside"><i>there</i></carrel-slot></p>',
    shown: ['children', 'aside'],
  });
});

test('only a component with state or handlers needs its script', async () => {
  expect((await render('Greeting')).script).toBeUndefined();
  for (const name of ['Hidden', 'Pressed']) expect((await render(name)).script, name).toMatch(/^[\da-f]{10}$/);
});

test('content that a component does not show yet is known', async () => {
  expect(await render('Hidden', {}, { children: 'later' })).toMatchObject({ html: '<div></div>', shown: [] });
});

test('each render begins anew, so that the order of pages changes nothing', async () => {
  for (let i = 0; i < 3; i++) expect((await render('Stateful')).html).toBe('<p>1 1</p>');
});

test('the clock stands, random numbers are the same ones, and both are reported', async () => {
  const [clock, dice] = [await render('Clock'), await render('Dice')];
  expect(clock).toMatchObject({ html: '<p>2020 1577836800000 62 number</p>', reads: ['clock'] });
  expect(dice.reads).toEqual(['random']);
  const [one, other] = /<p>(.*),(.*)<\/p>/.exec(dice.html!)!.slice(1);
  expect(one).not.toBe(other);
  expect((await render('Dice')).html).toBe(dice.html);
  expect(await render('Known')).toMatchObject({ html: '<p>2024-02-03T00:00:00.000Z 1,234.5</p>', reads: [] });
});

test.each<[name: string, message: string | RegExp, line: number]>([
  ['Throws', /null/, 12],
  ['Text', 'only a text', 14],
  ['Fetches', /fetch\(\) is not available while the site is built/, 15],
  ['Objects', 'Objects returns an object instead of content.', 18],
  ['Functions', 'Functions returns a function instead of content.', 19],
  ['Promises', 'Promises returns a promise instead of content.', 20],
  ...['Reads', 'Starts', 'Secrets', 'Kills', 'Connects', 'Forges', 'Overrides'].map(
    (name) => [name, /Code generation from strings disallowed/, 22] as [string, RegExp, number],
  ),
])('%s fails with its line, and the browser tries again', async (name, message, line) => {
  const { html, script, failure } = await render(name);
  expect(html).toBeUndefined();
  expect(script).toBeDefined();
  expect(failure).toMatchObject({ file, line, message: expect.stringMatching(message) });
});

test.each<[name: string, message: RegExp, line: number]>([
  ['LoopsLater', /^took more than (?:3 seconds|512 MB)/, 16],
  ['Fills', /^took more than 512 MB of memory/, 17],
])('%s is ended, and no browser runs it', async (name, message, line) => {
  const { script, failure } = await render(name);
  expect(script).toBeUndefined();
  expect(failure).toEqual({ file, line, message: expect.stringMatching(message) });
  expect((await render('Greeting')).html).toContain('Hello');
});

test('HTML without end is refused', async () => {
  expect((await render('Long')).failure!.message).toContain('2000000 characters');
});

test('a component sees no process, and gets at none by the functions that it has from Node', async () => {
  expect((await render('Bare')).html).toBe('<p>undefined undefined undefined</p>');
  expect((await render('Address')).html).toBe('<p>https://example.com/b 1 eA== 2</p>');
  expect((await render('Imports')).html).toBe('<p>a</p>');
  expect((await render('Greeting')).html).toContain('Hello');
});

test('a promise that a component leaves rejected fails no other component', async () => {
  for (const html of ['<p>b</p>', '<p>b</p>']) expect((await render('Rejects')).html).toBe(html);
});

test('signs that end a line in JavaScript are content like any other', async () => {
  expect((await render('Lines', { text: 'a\u2028b\nc' })).html).toBe('<p>a\u2028b\nc\u2028\u2029</p>');
});

test('an error whose message is one, too, is reported', async () => {
  expect((await render('Nothing')).failure!.message).toMatch(/not an error|null/);
});

test.each(answers)('a script that makes its renderer answer %s fails alone', async (text) => {
  const script = `${compiledIsland.script}globalThis.__carrel_render = () => ${JSON.stringify(text)};`;
  const opened = openIslands({ compiled: new Map([[file, { ...compiledIsland, script }]]), runtime });
  onTestFinished(() => opened.close());
  const island = { file, name: 'Greeting', props: {}, slots: {} };
  const rendered = await Promise.all([opened.render(island), opened.render(island)]);
  expect(rendered.map(({ html, failure }) => [html, failure?.message])).toEqual(
    Array(2).fill([undefined, 'it changes what renders it']),
  );
});

test.each(['data', 'missing', 'constructor'])('"%s" is not a component', async (name) => {
  expect((await render(name)).failure!.message).toBe(`There is no component "${name}".`);
});
