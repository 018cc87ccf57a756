import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Writes docs with a large navigation of few pages: most entries are links to another site. */
export async function writeLargeSite(folder: string): Promise<void> {
  const pages = new Set<string>();
  const own = (page: string) => {
    pages.add(page);
    return page;
  };
  const outside = (count: number, name: string) =>
    Array.from({ length: count }, (_, index) => `https://${name}-${index}.example`);

  const basics = { group: 'Basics', pages: Array.from({ length: 150 }, (_, index) => own(`basics/step-${index}`)) };
  const topics = {
    group: 'Topics',
    pages: Array.from({ length: 30 }, (_, index) => ({
      group: `Topic ${index}`,
      pages: [own(`topics/${index}`), own(`topics/${index}/more`)],
    })),
  };
  const big = { group: 'Everything', pages: [...outside(25_000, 'a'), own('big/middle'), ...outside(25_000, 'b')] };
  let deep: object = { group: 'Level 2000', pages: [own('deep/last'), ...outside(100, 'deep')] };
  for (let level = 1999; level > 0; level--)
    deep = { group: `Level ${level}`, pages: [...(level === 1 ? [own('deep/first')] : []), deep] };
  const everywhere = Array.from({ length: 40 }, (_, index) => ({
    group: `Place ${index}`,
    pages: [...(index === 30 ? [own('places/thirty')] : []), own('everywhere'), ...outside(5, `place-${index}`)],
  }));
  const places = { group: 'Places', pages: [own('places'), ...everywhere] };
  const tabs = [
    { tab: 'Guides', groups: [basics, topics] },
    { tab: 'Big', groups: [big] },
    { tab: 'Deep', groups: [deep] },
    { tab: 'Places', groups: [places] },
  ];
  const docs = { name: 'Large', theme: 'mint', colors: { primary: '#0f766e' }, navigation: { tabs } };
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'docs.json'), JSON.stringify(docs));
  for (const page of pages) {
    const file = path.join(folder, `${page}.md`);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, `---\ntitle: ${page.replaceAll('/', ' ')}\n---\n\nThis is the page ${page}.\n`);
  }
}
