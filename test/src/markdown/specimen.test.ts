import { expect, test } from 'vitest';
import { createRenderer } from '../../../src/markdown/render.ts';
import { options, page } from './fixtures.ts';

const renderer = createRenderer(options);

test('a prompt is copied as Markdown', async () => {
  const body = '<Prompt description="Ask **well**">\n  You are a **writer**.\n\n  - Be brief.\n  - Use `code`.\n</Prompt>\n';
  const { html, markdown } = await renderer.render(page(body));
  const text = 'You are a **writer**.\n\n- Be brief.\n- Use `code`.';
  expect(html).toContain(`<code>${text}</code>`);
  expect(html).toContain('<figcaption class="c-prompt-description"><span>Ask <strong>well</strong></span></figcaption>');
  expect(markdown).toBe(`Ask **well**\n\n\`\`\`\`text\n${text}\n\`\`\`\``.replaceAll('````', '```'));
});

test('panels are beside the text, before the first heading', async () => {
  const { html } = await renderer.render(page('Text.\n\n## One\n\nMore.\n\n<Panel>\n  Aside.\n</Panel>\n'));
  expect(html.indexOf('class="c-examples"')).toBeLessThan(html.indexOf('<h2'));
  expect(html).toMatch(/<div class="c-examples"><div class="c-examples-body"><div class="c-panel"><p>Aside\.<\/p><\/div>/);
});

test.each([
  [
    '"#0af"',
    '<span class="c-color-swatch" style="background:#0af"></span> <span class="c-color-name">Sea</span> <code>#0af</code>',
  ],
  [
    '{{ light: "#fff", dark: "#000" }}',
    '<span class="c-color-swatch" style="background:light-dark(#fff,#000)"></span> <span class="c-color-name">Sea</span> <code class="c-only-light">#fff</code> <code class="c-only-dark">#000</code>',
  ],
  [
    '{{ dark: "#000" }}',
    '<span class="c-color-swatch" style="background:#000"></span> <span class="c-color-name">Sea</span> <code>#000</code>',
  ],
  ['"url(x)"', '<span class="c-color-name">Sea</span>'],
])('a color with the value %s is shown in the color scheme of the reader', async (value, expected) => {
  const { html } = await renderer.render(page(`<Color>\n  <Color.Item name="Sea" value=${value} />\n</Color>\n`));
  expect(html).toContain(`<div class="c-color">${expected}</div>`);
});

const code = 'if (a) {\n  b("*x*");\n\n    // c\n}';
const indented = code.replaceAll('\n', '\n    ');

test.each([
  ['a fence', `<CodeBlock>\n\n\`\`\`js\n${code}\n\`\`\`\n\n</CodeBlock>`],
  ['a fence without a blank line', `<CodeBlock language="js">\n\`\`\`js\n${code}\n\`\`\`\n</CodeBlock>`],
  ['a string in backticks', `<CodeBlock language="js">\n{\`${code}\`}\n</CodeBlock>`],
  ['an indented string in backticks', `<div>\n  <CodeBlock language="js">\n    {\`${indented}\`}\n  </CodeBlock>\n</div>`],
  [
    'a string in backticks in a list',
    `- Item\n\n  <CodeBlock language="js">\n  {\`${code.replaceAll('\n', '\n  ')}\`}\n  </CodeBlock>`,
  ],
  ['a string', `<CodeBlock language="js">{${JSON.stringify(code)}}</CodeBlock>`],
  ['an attribute', `<CodeBlock language="js" code={\`${code}\`} />`],
  ['an attribute of Astro', `<Code lang="js" code={\`${code}\`} />`],
])('code of an element is highlighted, and has its whitespace: %s', async (_, body) => {
  const { html, markdown, problems } = await renderer.render(page(body));
  const [, shown = ''] = /<code>(.*?)<\/code>/s.exec(html) ?? [];
  expect(shown).toMatch(/<span class="[^"]+">if<\/span>/);
  expect(shown.replace(/<[^>]*>/g, '').replaceAll('&quot;', '"')).toBe(code);
  expect(markdown.replace(/^ {2}(?=.)/gm, (indent) => (body.startsWith('- ') ? '' : indent))).toContain(`\n${code}\n`);
  expect(problems).toEqual([]);
});

test('code of an element as plain text is verbatim', async () => {
  const text = 'if [ "$a" ]; then\n  make *_x_*\n\n# done\nfi';
  const { html, markdown } = await renderer.render(page(`<CodeBlock language="bash">\n${text}\n</CodeBlock>`));
  expect(html.replace(/<[^>]*>/g, '')).toContain('  make *_x_*\n\n# done\n');
  expect(markdown).toContain('  make *_x_*\n\n# done\n');
});
