// Languages with others inside: HTML and its templates, PHP, Markdown and HTTP.
import { styleTags, tags } from '@lezer/highlight';
import { languageOf, type Open, type OpenLanguage } from './language.ts';
import { lezerTokenizer } from './lezer.ts';
import { jinjaExpression } from './mode-languages.ts';
import { phpStatements } from './parsed-languages.ts';
import { between, fenced, type FindRegions, inBraces, matches, outside, together, withRegions } from './regions.ts';
import type { Token, Tokenizer } from './token-kinds.ts';

/** HTML with its scripts and styles. */
async function html(open: OpenLanguage): Promise<Tokenizer> {
  const [{ parser }, script, typed, style] = await Promise.all([import('@lezer/html'), open('jsx'), open('tsx'), open('css')]);
  const guests = [
    between(typedScript, /<\/script\s*>/gi, typed),
    between(/<script\b[^<>]*>/gi, /<\/script\s*>/gi, script),
    between(/<style\b[^<>]*>/gi, /<\/style\s*>/gi, style),
  ];
  return withRegions(lezerTokenizer(parser.configure({ dialect: 'selfClosing' })), together(guests));
}

/** PHP in HTML, or statements alone. */
async function php(open: OpenLanguage): Promise<Tokenizer> {
  const [host, statements] = await Promise.all([open('html'), phpStatements(open)]);
  const inHtml = withRegions(host, between(/<\?(?:php\b|=)/g, /\?>|(?![\s\S])/g, statements));
  return (code) => (/<\?(?:php\b|=)/.test(code) ? inHtml(code) : statements(code));
}

const typedScript = /<script\b(?=[^<>]*(?:\blang="?tsx?\b|typescript))[^<>]*>/gi;

const template =
  (finders: (open: OpenLanguage) => Promise<FindRegions[]>): Open =>
  async (open) => {
    const [host, found] = await Promise.all([open('html'), finders(open)]);
    const find = together(found);
    // An expression may be all of an attribute's value.
    return withRegions(host, (code) => outside(find(code), scriptsAndStyles(code)), '_');
  };

const scriptsAndStyles = between(/<(?:script|style)\b/gi, /<\/(?:script|style)\s*>/gi, () => [], { whole: true });

const moustaches = template(async (open) => [between(/\{[{%#]/g, /[}%#]\}/g, await jinjaExpression(open), { whole: true })]);
const vueAttribute = /(?<=\s(?:[:@#]|v-)[\w.:[\]-]*=")[^"\n]+(?=")/g;

async function astro(open: OpenLanguage): Promise<Tokenizer> {
  const [host, script] = await Promise.all([open('svelte'), open('typescript')]);
  return withRegions(host, frontmatter(script));
}

/** Marks look like what they mark. */
const marks = {
  HeaderMark: tags.heading,
  'InlineCode/CodeMark': tags.monospace,
  'StrongEmphasis/EmphasisMark': tags.strong,
  'Emphasis/EmphasisMark': tags.emphasis,
  'FencedCode/CodeMark ListMark QuoteMark LinkMark TableDelimiter': tags.separator,
};

/** The parser's time grows with the square of the marks between two blank lines, of which real text has far fewer. */
const hasManyMarks = (code: string) =>
  code.split(/\n\s*\n/).some((block) => (block.match(/[[\]`*_~>]|\d[.)]/g)?.length ?? 0) > 5000);

async function markdown(open: OpenLanguage): Promise<Tokenizer> {
  const [{ parser, GFM }, elements, yaml] = await Promise.all([import('@lezer/markdown'), open('html'), open('yaml')]);
  const guests = new Map(await Promise.all(embedded.map(async (name) => [languageOf(name), await open(name)] as const)));
  const inFences = fenced((language) => guests.get(languageOf(language)) ?? (() => []));
  const text = lezerTokenizer(parser.configure([GFM, { props: [styleTags(marks)] }]));
  return withRegions(
    (code) => (hasManyMarks(code) ? [] : text(code)),
    together([frontmatter(yaml), inFences, between(tagStart, tagEnd, elements, { whole: true })]),
    // Spaces would be indented code.
    'x',
  );
}

// A tag ends before a blank line.
const tagStart = /<(?=\/?[A-Za-z][\w.:-]*[\s/>])/g;
const openTagStart = /<(?=[A-Za-z][\w.:-]*[\s/>])/g;
const tagEnd = /(?<!=)>|\n[ \t]*\n/g;

/** Markdown whose elements and imports are JavaScript. */
async function mdx(open: OpenLanguage): Promise<Tokenizer> {
  const [host, script] = await Promise.all([open('markdown'), open('jsx')]);
  const find = together([matches(/^(?:import|export)\b.+$/gm, script), between(openTagStart, tagEnd, script, { whole: true })]);
  return withRegions(host, (code) => outside(find(code), inFence(code)), 'x');
}
const inFence = fenced(() => () => []);

const frontmatter = (tokenize: Tokenizer): FindRegions => {
  const find = between(/^---\n/g, /\n---(?![^\n])/g, tokenize);
  return (code) => find(code).slice(0, 1);
};
/** Languages of blocks in Markdown; those of others are plain text there. */
const embedded = 'yaml json bash javascript typescript jsx tsx python go rust java html css diff'.split(' ');

const httpLine = /^(?:(?<keyword>[A-Z]+|HTTP\/[\d.]+)(?<string> +\S+)(?<plain>.*)|(?<property>[\w-]+:)(?<value>.*))$/dgm;

const httpHead: Tokenizer = (code) =>
  [...code.matchAll(httpLine)].flatMap(({ indices }) =>
    Object.entries(indices!.groups!).flatMap(([name, range]) => {
      if (!range || name === 'plain') return [];
      const start = code.slice(...range).search(/\S/);
      const kind = name === 'value' ? 'string' : (name as Token['kind']);
      return start < 0 ? [] : [{ from: range[0] + start, to: range[1], kind }];
    }),
  );

/** A request or an answer, whose body is JSON in most docs. */
async function http(open: OpenLanguage): Promise<Tokenizer> {
  return withRegions(httpHead, between(/\n\n(?=[[{])/g, /(?![\s\S])/g, await open('json')));
}

/** By the identifier that `languageOf` gives. */
export const markupLanguages: Record<string, Open> = {
  html,
  php,
  markdown,
  mdx,
  mdc: markdown,
  vue: template(async (open) => {
    const script = await open('typescript');
    return [between(/\{\{/g, /\}\}/g, script), matches(vueAttribute, script)];
  }),
  'vue-html': (open) => open('vue'),
  'angular-html': (open) => open('vue'),
  svelte: template(async (open) => [inBraces(await open('tsx'))]),
  astro,
  erb: template(async (open) => [between(/<%[=#%-]?/g, /-?%>/g, await open('ruby'))]),
  jinja: moustaches,
  twig: moustaches,
  liquid: moustaches,
  handlebars: moustaches,
  http,
};
