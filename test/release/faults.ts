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
