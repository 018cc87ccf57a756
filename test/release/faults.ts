export interface ReleaseState {
  /** Of each package.json. */
  versions: Record<string, string>;
  changelog: string;
  /** What `git status --porcelain` prints. */
  status: string;
  /** The tags of the commit. */
  tags: string[];
  /** Where the source is, which npm compares with the provenance of a package. */
  repository: string | undefined;
}

/** What keeps this tree from being released, as sentences. */
export function releaseFaults({ versions, changelog, status, tags, repository }: ReleaseState): string[] {
  const [version = ''] = Object.values(versions);
  const faults: string[] = [];
  const different = Object.entries(versions).filter(([, other]) => other !== version);
  for (const [file, other] of different) faults.push(`${file} has version ${other}, and package.json ${version}.`);
  const { title } = newestSection(changelog);
  if (title.split(' ')[0] !== version)
    faults.push(`The first section of CHANGELOG.md is "${title}": name it "${version}", or change the version.`);
  else if (!newestSection(changelog).text) faults.push(`The section "${title}" of CHANGELOG.md is empty.`);
  if (status.trim()) faults.push(`The working tree has changes that are not committed:\n${status.trimEnd()}`);
  if (!tags.includes(`v${version}`)) faults.push(`The commit does not have the tag v${version}.`);
  if (!repository) faults.push('package.json has no "repository", which npm needs for the provenance of a package.');
  return faults;
}

/** The section of the changelog on top: its title, and its text as notes of a release. */
export function newestSection(changelog: string): { title: string; text: string } {
  const [, section = ''] = changelog.split(/^## /m);
  const [title = '', ...lines] = section.split('\n');
  return { title: title.trim(), text: lines.join('\n').trim() };
}

const mostLines = 60;

/** The notes of a release: what is new first, and not more than people read. */
export function notesOf(text: string, tag: string): string {
  const entries = text.split(/^(?=- )/m).map((entry) => entry.trim());
  const sorted = [
    ...entries.filter((entry) => !entry.startsWith('- Fixes')),
    ...entries.filter((entry) => entry.startsWith('- Fixes')),
  ];
  const kept: string[] = [];
  let lines = 0;
  for (const entry of sorted) {
    lines += entry.split('\n').length;
    // A blank line, how many more there are, and the end of the file.
    if (lines > mostLines - 3) break;
    kept.push(entry);
  }
  const rest = sorted.length - kept.length;
  return `${kept.join('\n')}\n${rest > 0 ? `\nAnd ${rest} more: see CHANGELOG.md of ${tag}.\n` : ''}`;
}
