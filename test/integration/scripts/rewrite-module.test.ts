import { describe, expect, test } from 'vitest';
import { ModuleError, rewriteModule } from '../../../integration/scripts/rewrite-module.ts';

const files = new Map([
  ['/docs/logo.png', '/docs/logo.png'],
  ['/docs/a.js', '/docs/a.js'],
  ['https://cdn.example.com/x/logo.png', '/docs/logo.png'],
]);
const site = {
  ownUrl: (url: string) => files.get(url),
  hasOther: true,
  isExternal: (specifier: string) => specifier.startsWith('https://'),
};
const rewritten = (code: string) => rewriteModule({ id: '/a.js', file: 'a.js', code }, site).code;

test('a module without URLs stays unchanged', () => {
  const code = 'import { a } from "./b.js"; export const c = () => a + `${a} import.meta`; // 木';
  expect(rewritten(code)).toBe(code);
});

describe('URLs of files', () => {
  test.each([
    ['export const a = "/docs/logo.png"', 'export const a = __carrel_address("/docs/logo.png").href'],
    ['export const a = "https://cdn.example.com/x/logo.png"', 'export const a = __carrel_address("/docs/logo.png").href'],
    ['export const a = `/docs/logo.png`', 'export const a = __carrel_address("/docs/logo.png").href'],
    [
      'export default { src: "/docs/logo.png", "/docs/logo.png": 1 }',
      'export default { src: __carrel_address("/docs/logo.png").href, "/docs/logo.png": 1 }',
    ],
    ['export const a = "木", b = "/docs/logo.png"', 'export const a = "木", b = __carrel_address("/docs/logo.png").href'],
  ])('%s', (code, expected) => expect(rewritten(code)).toBe(expected));

  test.each([
    'export const a = "/docs/other.png"',
    'export const a = \'<img src="/docs/logo.png">\'',
    'export const a = /["/docs/logo.png"]/',
    'export const a = tag`/docs/logo.png`',
    '// "/docs/logo.png"\nexport {}',
    '"/docs/logo.png"; export {}',
    'export class A { "/docs/logo.png"() {} "/docs/a.js" = 1 }',
    'import a from "/docs/a.js"; export * from "/docs/a.js"; export { b } from "/docs/a.js"; import("/docs/a.js")',
  ])('stays: %s', (code) => expect(rewritten(code)).toBe(code));
});

describe('import.meta and import()', () => {
  test.each([
    ['export const a = import.meta.url', 'export const a = __carrel_meta("a.js").url'],
    ['export const a = new URL("./b.png", import.meta.url)', 'export const a = __carrel_address("./b.png","a.js")'],
    ['export const a = new URL(name, "" + import.meta.url).href', 'export const a = __carrel_address(name,"a.js").href'],
    ['export const a = new URL("/docs/logo.png", import.meta.url)', 'export const a = __carrel_address("/docs/logo.png","a.js")'],
    ['export const a = (name) => import(name)', 'export const a = (name) => __carrel_load(name,"a.js")'],
    [
      'export const a = (name) => import(/* why */ `./${name}.js`)',
      'export const a = (name) => __carrel_load(/* why */ `./${name}.js`,"a.js")',
    ],
    [
      'export const a = import("./b.js", { with: { type: "json" } })',
      'export const a = import("./b.js", { with: { type: "json" } })',
    ],
  ])('%s', (code, expected) => expect(rewritten(code)).toBe(expected));
});

describe('external modules are awaited', () => {
  test.each([
    ['import "https://e.com/a.js"; export {}', 'const __carrel_remote0=await import("https://e.com/a.js"); export {}'],
    [
      'import a, { b as c, default as d } from "https://e.com/a.js"',
      'const __carrel_remote0=await import("https://e.com/a.js"),a=__carrel_remote0["default"],c=__carrel_remote0["b"],d=__carrel_remote0["default"];',
    ],
    [
      'import * as all from "https://e.com/a.js"',
      'const __carrel_remote0=await import("https://e.com/a.js"),all=__carrel_remote0;',
    ],
    [
      'export { a as b, default } from "https://e.com/a.js"; export * as c from "https://e.com/c.js"',
      'const __carrel_remote0=await import("https://e.com/a.js"),__carrel_remote0_0=__carrel_remote0["a"],__carrel_remote0_1=__carrel_remote0["default"];export{__carrel_remote0_0 as b,__carrel_remote0_1 as default}; ' +
        'const __carrel_remote54=await import("https://e.com/c.js"),__carrel_remote54_0=__carrel_remote54;export{__carrel_remote54_0 as c};',
    ],
  ])('%s', (code, expected) => expect(rewritten(code)).toBe(`${expected}\nexport {}`));
});

test('a script without imports and exports stays a module', () => {
  expect(rewritten('this === undefined')).toBe('this === undefined\nexport {}');
});

test('a syntax error is reported with its line', () => {
  expect(() => rewritten('const a = 1;\nconst b c;')).toThrow(ModuleError);
  expect(() => rewritten('const a = 1;\nconst b c;')).toThrow(expect.objectContaining({ line: 2 }));
});
