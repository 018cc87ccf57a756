// Settings of the reference in docs.json: `api.params.expanded` and `api.examples.languages`.
import { objectOf } from '../../integration/text/json.ts';
import { isComponent, type MarkdownNode } from '../markdown/tree.ts';

const aliases: Record<string, string> = {
  curl: 'bash',
  sh: 'bash',
  shell: 'bash',
  javascript: 'js',
  node: 'js',
  py: 'python',
  golang: 'go',
  rb: 'ruby',
  kt: 'kotlin',
  'c#': 'csharp',
  dotnet: 'csharp',
  rs: 'rust',
};

function languageOf(name: unknown): string {
  const written = String(name).toLowerCase();
  return Object.hasOwn(aliases, written) ? aliases[written]! : written;
}

/** What the settings change on pages of operations, as text for cache keys; '' for nothing. */
export function settingsKey(api: unknown): string {
  const { expanded } = objectOf(objectOf(api).params);
  const { languages } = objectOf(objectOf(api).examples);
  return expanded === 'all' || Array.isArray(languages) ? JSON.stringify([expanded, languages]) : '';
}

/** The nodes of a page with all fields open, and with the samples of a request in the wanted languages only, if any is. */
export function withSettings(nodes: MarkdownNode[], api: unknown): MarkdownNode[] {
  if (settingsKey(api) === '') return nodes;
  const isExpanded = objectOf(objectOf(api).params).expanded === 'all';
  const { languages } = objectOf(objectOf(api).examples);
  const wanted = Array.isArray(languages) ? languages.map(languageOf) : [];
  const change = (node: MarkdownNode): MarkdownNode => {
    const children = node.children?.map(change);
    if (!isComponent(node)) return children ? { ...node, children } : node;
    const changed = { ...node, children: children ?? [] };
    if (isExpanded && node.name === 'Expandable') changed.props = { ...node.props, defaultOpen: true };
    if (node.name === 'RequestExample' && node.props.generated === true) {
      const order = (sample: MarkdownNode) => wanted.indexOf(languageOf(sample.props?.language));
      const shown = changed.children.filter((sample) => order(sample) >= 0).sort((a, b) => order(a) - order(b));
      if (shown.length > 0) changed.children = shown;
    }
    return changed;
  };
  return nodes.map(change);
}
