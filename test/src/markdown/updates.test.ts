import { expect, test } from 'vitest';
import { createRenderer } from '../../../src/markdown/render.ts';
import { dateIn } from '../../../src/markdown/updates.ts';
import { options, page } from './fixtures.ts';

async function updatesOf(body: string) {
  return (await createRenderer(options).render(page(body))).updates;
}

test('an update without headings is one entry with its text, tags and date', async () => {
  const body = `<Update label="October 2026" description="4.2" tags={["Queues", "Workers"]}>
  Jobs **wait** less.

  - They start at once.

  \`\`\`bash
  tidewater run
  \`\`\`
</Update>`;
  expect(await updatesOf(body)).toEqual([
    {
      id: 'october-2026',
      title: 'October 2026',
      text: 'Jobs wait less. They start at once.',
      date: '2026-10-01',
      tags: ['Queues', 'Workers'],
    },
  ]);
});

test('each heading of an update is an entry with its own anchor', async () => {
  const body = `<Update label="2026-05-04">
  Before.

  ## Keys

  First.

  ## Keys

  Second.
</Update>

## Not an update

Text.`;
  expect(await updatesOf(body)).toEqual([
    { id: 'keys', title: 'Keys', text: 'First.', date: '2026-05-04', tags: [] },
    { id: 'keys-2', title: 'Keys', text: 'Second.', date: '2026-05-04', tags: [] },
  ]);
});

test('rss names the entry', async () => {
  const body = `<Update label="4.0" rss={{ title: "Tidewater 4.0", description: "One file." }}>
  ## Files

  Text.
</Update>`;
  expect(await updatesOf(body)).toEqual([{ id: '4-0', title: 'Tidewater 4.0', text: 'One file.', date: undefined, tags: [] }]);
});

test('a long text is cut at a word', async () => {
  const [entry] = await updatesOf(`<Update label="a">${'word '.repeat(300)}</Update>`);
  expect(entry!.text).toMatch(/word…$/);
  expect(entry!.text.length).toBeLessThanOrEqual(501);
});

test.each([
  ['2026-05-04', '2026-05-04'],
  ['2026-05', '2026-05-01'],
  ['v1.2 (May 2026)', '2026-05-01'],
  ['May 4, 2026', '2026-05-04'],
  ['Week of Sept 21st 2026', '2026-09-21'],
  ['4 May 2026', '2026-05-04'],
  ['2nd of May 2026', '2026-05-01'],
  ['2026-13-01', undefined],
  ['February 31, 2026', undefined],
  ['05/04/2026', undefined],
  ['v2.2026', undefined],
  ['', undefined],
])('the date in %j is %s', (label, date) => {
  expect(dateIn(label)).toBe(date);
});
