// What a model reads of a real export.
import { afterAll, expect, test } from 'vitest';
import { openAssistantSite } from '../assistant-site.ts';
import { openModelServer, textAnswer } from '../model-server.ts';
import type { PlainPage } from '../../../support/indexed-export.ts';

const pages: PlainPage[] = [
  {
    path: 'guides/limits',
    title: 'Limits',
    markdown: `## Rate limits

| Key | Limit a minute |
| --- | --- |
| \`fp\` | 60 |

Raise them as in [keys](../reference/keys.md#rotation), or see [above](#rate-limits) and [elsewhere](https://example.com/a.md).

## Quota windows

Quota windows are set as follows:

## Example of windows

\`\`\`json
{ "window": "hour" }
\`\`\`
`,
  },
  { path: 'reference/keys', title: 'Keys', markdown: '## Rotation\n\nRotate the keys of readers each month.\n' },
];

const model = await openModelServer(textAnswer('So [1].'));
const site = await openAssistantSite(pages);
afterAll(() => model.close());

async function read(question: string, siteUrl?: string): Promise<{ id: string; text: string }[]> {
  await site.configure({ model: { baseUrl: model.url, model: 'scripted' } }, siteUrl === undefined ? {} : { siteUrl });
  await site.ask(question);
  const { content } = model.requests.at(-1)!.body.messages.at(-1)!;
  const found = content.matchAll(/^<passage (\d+) ([0-9a-f]+)>\nFrom: .*\(\/(.*)\)\n([^]*?)\n<\/passage \1 \2>/gm);
  return [...found].map(([, , , id, text]) => ({ id: id!, text: text! }));
}

test('a section is its Markdown, with links to where readers find the pages', async () => {
  const [best] = await read('What is the rate limit per minute?');
  expect(best).toEqual({
    id: 'guides/limits#rate-limits',
    text: `| Key | Limit a minute |
| --- | --- |
| \`fp\` | 60 |

Raise them as in [keys](/reference/keys#rotation), or see [above](/guides/limits#rate-limits) and [elsewhere](https://example.com/a.md).`,
  });
});

test('links have the URL of the site where it is known, as sources do', async () => {
  const [best] = await read('What is the rate limit per minute?', 'https://docs.example.com/base');
  expect(best!.text).toContain('[keys](https://docs.example.com/base/reference/keys#rotation)');
});

test('a section that introduces the next one comes with it, and leads without content do not come', async () => {
  const found = await read('How are quota windows set?');
  expect(found.slice(0, 2)).toEqual([
    { id: 'guides/limits#quota-windows', text: 'Quota windows are set as follows:' },
    { id: 'guides/limits#example-of-windows', text: '```json\n{ "window": "hour" }\n```' },
  ]);
  expect(found.map(({ id }) => id)).not.toContain('guides/limits');
});

test('a page whose lead has no content is read and cited at its first section', async () => {
  const found = await read('limits');
  expect(found[0]!.id).toMatch(/^guides\/limits#/);
  expect(found.every(({ text }) => text.trim() !== '')).toBe(true);
});
