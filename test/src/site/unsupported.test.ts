import { expect, test } from 'vitest';
import { buildSite } from '../../../src/site/build-site.ts';
import { kinds, sourceOf } from './site-of.ts';

function problemsOf(config: Record<string, unknown>, files: Record<string, string> = { a: 'A' }, assets?: string[]) {
  const site = buildSite(sourceOf(files, { navigation: { pages: ['a'] }, ...config }, assets));
  return site.problems.map(({ kind, severity, message }) => `${severity} ${kind}: ${message}`);
}

test.each<[Record<string, unknown>, string]>([
  [{ integrations: { mixpanel: { projectToken: 'a' } } }, 'note integration-off: "integrations.mixpanel"'],
  [{ api: { playground: { proxy: false } } }, 'note config-not-supported: "api.playground.proxy"'],
  [{ api: { params: { expanded: 'all', post: ['nullable'] } } }, 'note config-not-supported: "api.params.post"'],
  [{ api: { url: 'full' } }, 'note config-not-supported: "api.url"'],
  [{ contextual: { options: ['copy', 'view', 'devin-mcp'] } }, 'note config-not-supported: "contextual.options (devin-mcp)"'],
  [{ fonts: { family: 'Lora' } }, 'note font-not-included: "fonts": "Lora"'],
  [
    { fonts: { body: { family: 'Lora', source: 'https://example.com/l.woff2' } } },
    'note font-not-included: "fonts.body": "Lora"',
  ],
  [{ styling: { codeblocks: { theme: 'no-such-theme' } } }, 'note config-not-supported: "styling.codeblocks"'],
  [{ styling: { codeblocks: { theme: 'dracula', languages: { custom: ['/l.json'] } } } }, '"styling.codeblocks.languages"'],
  [{ styling: { latex: false } }, 'note config-not-supported: "styling.latex"'],
  [{ markdown: { schema: false } }, 'note config-not-supported: "markdown.schema"'],
  [{ thumbnails: {} }, 'note config-not-supported: "thumbnails"'],
])('%j is reported by its key', (config, start) => {
  const problems = problemsOf(config);
  expect(problems).toHaveLength(1);
  expect(problems[0]).toContain(start);
});

test('supported settings are not reported', () => {
  expect(
    problemsOf({
      fonts: { family: 'Lora', source: '/lora.woff2', body: { family: 'Inter' } },
      contextual: { options: ['copy', 'view', 'chatgpt', 'mcp', { title: 'Ask us', href: 'https://example.com?q=$mcp' }] },
      styling: { codeblocks: 'dark', latex: true },
      api: {
        openapi: { source: 'a.json', directory: 'b' },
        mdx: { server: 'https://a.example' },
        playground: { display: 'none' },
        params: { expanded: 'all' },
        examples: { languages: ['curl'] },
      },
      seo: { organization: {} },
      banner: { content: 'x', color: '#fff' },
      interaction: { drilldown: true },
      markdown: { instructions: 'Be brief.' },
      navigation: {
        languages: [{ language: 'de', footer: {}, groups: [{ group: 'G', directory: 'card', pages: ['a'] }] }],
      },
    }),
  ).toEqual([]);
  for (const codeblocks of ['system', 'dracula', { theme: { light: 'github-light', dark: 'github-dark' } }])
    expect(problemsOf({ styling: { codeblocks } })).toEqual([]);
});

test.each([
  [
    'openapi: "GET /users"',
    'warning specification-page-missing: a.mdx shows its own text, but not "GET /users": not found in any specification in the docs folder.',
  ],
  [
    'asyncapi: "x.yaml chat"',
    'warning specification-page-missing: a.mdx shows its own text, but not "x.yaml chat": not found in any specification in the docs folder.',
  ],
  [
    'api: "GET example.com"',
    'warning page-operation-invalid: "api" in the frontmatter of a.mdx is "GET example.com", which is not a method and a URL, so the page shows no operation.',
  ],
])('a page with %s is reported by name and still exported', (line, message) => {
  expect(problemsOf({}, { a: `---\n${line}\n---\nBody` })).toEqual([message]);
});

test('scripts in the folder are reported', () => {
  const site = buildSite(sourceOf(['a'], { navigation: { pages: ['a'] } }, ['custom.js', 'a.css']));
  expect(kinds(site)).toEqual(['script-not-run']);
});
