import { describe, expect, test } from 'vitest';
import { parseFast, parseWithRemark } from '../../../src/markdown/parse.ts';
import { createRenderer } from '../../../src/markdown/render.ts';
import { fixtureFile, fixtureNames, fixturePage, options } from './fixtures.ts';

describe.each(fixtureNames)('%s', (name) => {
  test('becomes the expected HTML and Markdown', async () => {
    const renderer = createRenderer(options);
    const { html, markdown } = await renderer.render(fixturePage(name));
    await expect(`${html}\n`).toMatchFileSnapshot(fixtureFile(name, '.html'));
    await expect(`${markdown}\n`).toMatchFileSnapshot(fixtureFile(name, '.out.md'));
  });

  test('gives the same result with both parsers', async () => {
    const fast = await createRenderer({ ...options, parser: parseFast }).render(fixturePage(name));
    const remark = await createRenderer({ ...options, parser: parseWithRemark }).render(fixturePage(name));
    expect(remark.html).toBe(fast.html);
    expect(remark.markdown).toBe(fast.markdown);
    expect(remark.degraded).toBe(fast.degraded);
    expect(remark.problems.map(({ kind }) => kind)).toEqual(fast.problems.map(({ kind }) => kind));
  });
});
