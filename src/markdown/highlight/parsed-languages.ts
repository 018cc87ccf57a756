// Languages that Lezer's parsers read, and what their grammars do not tell apart.
import type { Parser } from '@lezer/common';
import { styleTags, tags } from '@lezer/highlight';
import { constantName, type Open } from './language.ts';
import { lezerTokenizer, type Refine } from './lezer.ts';

/** Names in capitals are constants, and those with one capital types, where a grammar only sees a name. */
const refineNames: Refine = (text, kind) => {
  if (kind !== 'plain') return kind;
  return constantName.test(text) ? 'constant' : /^[A-Z]\w*[a-z]\w*$/.test(text) ? 'type' : kind;
};
/** `name() {` in an object is a method. */
const refineScript: Refine = (text, kind, after) =>
  kind === 'property' && after.startsWith('(') ? 'function' : refineNames(text, kind, after);
/** `Name:` in a literal is a field. */
const refineGo: Refine = (text, kind, after) =>
  kind === 'plain' && /^:(?!=)/.test(after) ? 'property' : refineNames(text, kind, after);
const refinePhp: Refine = (text, kind) => (text.startsWith('$') ? 'variable' : refineNames(text, kind, ''));
const refineConstants: Refine = (text, kind) => (kind === 'plain' && constantName.test(text) ? 'constant' : kind);
/** `name=` without a space is an argument. */
const refinePython: Refine = (text, kind, after) =>
  kind === 'plain' && /^=[^=\s]/.test(after) ? 'property' : refineNames(text, kind, after);

const lezer =
  (load: () => Promise<Parser>, refine?: Refine): Open =>
  async () =>
    lezerTokenizer(await load(), refine);

const javaScript = (dialect: string) => async () => (await import('@lezer/javascript')).parser.configure({ dialect });
const cpp = async () => (await import('@lezer/cpp')).parser;
// What these grammars do not tell apart.
/** PHP without the HTML around it. */
export const phpStatements = lezer(
  async () =>
    (await import('@lezer/php')).parser.configure({
      top: 'Program',
      props: [styleTags({ Name: tags.variableName, 'NewExpression/Name': tags.className })],
    }),
  refinePhp,
);
const go = async () =>
  (await import('@lezer/go')).parser.configure({
    props: [styleTags({ 'CallExpr/SelectorExpr/FieldName': tags.function(tags.propertyName) })],
  });
const rust = async () =>
  (await import('@lezer/rust')).parser.configure({
    props: [
      styleTags({
        'CallExpression/ScopedIdentifier/Identifier': tags.function(tags.variableName),
        'Attribute! InnerAttribute!': tags.meta,
      }),
    ],
  });
const css = async () =>
  (await import('@lezer/css')).parser.configure({
    props: [styleTags({ Callee: tags.function(tags.variableName), KeywordQuery: tags.atom })],
  });
const java = async () =>
  (await import('@lezer/java')).parser.configure({
    props: [
      styleTags({ void: tags.typeName, 'MethodDeclaration/Definition': tags.function(tags.definition(tags.variableName)) }),
    ],
  });

/** By the identifier that `languageOf` gives. */
export const parsedLanguages: Record<string, Open> = {
  javascript: lezer(javaScript('jsx'), refineScript),
  jsx: lezer(javaScript('jsx'), refineScript),
  typescript: lezer(javaScript('ts'), refineScript),
  tsx: lezer(javaScript('ts jsx'), refineScript),
  python: lezer(async () => (await import('@lezer/python')).parser, refinePython),
  css: lezer(css),
  postcss: lezer(css),
  scss: lezer(async () => (await import('@lezer/sass')).parser),
  sass: lezer(async () => (await import('@lezer/sass')).parser.configure({ dialect: 'indented' })),
  rust: lezer(rust, refineNames),
  go: lezer(go, refineGo),
  java: lezer(java, refineNames),
  c: lezer(cpp, refineConstants),
  cpp: lezer(cpp, refineConstants),
  xml: lezer(async () => (await import('@lezer/xml')).parser),
};
