// Mermaid diagrams: drawn during the export; what cannot be drawn then is drawn by a script in the reader's browser.
import type { Element } from 'hast';
import { shortened } from '../../integration/text/beginning.ts';
import type { RenderContext } from './context.ts';
import type { Drawing } from './diagram-drawer.ts';
import { lineOfSource } from './line-of-source.ts';
import { text, texts } from './components/props.ts';
import { type ComponentNode, element, raw, textOf } from './tree.ts';

/** Types that the packaged build of Mermaid does not include. */
const unknownTypes = /^(?:mindmap|architecture(?:-beta)?|zenuml)\b/;

/** Longest text of a diagram in characters. */
const longestText = 300;
/** To what part of its size a diagram shrinks before it scrolls, so that its text stays readable. */
const smallest = 0.75;

export function diagram(source: string, title: string | undefined, context: RenderContext): Element {
  const name = diagramText(source) || 'Mermaid';
  const drawing = context.drawings.get(source);
  const [unknownType] = unknownTypes.exec(withoutSettings(source).trim()) ?? [];
  const caption = title !== undefined && element('figcaption', {}, [title]);
  const label = element('p', { class: 'c-diagram-label c-visually-hidden' }, [name]);
  if (drawing && 'svg' in drawing) {
    const number = context.nextNumber();
    return element('figure', { class: 'c-diagram c-diagram-drawn' }, [
      caption,
      label,
      element('div', { class: 'c-diagram-drawing', tabindex: 0, 'data-carrel-skip': '' }, [raw(placed(drawing, name, number))]),
    ]);
  }
  const isInBrowser = unknownType === undefined && !drawing?.isInSource;
  report(source, { drawing, unknownType }, context);
  const fault = context.labels.diagramFault;
  const attributes = isInBrowser ? { class: 'c-diagram c-diagram-source', 'data-carrel-fault': fault } : { class: 'c-diagram' };
  return element('figure', attributes, [
    caption,
    label,
    element('pre', { tabindex: 0, 'data-carrel-skip': '' }, [element('code', {}, [source])]),
    drawing?.isInSource &&
      unknownType === undefined &&
      element('p', { class: 'c-diagram-fault', 'data-carrel-skip': '' }, [
        fault.replace('{message}', () => reasonOf(drawing.fault)),
      ]),
  ]);
}

/** The source of a diagram that is written as a component or as HTML instead of a code fence. */
export function diagramElement({ name, props, children }: ComponentNode): string | undefined {
  const isDiagram =
    name === 'Mermaid' ||
    (codeElements.has(name) && text(props.language ?? props.lang) === 'mermaid') ||
    (htmlElements.has(name) &&
      texts(props.className ?? props.class)
        .join(' ')
        .split(/\s+/)
        .includes('mermaid'));
  if (!isDiagram) return undefined;
  const given = text(props.chart) ?? text(props.value) ?? text(props.code) ?? children.map(textOf).join('');
  return given.trim() === '' ? undefined : given.replace(/^\n|\n\s*$/g, '');
}

const codeElements = new Set(['CodeBlock', 'Code']);
const htmlElements = new Set(['pre', 'div']);

/** The SVG with its size and name; its ids are those of one diagram of the page. */
function placed({ svg, width }: Extract<Drawing, { svg: string }>, name: string, number: number): string {
  const label = name.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
  const shrinks = `max-width:${width}px;width:max(100%,${Math.round(width * smallest)}px)`;
  return svg
    .replace(/(="url\(#|\sid=")m(?=\d)/g, `$1c-diagram-${number}-`)
    .replace('<svg', () => `<svg role="img" aria-label="${label}" style="${shrinks}"`);
}

function report(
  source: string,
  { drawing, unknownType }: { drawing: Drawing | undefined; unknownType: string | undefined },
  context: RenderContext,
): void {
  const line = lineOfSource(source, context.page, undefined);
  const at = line !== undefined && { line };
  if (unknownType !== undefined) {
    const message = `A Mermaid diagram of the type "${unknownType}", which Carrel cannot draw, is shown as source code.`;
    const hint = 'Draw it as another type, such as a flowchart, or as an image.';
    context.report({ kind: 'diagram-shown-as-code', ...at, message, hint }, source);
    return;
  }
  if (!drawing || 'svg' in drawing) return;
  const reason = reasonOf(drawing.fault);
  if (drawing.isInSource) {
    const message = `A Mermaid diagram is shown as source code: ${reason}.`;
    context.report({ kind: 'diagram-shown-as-code', ...at, message, hint: 'Correct the diagram.' }, source);
  } else {
    const message = `A Mermaid diagram is drawn by a script in the reader's browser: ${reason}.`;
    context.report({ kind: 'diagram-drawn-in-browser', ...at, message }, source);
  }
}

/** Mermaid's message with the part of the source that it names, in one line. */
function reasonOf(fault: string): string {
  const [first = '', second = ''] = fault.split('\n');
  const text = (first.endsWith(':') ? `${first} ${second}` : first).replace(/\s+/g, ' ').replace(/[.:\s]+$/, '');
  return shortened(text, 200);
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
  return shortened(said.join(', '), longestText);
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
