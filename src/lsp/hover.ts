import type { Hover } from 'vscode-languageserver/node';
import { propNames } from '../markdown/components/index.ts';
import { withoutCode } from '../markdown/parse.ts';
import type { EditorPosition } from './follow-folder.ts';
import { linksIn, pageOfLink } from './links.ts';

/** The page that a link opens, or the attributes of a component. */
export function hoverAt(at: EditorPosition): Hover | null {
  const { document, offset } = at;
  const text = withoutCode(document.getText());
  const show = (value: string, start: number, end: number): Hover => ({
    contents: { kind: 'markdown', value },
    range: { start: document.positionAt(start), end: document.positionAt(end) },
  });
  const link = linksIn(text).find(({ start, url }) => start <= offset && offset <= start + url.length);
  const page = link && pageOfLink(link.url, at);
  if (page)
    return show([`**${page.title}**`, page.description].filter(Boolean).join('\n\n'), link.start, link.start + link.url.length);
  const start = text.lastIndexOf('<', offset);
  const [tag, name = ''] = /^<\/?([A-Z][\w.]*)/.exec(text.slice(start, start + 100)) ?? [];
  if (tag === undefined || offset > start + tag.length || !Object.hasOwn(propNames, name)) return null;
  return show(`\`<${name}>\` with ${propNames[name]!.replace(/\S+/g, '`$&`').replaceAll(' ', ', ')}`, start, start + tag.length);
}
