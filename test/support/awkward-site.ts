import { cp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

const fixture = path.resolve(import.meta.dirname, '../../fixtures/awkward');

/** Pages whose names git cannot check out everywhere: Windows refuses two of them, macOS normalizes the third. */
const unportable: Record<string, string> = {
  'names/what?': 'With a question mark',
  'names/con': 'Reserved device',
  'names/nai\u0308ve': 'Decomposed accent',
};

/** Writes `fixtures/awkward` to a new folder, with the pages that a repository cannot contain. */
export async function writeAwkwardSite(folder: string): Promise<void> {
  await cp(fixture, folder, { recursive: true });
  for (const [name, title] of Object.entries(unportable)) {
    await writeFile(path.join(folder, `${name}.md`), `---\ntitle: ${title}\n---\n\nBack to [the start](/).\n`);
  }
  const config = JSON.parse(await readFile(path.join(folder, 'docs.json'), 'utf8')) as Config;
  config.navigation.groups[0]!.pages.push(...Object.keys(unportable));
  await writeFile(path.join(folder, 'docs.json'), JSON.stringify(config, null, 2));
  const home = path.join(folder, 'index.mdx');
  const links = Object.entries(unportable).map(
    ([name, title]) => `- [${title}](/${name.split('/').map(encodeURIComponent).join('/')})`,
  );
  await writeFile(home, `${await readFile(home, 'utf8')}\n${links.join('\n')}\n`);
}

interface Config {
  navigation: { groups: { pages: string[] }[] };
}
