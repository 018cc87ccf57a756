// What a page of the reference describes: an operation, webhook or schema of an OpenAPI specification, a channel of an AsyncAPI specification, a
// definition of a GraphQL schema.
import type { ReferenceLabels } from '../../integration/texts/index.ts';
import { objectOf } from '../../integration/text/json.ts';
import { string, type Json } from './json.ts';

export interface Described {
  /** As in a navigation entry or in frontmatter: 'GET /users', 'webhook created', 'schema User', the key of a channel; 'type User' in GraphQL. */
  name: string;
  /** The tag of its page: 'GET', 'WEBHOOK', 'SEND'. */
  badge?: string;
  title: string;
  /** Address of a channel. */
  address?: string;
  /** The summary if it can be a title, and what the page says below its title. */
  summary?: string;
  description?: string;
  deprecated: boolean;
  /** Its first tag, and the group that the navigation lists it in. */
  tag?: string;
  group?: string;
  /** The group's name, if the language of the navigation entry decides it. */
  groupLabel?: keyof ReferenceLabels;
  /** Names of the definitions that its page links to. */
  uses?(): string[];
  /** Path of its page, if the specification sets one. */
  href?: string;
  /** The page exists, but the navigation does not list it automatically. */
  hidden: boolean;
  /** Frontmatter of its page, and MDX before the reference. */
  metadata: Json;
  content: string;
  /** Of all that its page shows. */
  digest(): string;
}

/** What the extensions of the hosted format say about a page. */
export function extensionsOf(value: Json): Pick<Described, 'href' | 'hidden' | 'metadata' | 'content'> {
  const mint = objectOf(value['x-mint']);
  return {
    ...(string(mint.href) !== undefined && { href: mint.href as string }),
    hidden: value['x-hidden'] === true,
    metadata: { ...(mint.groups !== undefined && { groups: mint.groups }), ...objectOf(mint.metadata) },
    content: string(mint.content) ?? '',
  };
}

const longestTitle = 120;

/** A summary of several lines or sentences is not a title: it comes before the description. */
export function textsOf(value: Json): Pick<Described, 'summary' | 'description'> {
  const summary = string(value.summary)?.trim() || undefined;
  const description = string(value.description);
  if (summary === undefined || (summary.length <= longestTitle && !summary.includes('\n'))) return { summary, description };
  return { description: description === undefined ? summary : `${summary}\n\n${description}` };
}

/** What problems name as the file of a page that only a specification describes. */
export function generatedFile({ specification, name }: { specification: string; name: string }): string {
  return `${specification} (${name})`;
}
