import { readFence } from './fence.ts';
import { codeSpan, fenced, indent, linkTo, quote, type MarkdownWriter } from './markdown-version.ts';
import { text, texts, isOn } from './components/props.ts';
import { isRemovedWhole, safeTag } from './sanitise.ts';
import { textOf, type ComponentNode, type MarkdownNode } from './tree.ts';

type Spelled = (node: ComponentNode, write: MarkdownWriter) => string;

/** A component in plain Markdown. */
export function componentMarkdown(node: ComponentNode, write: MarkdownWriter): string {
  const spelled = Object.hasOwn(components, node.name) ? components[node.name] : undefined;
  if (spelled) return spelled(node, write);
  const name = node.name.toLowerCase();
  if (isRemovedWhole(node.name) || name === 'svg') return '';
  if (safeTag(node.name) && Object.hasOwn(elements, name)) return elements[name]!(node, write);
  return body(node, write);
}

const body: Spelled = (node, write) => (node.inline ? write.inline(node.children) : write.blocks(node.children));

const callout =
  (label: string): Spelled =>
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

/** Bold words, unless a part of them is bold already. */
const bold = (words: string) => (words.includes('**') ? words : `**${words}**`);

const capitalised = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
const anyCallout: Spelled = (node, write) => callout(capitalised(text(node.props.type) ?? 'note'))(node, write);

const titled: Spelled = (node, write) => {
  const title = write.prop(node.props.title ?? node.props.label);
  return [title && bold(title), text(node.props.description), body(node, write)].filter(Boolean).join('\n\n');
};

const card: Spelled = (node, write) => {
  const title = write.prop(node.props.title);
  const href = node.props.href === undefined ? undefined : write.address(node.props.href);
  const content = [write.blocks(node.children), text(node.props.description)].filter(Boolean).join('\n\n');
  const head = href === undefined ? title && bold(title) : linkTo(title || href, href);
  return `- ${[head, content && indent(content, 2)].filter(Boolean).join(': ')}`;
};

/** Items of a list, one line after the other. */
const items: Spelled = (node, write) =>
  node.children
    .map((child) => write.blocks([child]))
    .filter(Boolean)
    .join(node.children.every((child) => child.type !== 'component' || /Card|Tile|Field/.test(child.name)) ? '\n' : '\n\n');

const steps: Spelled = (node, write) => {
  let number = 0;
  return node.children
    .filter((child) => child.type !== 'text')
    .map((child) => {
      if (child.type !== 'component' || child.name !== 'Step') return write.blocks([child]);
      number = Number(text(child.props.stepNumber)) || number + 1;
      const title = write.prop(child.props.title);
      const content = write.blocks(child.children ?? []);
      return `${number}. ${indent([title && bold(title), content].filter(Boolean).join('\n\n'), String(number).length + 2)}`;
    })
    .join('\n\n');
};

const field: Spelled = (node, write) => {
  const { props } = node;
  const place = ['path', 'body', 'query', 'header'].find((name) => props[name] !== undefined);
  const name = text(props.name) ?? (place && text(props[place])) ?? '';
  const facts = [
    text(props.type),
    place,
    isOn(props.required) && 'required',
    isOn(props.deprecated) && 'deprecated',
    text(props.default) && `default: ${text(props.default)}`,
    ...texts(props.pre),
    ...texts(props.post),
  ];
  const content = write.blocks(node.children);
  const known = facts.filter(Boolean).join(', ');
  return `- ${codeSpan(name)}${known && ` (${known})`}${content && `: ${indent(content, 2)}`}`;
};

const treeItem: Spelled = (node, write) => {
  const inner = node.children
    .map((child) => write.blocks([child]))
    .filter(Boolean)
    .join('\n');
  const comment = text(node.props.comment);
  return `- ${text(node.props.name) ?? ''}${node.name.endsWith('Folder') ? '/' : ''}${comment ? ` (${comment})` : ''}${inner && `\n  ${indent(inner, 2)}`}`;
};

const code: Spelled = (node) => {
  const { props } = node;
  const source = text(props.code) ?? node.children.map(textOf).join('');
  return fenced(
    source.replace(/^\n|\n\s*$/g, ''),
    [text(props.language) ?? text(props.lang), text(props.filename) ?? text(props.title)].filter(Boolean).join(' '),
  );
};

const image: Spelled = (node, write) => `![${text(node.props.alt) ?? ''}](${write.imageAddress(node.props.src) ?? ''})`;
const link: Spelled = (node, write) =>
  linkTo(write.inline(unwrapped(node.children)) || text(node.props.title) || '', write.address(node.props.href));
const embed: Spelled = (node, write) => {
  const source = node.props.src ?? (node.children.find((child) => child.name === 'source')?.props?.src as string | undefined);
  const href = write.address(source);
  return href ? linkTo(text(node.props.title) ?? href, href) : '';
};
const around =
  (mark: string): Spelled =>
  (node, write) => {
    const content = write.inline(unwrapped(node.children)).trim();
    return content && `${mark}${content}${mark}`;
  };
const heading: Spelled = (node, write) =>
  `${'#'.repeat(Number(node.name[1]) || Number(node.props.level) || 2)} ${write.inline(unwrapped(node.children)).trim()}`;

/** What stands in a lone paragraph, which MDX makes of words on a line of their own. */
function unwrapped(nodes: MarkdownNode[]): MarkdownNode[] {
  return nodes.length === 1 && nodes[0]!.type === 'paragraph' ? nodes[0]!.children! : nodes;
}

const components: Record<string, Spelled> = {
  Note: callout('Note'),
  Tip: callout('Tip'),
  Info: callout('Info'),
  Warning: callout('Warning'),
  Check: callout('Check'),
  Danger: callout('Danger'),
  Callout: anyCallout,
  Aside: anyCallout,
  Admonition: anyCallout,
  Card: card,
  LinkCard: card,
  Tile: card,
  CardGroup: items,
  CardGrid: items,
  Columns: items,
  Tab: titled,
  TabItem: titled,
  View: titled,
  Accordion: titled,
  Expandable: titled,
  Update: titled,
  Steps: steps,
  ParamField: field,
  ResponseField: field,
  'Tree.Folder': treeItem,
  'Tree.File': treeItem,
  Folder: treeItem,
  File: treeItem,
  Tree: items,
  FileTree: (node, write) => write.blocks(node.children),
  Frame: (node, write) =>
    [write.prop(node.props.hint), body(node, write), write.prop(node.props.caption)].filter(Boolean).join('\n\n'),
  Icon: () => '',
  Tooltip: (node, write) => `${write.inline(node.children)}${node.props.tip ? ` (${write.prop(node.props.tip)})` : ''}`,
  Badge: (node, write) => write.inline(unwrapped(node.children)) || write.prop(node.props.text),
  Latex: (node) => `$${node.children.map(textOf).join('')}$`,
  Visibility: (node, write) => (node.props.for === 'humans' ? '' : body(node, write)),
  Prompt: (node) =>
    [text(node.props.description), fenced(node.children.map(textOf).join('\n').trim(), 'text')].filter(Boolean).join('\n\n'),
  'GitHub.Repo': (node) => linkTo(text(node.props.repo) ?? '', `https://github.com/${text(node.props.repo) ?? ''}`),
  'Color.Item': (node) =>
    `- ${text(node.props.name) ?? ''}: ${typeof node.props.value === 'object' ? Object.values(node.props.value ?? {}).join(', ') : text(node.props.value)}`,
  CodeBlock: code,
  Code: code,
  Image: image,
  Link: link,
  LinkButton: link,
  Heading: heading,
};

const listOf =
  (marker: (i: number) => string): Spelled =>
  (node, write) =>
    node.children
      .filter((child) => child.type === 'component' && child.name === 'li')
      .map((child, i) => `${marker(i)} ${indent(write.blocks(child.children!), marker(i).length + 1)}`)
      .join('\n');

const elements: Record<string, Spelled> = {
  a: link,
  img: image,
  video: embed,
  iframe: embed,
  audio: embed,
  source: () => '',
  track: () => '',
  b: around('**'),
  strong: around('**'),
  em: around('*'),
  i: around('*'),
  del: around('~~'),
  s: around('~~'),
  code: (node) => codeSpan(node.children.map(textOf).join('')),
  pre: (node) =>
    fenced(
      node.children.map(textOf).join('').replace(/\n$/, ''),
      readFence(
        /language-([\w+#-]+)/.exec(String(node.children[0]?.props?.className ?? node.children[0]?.props?.class ?? ''))?.[1] ?? '',
        '',
      ).language,
    ),
  br: () => '\n',
  hr: () => '---',
  h1: heading,
  h2: heading,
  h3: heading,
  h4: heading,
  h5: heading,
  h6: heading,
  ul: listOf(() => '-'),
  ol: listOf((i) => `${i + 1}.`),
  summary: (node, write) => `**${write.inline(unwrapped(node.children)).trim()}**`,
  table: (node, write) => {
    const rows = rowsOf(node).map((row) =>
      row.map((cell) => write.inline(unwrapped(cell.children!)).replace(/\s+/g, ' ').trim()),
    );
    const [head, ...rest] = rows;
    if (!head) return '';
    return [head, head.map(() => '---'), ...rest].map((row) => `| ${row.join(' | ')} |`).join('\n');
  },
};

function rowsOf(node: MarkdownNode): MarkdownNode[][] {
  return (node.children ?? []).flatMap((child) => {
    if (child.name === 'tr') return [(child.children ?? []).filter((cell) => cell.name === 'td' || cell.name === 'th')];
    return child.type === 'component' || child.type === 'paragraph' ? rowsOf(child) : [];
  });
}
