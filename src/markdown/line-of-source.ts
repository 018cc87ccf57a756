import type { SourcePage } from '../source/source.ts';

/** Line of a formula or a diagram in the page's file. `start` is the line in its Markdown, which can be that of a snippet. */
export function lineOfSource(source: string, { body, bodyLine }: SourcePage, start: number | undefined): number | undefined {
  const [first = ''] = source.trim().split('\n');
  const lines = body.split('\n').map((line) => line.includes(first));
  const near = start === undefined ? -1 : lines.indexOf(true, start - 1);
  const at = near >= 0 && near <= start! ? near : lines.indexOf(true);
  return at < 0 ? undefined : bodyLine + at + 1;
}
