// Mermaid diagrams: the page has the source, which its script draws, and what the diagram says as text.
import type { Element } from 'hast';
import type { RenderContext } from './context.ts';
import { element } from './tree.ts';

/** Types that the packaged build of Mermaid does not include. */
const unknownTypes = /^(?:mindmap|architecture(?:-beta)?|zenuml)\b/;

/** Longest text of a diagram in characters. */
const longestText = 300;

export function diagram(source: string, title: string | undefined, context: RenderContext): Element {
  const text = diagramText(source);
  const type = withoutSettings(source).trim();
  const isUnknown = unknownTypes.test(type);
  if (isUnknown) {
    const [name] = unknownTypes.exec(type)!;
    context.report(
      {
        kind: 'diagram-shown-as-code',
        severity: 'note',
        message: `A Mermaid diagram of the type "${name}" is shown as source code.`,
      },
      source,
    );
  }
  const label = text === '' ? 'Mermaid' : text;
  return element('figure', { class: isUnknown ? 'c-diagram' : 'c-diagram c-diagram-source' }, [
    title !== undefined && element('figcaption', {}, [title]),
    element('p', { class: 'c-diagram-label visually-hidden' }, [label]),
    element('pre', { tabindex: 0, 'data-carrel-skip': '' }, [element('code', {}, [source])]),
  ]);
}

/** Titles, nodes, and what arrows say, in their order, as far as a reader without Mermaid's grammars can tell. */
function diagramText(source: string): string {
  const texts: string[] = [];
  /** Names that have a text of their own. */
  const named = new Set<string>();
  const settings = /^---\n([\s\S]*?)\n---/.exec(source.trimStart())?.[1] ?? '';
  const title = /^title:\s*(.+)$/m.exec(settings)?.[1];
  if (title) texts.push(clean(title));
  const [, ...lines] = withoutSettings(source).trim().split(/[\n;]/);
  for (const line of lines) {
    if (notShown.test(line)) continue;
    for (const piece of line
      .replace(classNames, '')
      .split(arrows)
      .flatMap((part) => part.split('|'))) {
      const shown = piece.trim().replace(keywords, '');
      const [, name, text] = alias.exec(shown) ?? shape.exec(shown) ?? [];
      if (name) named.add(name);
      for (const part of (text ?? shown).split(/\s*:\s+/)) texts.push(clean(part));
    }
  }
  const said = [...new Set(texts)].filter((text) => /[\p{L}\p{N}]/u.test(text) && !named.has(text));
  const all = said.join(', ');
  return all.length > longestText ? `${all.slice(0, longestText)}…` : all;
}

function withoutSettings(source: string): string {
  return source
    .trimStart()
    .replace(/^---\n[\s\S]*?\n---/, '')
    .replace(/%%\{[\s\S]*?\}%%/g, '')
    .replace(/^\s*%%.*$/gm, '');
}

const notShown =
  /^\s*(?:style|classDef|class\s+[\w,]+\s+\w+\s*$|click|link|links|linkStyle|direction|callback|autonumber|end\s*$|activate|deactivate|dateFormat|axisFormat|tickInterval|excludes|showData|\}|columns)\b/;
const keywords =
  /^(?:participant|actor|create|destroy|state|subgraph|class|section|title|accTitle:?|accDescr:?|note [^:]*:|loop|alt|else|opt|par|and|critical|option|break|rect\s+\S+\(.*\)|box|commit|branch|checkout|merge|x-axis|y-axis|bar|line|namespace)(?:\s+|$)/i;
const arrows = /\s*(?:[<ox*|}{.o]*(?:-{2,}|={2,}|-\.+-?|-(?=[)x>]))[-.=>ox*|)}{]*[>x)|]?|~~~|<\|)\s*/;
const classNames = /:::\w+/g;
/** `participant a as Text` without its keyword. */
const alias = /^([\w.-]+)\s+as\s+(.+)$/;
/** `a[Text]`, `a((Text))`, `a@{ label: Text }` and the like. */
const shape = /^([\w.-]+)(?:@\{[^}]*label:|\s*[[({>]+)\s*(.+?)[\])}]*$/;

function clean(text: string): string {
  const bare = text
    .replace(/<br\s*\/?>/gi, ' ')
    .replace(/<[^>]*>|[`*]{1,2}|^[\s"'[\](){}+>/\\]+|[\s"'[\]{}+/\\]+$/g, '')
    .replace(/#(?:quot|34);/g, '"')
    .replace(/\s+/g, ' ')
    .trim();
  return bare.includes('(') ? bare : bare.replace(/\)+$/, '');
}
