import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'rolldown/utils';
import { expect, test } from 'vitest';
import { scriptFault, tooDeep } from '../../../integration/scripts/script-fault.ts';
import { scriptLoads } from '../../../integration/scripts/script-loads.ts';
import type { ExportAsset } from '../../../integration/page/asset.ts';
import { bundleModules } from '../../../integration/scripts/bundle-modules.ts';
import { moduleFiles } from '../../../integration/scripts/module-files.ts';

const root = join(import.meta.dirname, '../../..');

/** What ends the parser or the bundler, so many levels of it. */
const nestings: Record<string, (levels: number) => string> = {
  'brackets in brackets': (n) => `x=${'['.repeat(n)}${']'.repeat(n)}`,
  'brackets that no one closes': (n) => `x=${'['.repeat(n)}`,
  'brackets beside texts that close them': (n) => `x=${'["]",'.repeat(n)}${']'.repeat(n)}`,
  'brackets beside regular expressions that close them': (n) => `x=${'[/]/,'.repeat(n)}${']'.repeat(n)}`,
  objects: (n) => `x=${'{a:'.repeat(n)}1${'}'.repeat(n)}`,
  functions: (n) => `${'(function(){'.repeat(n)}${'})'.repeat(n)}`,
  'methods of classes': (n) => `${'class A{m(){'.repeat(n)}${'}}'.repeat(n)}`,
  'arrow functions': (n) => `x=${'a=>'.repeat(n)}1`,
  'arguments of calls': (n) => `${'f('.repeat(n)}${')'.repeat(n)}`,
  'calls of what a call gives': (n) => `f${'.a(1)'.repeat(n)}`,
  members: (n) => `x=a${'.b'.repeat(n)}`,
  'chained ternaries': (n) => `x=${'a?b:'.repeat(n)}c`,
  'ternaries in ternaries': (n) => `x=${'a?'.repeat(n)}c${':d'.repeat(n)}`,
  sums: (n) => `x=1${'+1'.repeat(n)}`,
  conditions: (n) => `x=a${'&&a'.repeat(n)}`,
  powers: (n) => `x=a${'**a'.repeat(n)}`,
  assignments: (n) => `${'a='.repeat(n)}1`,
  negations: (n) => `x=${'!'.repeat(n)}1`,
  'typeof of typeof': (n) => `x=${'typeof '.repeat(n)}1`,
  'new of new': (n) => `x=${'new '.repeat(n)}a`,
  'else if': (n) => `${'if(a)b;else '.repeat(n)}c`,
  'if in if': (n) => `${'if(a)'.repeat(n)}c`,
  loops: (n) => `${'for(;;)'.repeat(n)}c`,
  blocks: (n) => `${'{'.repeat(n)}${'}'.repeat(n)}`,
  labels: (n) => `${Array.from({ length: n }, (_, i) => `l${i}:`).join('')}c`,
  'texts with values': (n) => `x=${'`${'.repeat(n)}1${'}`'.repeat(n)}`,
  'classes of classes': (n) => `x=${'class extends '.repeat(n)}a${'{}'.repeat(n)}`,
  'groups of a regular expression': (n) => `x=/${'(a'.repeat(n)}${')'.repeat(n)}/`,
  'groups in the text of RegExp': (n) => `new RegExp("${'('.repeat(n)}${')'.repeat(n)}")`,
  'classes in a class of a regular expression': (n) => `x=/${'[a'.repeat(n)}${']'.repeat(n)}/v`,
  patterns: (n) => `var ${'['.repeat(n)}a${']'.repeat(n)}=1`,
};

const unclosed = 'brackets that no one closes';

test.each(Object.entries(nestings).filter(([name]) => name !== unclosed))(
  '%s are refused if they would end the process',
  (_, script) => {
    expect(scriptFault(script(100_000), 'unambiguous')).toEqual({ message: tooDeep, line: 1 });
  },
);

test(`${unclosed} are refused`, () => {
  expect(scriptFault(nestings[unclosed]!(100_000), 'unambiguous')).toBeDefined();
});

test('accepted scripts crash neither the parser nor the bundler', async () => {
  const assets: ExportAsset[] = [];
  const levels = new Map<string, number>();
  for (const [name, script] of Object.entries(nestings)) {
    const most = mostLevels((n) => scriptFault(script(n), 'module') === undefined);
    levels.set(name, most);
    const { program } = parseSync('script.js', script(most), { lang: 'js', sourceType: 'unambiguous' });
    new Visitor({}).visit(program);
    expect(scriptLoads(program)).toEqual([]);
    assets.push({ path: `${assets.length}.js`, contents: script(most) });
  }
  expect(Math.min(...levels.values())).toBeGreaterThan(100);
  const entries = new Map(assets.map(({ path }) => [path, `/${path}`]));
  const files = moduleFiles({
    assets,
    nameOf: (path) => path,
    base: '/',
    inline: new Map(),
    imports: new Map(),
    vendoredText: () => undefined,
    vendored: new Map(),
  });
  const { problems } = await bundleModules({ entries, files, base: '/' });
  // The one that no one closes.
  expect(problems.map(({ kind, page }) => `${kind} ${page}`)).toEqual(['script-not-bundled 1.js']);
});

test.each([
  ['a valid script', (inside: string) => inside],
  ['a script that waits at its top', (inside: string) => `await 1;${inside}`],
  ['a script of another time', (inside: string) => `with (a) b = 010;<!-- c\n${inside}`],
])('of %s only brackets count that nest', (_, script) => {
  const texts = '"((((" + \'[[[[\' + `{{{{`;/[([{]{/.test("(");a = b / 2; // {{{{\n/* (((( */f(a, [1], {});'.repeat(5000);
  expect(scriptFault(script(texts), 'unambiguous')).toBeUndefined();
});

test.each([
  ['in a module, where a comment of HTML is a comparison', `a<!--b;x=${'['.repeat(9000)}${']'.repeat(9000)}`],
  ['in a script, where await is a name', `await /(${'['.repeat(9000)}a${']'.repeat(9000)})/ 1`],
  ['behind an error of syntax', `import defer * as a from "a";x=${'["]",'.repeat(9000)}${']'.repeat(9000)}`],
])('brackets that look like texts count %s', (_, script) => {
  expect(scriptFault(script, 'unambiguous')).toBeDefined();
});

test('an error of syntax is reported with its line, where the script is too large to be safe', () => {
  expect(scriptFault(`f(\n1\n2);${'f([1]);'.repeat(5000)}`, 'script')).toEqual({ message: 'Unexpected token', line: 3 });
  expect(scriptFault('f(1 2)', 'script')).toBeUndefined();
});

test.each(['react-dom/cjs/react-dom-client.production.js', 'axe-core/axe.min.js', 'prettier/plugins/typescript.mjs'])(
  '%s is read',
  (file) => {
    const text = readFileSync(join(root, 'node_modules', file), 'utf8');
    expect(text.length).toBeGreaterThan(200_000);
    expect(scriptFault(text, 'unambiguous')).toBeUndefined();
  },
);

function mostLevels(isRead: (levels: number) => boolean): number {
  let [least, most] = [1, 100_000];
  while (most - least > 1) {
    const middle = (least + most) >> 1;
    if (isRead(middle)) least = middle;
    else most = middle;
  }
  return least;
}
