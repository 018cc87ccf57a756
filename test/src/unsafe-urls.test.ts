// Every field of docs.json, of the frontmatter and of components with URLs that run code, read local files or name a network folder: none reaches a page.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Parser } from 'htmlparser2';
import { expect, test } from 'vitest';
import { exportDocs } from '../../src/export/export-docs.ts';
import { componentNames, propNames } from '../../src/markdown/components/index.ts';
import { createRenderer } from '../../src/markdown/render.ts';
import { configSchema } from '../../src/source/config-schema.ts';
import { filesOf, temporaryFolder } from '../integration/export/folder.ts';
import { options, page as pageOf } from './markdown/fixtures.ts';

const unsafe = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' \u0001javascript:alert(1)',
  'java\tscript:alert(1)',
  'java\nscript:alert(1)',
  'javascript\u00ad:alert(1)',
  'vbscript:msgbox(1)',
  'VBSCRIPT:x',
  'livescript:x',
  'data:text/html,<script>alert(1)</script>',
  'data:text/html;base64,PHNjcmlwdD4=',
  'data:application/xhtml+xml,<x/>',
  'data:,x',
  'blob:https://example.com/x',
  'file:///etc/passwd',
  'FILE://host/share',
  'filesystem:https://example.com/x',
  'view-source:https://example.com',
  'about:srcdoc',
  'jar:https://example.com!/x',
  '\\\\host\\share',
  '/\\host\\share',
];
const scheme = /^(?:javascript|vbscript|livescript|data|blob|file|filesystem|view-source|about|jar):|^[\\/]*\\/i;
const urlAttributes = new Set(
  'href xlink:href src poster action formaction data cite content data-href data-src data-url'.split(' '),
);

const unsafeValue = /"(?:href|src|url|image|link|path)":"(?:javascript|vbscript|data:text|blob|file):[^"]*"/gi;

interface Schema {
  type?: string;
  anyOf?: Schema[];
  $ref?: string;
  enum?: unknown[];
  pattern?: string;
  items?: Schema;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
}

/** A value with the URL as each text that the schema allows; `choice` chooses between forms, such as a text or an object. */
function filled(schema: Schema, url: string, choice: number): unknown {
  if (schema.anyOf) return filled(schema.anyOf[choice % schema.anyOf.length]!, url, choice);
  if (schema.type === 'array')
    return schema.items?.anyOf?.map((_, at) => filled(schema.items!, url, at)) ?? [filled(schema.items ?? {}, url, choice)];
  if (schema.type === 'object') {
    const own = Object.entries(schema.properties ?? {}).flatMap(([key, value]) => {
      const part = key === '$ref' ? undefined : filled(value, url, choice);
      return part === undefined ? [] : [[key, part] as const];
    });
    const any = typeof schema.additionalProperties === 'object' && filled(schema.additionalProperties, url, choice);
    return Object.fromEntries([
      ...own,
      ...(any ? ['x', 'website', 'og:image', 'canonical'].map((key) => [key, any] as const) : []),
    ]);
  }
  if (schema.enum) return schema.enum[choice % schema.enum.length];
  if (schema.pattern || (schema.type !== undefined && schema.type !== 'string') || schema.$ref) return undefined;
  return url;
}

const { properties, $defs } = configSchema() as { properties: Record<string, Schema>; $defs: Record<string, Schema> };
// Downloads have no URL, and a PDF takes a browser.
const { navigation: _, $schema: _schema, downloads: _downloads, ...settings } = properties;

/** Entries of each kind, each with the URL in all fields and with a page. */
function navigation(url: string, choice: number): object {
  const { pages: _pages, ...fields } = $defs.entry!.properties!;
  const own = filled(
    { type: 'object', properties: Object.fromEntries(Object.entries(fields).filter(([, value]) => !value.items)) },
    url,
    choice,
  );
  const kinds = {
    group: 'groups',
    tab: 'tabs',
    anchor: 'anchors',
    dropdown: 'dropdowns',
    product: 'products',
    version: 'versions',
    language: 'languages',
  };
  const entry = (kind: string, rest: object) => {
    const { hidden: _hidden, global: _global, ...all } = own as Record<string, unknown>;
    const names = Object.fromEntries(Object.keys(kinds).map((name) => [name, undefined]));
    return {
      ...all,
      ...names,
      item: undefined,
      openapi: undefined,
      asyncapi: undefined,
      graphql: undefined,
      sdk: undefined,
      [kind]: kind === 'language' ? 'en' : 'x',
      ...rest,
    };
  };
  const [name, list] = Object.entries(kinds)[choice % 7]!;
  return {
    global: { anchors: [entry('anchor', {})] },
    [list]: [
      entry(name, { root: undefined, href: undefined, pages: ['index', url, { ...entry('group', {}), pages: ['guide', url] }] }),
      { ...entry(name, {}), ...(name === 'language' && { language: 'de' }) },
      ...(name === 'tab'
        ? [
            {
              tab: 'm',
              menu: [
                { item: 'i', href: url },
                { item: 'j', pages: ['menu'] },
              ],
            },
          ]
        : []),
    ],
  };
}

const frontmatter = (url: string): Record<string, unknown> => ({
  ...Object.fromEntries(
    `url icon canonical robots og:image og:url twitter:image image thumbnail logo rss link href src related version tag openapi asyncapi api description
    sidebarTitle mode uid prev next editUrl hero`
      .split(/\s+/)
      .map((key) => [key, url]),
  ),
  contextual: {
    options: [
      'copy',
      url,
      { title: 'x', href: url, icon: url },
      { title: 'y', href: { base: url, query: [{ key: 'q', value: url }] } },
    ],
  },
});

test.each(unsafe.map((url, index) => ({ url, index })))(
  'no field of a docs folder puts $url into a page',
  async ({ url, index }) => {
    const root = temporaryFolder();
    const docs = join(root, 'docs');
    mkdirSync(docs);
    const page = (name: string, fields: object, body: string) =>
      writeFileSync(join(docs, `${name}.mdx`), `---\n${JSON.stringify(fields)}\n---\n\n${body}\n`);
    const named = 'Text {{x}} [link]({{x}}) <a href="{{x}}">b</a> <img src="{{x}}" style="background: url({{x}})" />';
    const { url: _url, ...others } = frontmatter(url);
    page('index', { title: 'Home' }, named);
    page('guide', { title: 'Guide', ...others, openapi: undefined, asyncapi: undefined, api: undefined }, named);
    page(
      'menu',
      { title: 'Menu', ...frontmatter(url), api: `GET ${url}` },
      `<Card title="x" href="{{x}}" img="{{x}}" icon="{{x}}">y</Card>\n\n<Card title="z" href=${JSON.stringify(url)} />`,
    );
    // Each form of a value once, and each kind of navigation with one of the URLs.
    for (const choice of [index, index + 1]) {
      const config = filled({ type: 'object', properties: settings }, url, choice) as Record<string, unknown>;
      const redirects = [
        { source: '/old', destination: url },
        { source: url, destination: '/guide' },
        { source: '/a/:x', destination: `${url}:x` },
      ];
      writeFileSync(
        join(docs, 'docs.json'),
        JSON.stringify({ ...config, name: 'x', redirects, variables: { x: url }, navigation: navigation(url, choice) }),
      );
      const out = join(root, `site-${choice}`);
      await exportDocs({ source: docs, out, deployment: 'client-hosted', vendor: false, environment: {}, now: 0, cache: false });
      const written = Object.entries(filesOf(out));
      const pages = written.filter(([name]) => name.endsWith('.html'));
      expect(pages.length).toBeGreaterThan(3);
      expect(pages.flatMap(([name, text]) => unsafeAttributes(text).map((found) => `${name}: ${found}`))).toEqual([]);
      // What scripts of the reader turn into links.
      const scripts = written.filter(([name]) => name.endsWith('.js')).flatMap(([, text]) => text.match(unsafeValue) ?? []);
      expect(scripts).toEqual([]);
    }
  },
  60_000,
);

test.each(unsafe)('no attribute of a component puts %s into a page', async (url) => {
  const own = Object.values(propNames).flatMap((names) => names.split(' '));
  const names = [...new Set([...own, ...urlAttributes])].filter((name) => !/^data-|:/.test(name));
  const value = JSON.stringify(url);
  const all = names.map((name) => `${name}={${value}}`).join(' ');
  const components = componentNames.map((name) => `<${name} ${all}>x</${name}>\n\n<${name} title=${value} href=${value} />`);
  const { html } = await createRenderer(options).render(pageOf(components.join('\n\n')));
  expect(html.split('class="c-').length).toBeGreaterThan(200);
  expect(unsafeAttributes(html)).toEqual([]);
});

/** URLs of a page that a browser would follow, and attributes that run code. Only images have `data:` URLs. */
function unsafeAttributes(html: string): string[] {
  const found: string[] = [];
  let tag = '';
  const parser = new Parser({
    onopentagname(name) {
      tag = name;
    },
    onattribute(name, value) {
      const refresh = /^\d+;\s*url=(.*)/is.exec(value)?.[1];
      const url = (name === 'content' ? (refresh ?? '') : value).replace(/[\u0000-\u0020\u00ad]/g, '');
      const isData = tag === 'img' || tag === 'link' ? /^data:(?:image\/|,$)/ : /^$/;
      if (urlAttributes.has(name) && scheme.test(url) && !isData.test(url)) found.push(`<${tag} ${name}=${value}`);
      if (name === 'srcset' && /(?:javascript|vbscript|data:text|blob|file):/i.test(url)) found.push(`${name}=${value}`);
      if (name === 'style' && /url\(|expression/i.test(value)) found.push(`${name}=${value}`);
      if (/^on/i.test(name)) found.push(name);
    },
  });
  parser.end(html);
  return found;
}
