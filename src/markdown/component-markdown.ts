import type { ReferenceLabels } from '../../integration/texts/index.ts';
import { each } from '../../integration/text/each.ts';
import { classLanguage, isOn, text, texts } from './components/props.ts';
import { readFence } from './code-block.ts';
import { isHtmlName, isRemovedWhole, safeTag } from './sanitize.ts';
import { type ComponentNode, isComponent, type MarkdownNode, type Props, type PropValue, textOf } from './tree.ts';

type Writer = (node: ComponentNode, write: MarkdownWriter) => string;

/** The code of an element: that of its attribute, or what it contains, verbatim. */
export function codeIn(props: Props, children: MarkdownNode[], markdown: (nodes: MarkdownNode[]) => string): string {
  const isText = children.every(({ type }) => /^(?:text|code|fragment)$/.test(type));
  const code = text(props.code) ?? (isText ? children.map(textOf).join('') : markdown(children));
  return code.replace(/^\n|\n\s*$/g, '');
}

/** A component as plain Markdown. */
export function componentMarkdown(node: ComponentNode, write: MarkdownWriter): string {
  const name = node.name.toLowerCase();
  const component = Object.hasOwn(components, node.name) ? components[node.name] : undefined;
  const element = isHtmlName(node.name) && safeTag(node.name) && Object.hasOwn(elements, name) ? elements[name] : undefined;
  if (component) return component(node, write);
  if (isRemovedWhole(node.name) || name === 'svg') return '';
  return (element ?? body)(node, write);
}

const body: Writer = (node, write) => (node.inline ? write.inline(node.children) : write.blocks(node.children));

const callout =
  (label: string): Writer =>
  (node, write) => {
    const title = write.prop(node.props.title);
    const content = body(node, write);
    return quote(
      title
        ? `${bold(title)}\n\n${content}`
        : content.startsWith('- ') || content.startsWith('```')
          ? `**${label}:**\n\n${content}`
          : `**${label}:** ${content}`,
    );
  };

/** Bold text, unless a part of it is bold already. */
const bold = (title: string) => (title.includes('**') ? title : `**${title}**`);

const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
const anyCallout: Writer = (node, write) => callout(capitalized(text(node.props.type) ?? 'note'))(node, write);

/** Content below its title, which is the first of these props that is set. */
const titled =
  (...names: string[]): Writer =>
  (node, write) => {
    const title = write.prop(names.map((name) => node.props[name]).find((value) => value !== undefined));
    return [title && bold(title), text(node.props.description), body(node, write)].filter(Boolean).join('\n\n');
  };

const card: Writer = (node, write) => {
  const title = write.prop(node.props.title);
  const href = node.props.href === undefined ? undefined : write.linkUrl(node.props.href);
  const content = [write.blocks(node.children), text(node.props.description)].filter(Boolean).join('\n\n');
  const head = href === undefined ? title && bold(title) : linkTo(title || href, href);
  return `- ${[head, content && indent(content, 2)].filter(Boolean).join(': ')}`;
};

/** Items of a list, separated by line breaks where all are list items. */
const items: Writer = (node, write) =>
  node.children
    .map((child) => write.blocks([child]))
    .filter(Boolean)
    .join(node.children.every((child) => !isComponent(child) || /Card|Tile|Field/.test(child.name)) ? '\n' : '\n\n');

const steps: Writer = (node, write) => {
  let number = 0;
  return node.children
    .filter((child) => child.type !== 'text')
    .map((child) => {
      if (!isComponent(child) || child.name !== 'Step') return write.blocks([child]);
      number = Number(text(child.props.stepNumber)) || number + 1;
      const title = write.prop(child.props.title);
      const content = write.blocks(child.children);
      return `${number}. ${indent([title && bold(title), content].filter(Boolean).join('\n\n'), String(number).length + 2)}`;
    })
    .join('\n\n');
};

const field: Writer = (node, write) => {
  const { props } = node;
  const location = ['path', 'body', 'query', 'header'].find((name) => props[name] !== undefined);
  const name = text(props.name) ?? (location && text(props[location])) ?? '';
  const type = text(props.type);
  const typeHref = type && props.typeHref !== undefined ? write.linkUrl(props.typeHref) : undefined;
  const facts = [
    type && typeHref ? linkTo(type, typeHref) : type,
    location,
    isOn(props.required) && write.labels.required,
    isOn(props.deprecated) && write.labels.deprecated,
    text(props.default) && `${write.labels.default}: ${text(props.default)}`,
    ...texts(props.pre),
    ...texts(props.post),
  ];
  const content = write.blocks(node.children);
  const known = facts.filter(Boolean).join(', ');
  return `- ${codeSpan(name)}${known && ` (${known})`}${content && `: ${indent(content, 2)}`}`;
};

const endpoint: Writer = ({ props }) => codeSpan(`${text(props.method) ?? ''} ${text(props.path) ?? ''}`);

const treeItem: Writer = (node, write) => {
  const inner = node.children
    .map((child) => write.blocks([child]))
    .filter(Boolean)
    .join('\n');
  const comment = text(node.props.comment);
  return `- ${text(node.props.name) ?? ''}${node.name.endsWith('Folder') ? '/' : ''}${comment ? ` (${comment})` : ''}${inner && `\n  ${indent(inner, 2)}`}`;
};

const code: Writer = ({ props, children }, write) =>
  fenced(
    codeIn(props, children, (nodes) => write.blocks(nodes)),
    [text(props.language) ?? text(props.lang), text(props.filename) ?? text(props.title)].filter(Boolean).join(' '),
  );

const image: Writer = (node, write) => `![${text(node.props.alt) ?? ''}](${write.imageUrl(node.props.src) ?? ''})`;
const link: Writer = (node, write) =>
  linkTo(write.inline(unwrapped(node.children)) || text(node.props.title) || '', write.linkUrl(node.props.href));
const embed: Writer = (node, write) => {
  const source = node.props.src ?? node.children.find((child) => child.name === 'source')?.props?.src;
  const href = write.linkUrl(source);
  return href ? linkTo(text(node.props.title) ?? href, href) : '';
};
const around =
  (mark: string): Writer =>
  (node, write) => {
    const content = write.inline(unwrapped(node.children)).trim();
    return content && `${mark}${content}${mark}`;
  };
const heading: Writer = (node, write) =>
  `${'#'.repeat(Number(node.name[1]) || Number(node.props.level) || 2)} ${write.inline(unwrapped(node.children)).trim()}`;

/** The content of a single paragraph, which MDX makes of text on a line of its own. */
function unwrapped(nodes: MarkdownNode[]): MarkdownNode[] {
  return (nodes.length === 1 && nodes[0]?.type === 'paragraph' && nodes[0].children) || nodes;
}

const components: Record<string, Writer> = {
  Note: callout('Note'),
  Tip: callout('Tip'),
  Info: callout('Info'),
  Warning: callout('Warning'),
  Check: callout('Check'),
  Danger: callout('Danger'),
  ...each(anyCallout, 'Callout Aside Admonition'),
  ...each(card, 'Card LinkCard Tile'),
  ...each(items, 'CardGroup CardGrid Cards Columns Tree'),
  ...each(titled('title', 'label', 'value'), 'Tab TabItem Tabs.Tab View'),
  ...each(titled('title', 'label'), 'Accordion Expandable Update'),
  Steps: steps,
  Endpoint: endpoint,
  ...each(field, 'ParamField ResponseField'),
  ...each(treeItem, 'Tree.Folder Tree.File Folder File'),
  FileTree: (node, write) => write.blocks(node.children),
  Frame: (node, write) =>
    [write.prop(node.props.hint), body(node, write), write.prop(node.props.caption)].filter(Boolean).join('\n\n'),
  Icon: () => '',
  Tooltip: (node, write) => `${write.inline(node.children)}${node.props.tip ? ` (${write.prop(node.props.tip)})` : ''}`,
  Badge: (node, write) => write.inline(unwrapped(node.children)) || write.prop(node.props.text),
  Latex: (node) => `$${node.children.map(textOf).join('')}$`,
  Visibility: (node, write) => (node.props.for === 'humans' ? '' : body(node, write)),
  Prompt: (node, write) =>
    [write.prop(node.props.description), fenced(write.blocks(node.children).trim(), 'text')].filter(Boolean).join('\n\n'),
  'GitHub.Repo': (node) => linkTo(text(node.props.repo) ?? '', `https://github.com/${text(node.props.repo) ?? ''}`),
  'Color.Item': (node) =>
    `- ${text(node.props.name) ?? ''}: ${typeof node.props.value === 'object' ? Object.values(node.props.value ?? {}).join(', ') : text(node.props.value)}`,
  // Of generated samples, the first says it all.
  RequestExample: (node, write) => write.blocks(isOn(node.props.generated) ? node.children.slice(0, 1) : node.children),
  ...each(code, 'CodeBlock Code'),
  Image: image,
  ...each(link, 'Link LinkButton'),
  Heading: heading,
};

const listOf =
  (marker: (i: number) => string): Writer =>
  (node, write) =>
    node.children
      .filter((child) => isComponent(child) && child.name === 'li')
      .map((child, i) => `${marker(i)} ${indent(write.blocks(child.children ?? []), marker(i).length + 1)}`)
      .join('\n');

const elements: Record<string, Writer> = {
  a: link,
  img: image,
  ...each(embed, 'video iframe audio'),
  ...each(() => '', 'source track'),
  ...each(around('**'), 'b strong'),
  ...each(around('*'), 'em i'),
  ...each(around('~~'), 'del s'),
  code: (node) => codeSpan(node.children.map(textOf).join('')),
  pre: (node) =>
    fenced(
      node.children.map(textOf).join('').replace(/\n$/, ''),
      readFence(classLanguage(node.children[0]?.props ?? {}) ?? '', '').language,
    ),
  br: () => '\n',
  hr: () => '---',
  ...each(heading, 'h1 h2 h3 h4 h5 h6'),
  ul: listOf(() => '-'),
  ol: listOf((i) => `${i + 1}.`),
  summary: (node, write) => `**${write.inline(unwrapped(node.children)).trim()}**`,
  table: (node, write) => {
    const rows = rowsOf(node).map((row) =>
      row.map((cell) =>
        write
          .inline(unwrapped(cell.children ?? []))
          .replace(/\s+/g, ' ')
          .trim(),
      ),
    );
    const [head, ...rest] = rows;
    if (!head) return '';
    return [head, head.map(() => '---'), ...rest].map((row) => `| ${row.join(' | ')} |`).join('\n');
  },
};

function rowsOf(node: MarkdownNode): MarkdownNode[][] {
  return (node.children ?? []).flatMap((child) => {
    if (child.name === 'tr') return [(child.children ?? []).filter((cell) => cell.name === 'td' || cell.name === 'th')];
    return isComponent(child) || child.type === 'paragraph' ? rowsOf(child) : [];
  });
}

/** Writes nodes as Markdown. Components get it to write their children. */
export interface MarkdownWriter {
  blocks(nodes: MarkdownNode[]): string;
  inline(nodes: MarkdownNode[]): string;
  /** Content of a prop. */
  prop(value: PropValue): string;
  linkUrl(href: unknown): string | undefined;
  imageUrl(source: unknown): string | undefined;
  /** In the page's language. */
  labels: ReferenceLabels;
}

export function quote(text: string): string {
  return text.replace(/^/gm, '> ').replace(/^> $/gm, '>');
}

export function indent(text: string, width: number): string {
  return text.replace(/\n(?!\n|$)/g, `\n${' '.repeat(width)}`);
}

/** A fenced block whose fence is longer than any in the code. */
export function fenced(code: string, info: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`{3,}/g)].map((run) => run[0].length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${info}\n${code}\n${fence}`;
}

export function codeSpan(code: string): string {
  return code.includes('`') ? `\`\` ${code} \`\`` : `\`${code}\``;
}

export function linkTo(text: string, href: string | undefined, title?: string | null): string {
  if (href === undefined) return text;
  return `[${text}](${/[\s()]/.test(href) ? `<${href}>` : href}${title ? ` "${title.replace(/"/g, '&quot;')}"` : ''})`;
}
