// What the tags of Hugo themes, Jekyll, GitBook and GitHub Docs mean. A tag that is not listed shows its content or its text.
import { each } from '../../../integration/text/each.ts';
import { objectOf } from '../../../integration/text/json.ts';
import { blockLine, calloutLine, capitalized, isCallout } from './blocks.ts';
import { type Replacement, type Tag, unescaped } from './tags.ts';

export interface TagContext {
  frontmatter: Record<string, unknown>;
  /** The text of an included file; undefined if it cannot be read, which is reported. */
  include(path: string, line: number): string | undefined;
  /** A setting of the site: of Jekyll's `_config.yml`. */
  siteSetting(name: string): unknown;
  /** A parameter that Hugo's sections pass on to their pages. */
  sectionParameter(name: string): unknown;
  /** The file of a term of the glossary. */
  fileOfTerm(term: string): string | undefined;
  /** Reports a tag that has no meaning here, once for each name. */
  unknown(tag: Tag): void;
}

type Meaning = (tag: Tag, context: TagContext) => Replacement;

const block = (line: string): Replacement => ({ before: [line], after: [':::'] });
const first = (tag: Tag, ...names: string[]): string | undefined =>
  names.map((name) => tag.named[name]).find((value) => value !== undefined && value !== '');
const titleOf = (tag: Tag): string => first(tag, 'title', 'heading', 'header', 'summary', 'name', 'label') ?? '';

const callout =
  (type?: string): Meaning =>
  (tag) => {
    if (tag.inner === undefined) return textOnly(first(tag, 'content', 'text', 'message') ?? tag.positional.join(' '), type);
    const words = tag.positional.filter((word) => !/^(?:icon|markdown)$/.test(word));
    const named = first(tag, 'type', 'style', 'color', 'level', 'kind', 'class', 'context', 'theme');
    const positional = words[0] !== undefined && isCallout(words[0]) ? words.shift() : undefined;
    return block(
      calloutLine(type ?? named ?? positional ?? 'note', titleOf(tag) || words.find((word) => word.includes(' ')) || ''),
    );
  };

/** A callout whose text is an attribute. */
function textOnly(text: string, type = 'note'): Replacement {
  return text ? { before: [calloutLine(type), text, ':::'], text } : { text: '' };
}

const container =
  (name: string): Meaning =>
  (tag) =>
    tag.inner === undefined ? {} : block(name);

const details: Meaning = (tag) => {
  const words = tag.positional.filter((word) => word !== 'open' && word !== 'closed');
  const isOpen = tag.positional.includes('open') || tag.named.open === 'true' || tag.named.expanded === 'true';
  return block(`${blockLine('details', titleOf(tag) || words.join(' ') || 'Details')}${isOpen ? ' {open}' : ''}`);
};

const tab: Meaning = (tag, context) => {
  const items = tag.parent?.named.items?.split(',')[tag.index]?.trim();
  const title = titleOf(tag) || tag.positional[0] || items || tag.named.lang || `Tab ${tag.index + 1}`;
  const line = blockLine('tab', title);
  if (tag.inner === undefined) {
    const text = tag.named.include === undefined ? undefined : context.include(tag.named.include, tag.line);
    return { before: [line, ...(text?.split('\n') ?? []), ':::'], text: title };
  }
  const language = first(tag, 'codelang', 'lang', 'language') ?? (isCodePane(tag) ? (tag.parent?.named.lang ?? '') : undefined);
  if (language === undefined || hasMarkdown(tag.inner)) return block(line);
  return { before: [line, ''], after: [':::'], inner: fenced(tag.inner, language) };
};

/** Panes of Docsy contain code unless they say that they contain text. */
function isCodePane(tag: Tag): boolean {
  const isText = [tag, tag.parent].some((one) => one?.named.text === 'true' || one?.positional.includes('text=true'));
  return tag.parent?.name === 'tabpane' && !isText && tag.source.startsWith('{{<');
}

function hasMarkdown(inner: string): boolean {
  return /^[ \t]*(?:```|~~~|\{\{[<%](?!\/\*))/m.test(inner);
}

/** Code as a fence that is longer than any in it. */
function fenced(code: string, language: string, title = ''): string {
  const longest = Math.max(2, ...[...code.matchAll(/^[ \t]*(`{3,})/gm)].map(([, mark = '']) => mark.length));
  const fence = '`'.repeat(longest + 1);
  const info = `${language.replace(/[`\s]/g, '')}${title ? ` title="${title.replace(/["`\n]/g, '')}"` : ''}`;
  return `${fence}${info}\n${unescaped(code).replace(/^[ \t]*\n|\n[ \t]*$/g, '')}\n${fence}`;
}

const code =
  (language?: string): Meaning =>
  (tag) => {
    if (tag.inner === undefined) return {};
    const lang = language ?? first(tag, 'lang', 'language', 'type') ?? tag.positional[0] ?? '';
    const title = first(tag, 'title', 'filename', 'file', 'caption') ?? '';
    if (!hasMarkdown(tag.inner)) return { before: [], after: [], inner: fenced(tag.inner, lang, title) };
    // GitBook writes the title around the fence.
    const inner = title
      ? tag.inner.replace(
          /^([ \t>]*(?:```+|~~~+)[^\n`]*)/m,
          (fence) => `${fence.trimEnd()} title="${title.replace(/["`]/g, '')}"`,
        )
      : undefined;
    return { before: [], after: [], ...(inner !== undefined && { inner }) };
  };

const figure: Meaning = (tag) => {
  const source = first(tag, 'src', 'source', 'url', 'image', 'path', 'link') ?? tag.positional[0];
  if (!source) return {};
  const caption = first(tag, 'caption', 'title', 'attr') ?? '';
  const alt = (first(tag, 'alt') ?? caption).replace(/[[\]\n]/g, ' ');
  const image = `![${alt}](${destination(source)})`;
  const link = tag.named.src === undefined ? undefined : tag.named.link;
  const shown = link ? `[${image}](${destination(link)})` : image;
  const inner = tag.inner?.trim();
  if (inner && !caption) return { before: [':::figure', shown, ''], after: [':::'], text: shown };
  return caption && caption !== alt ? { before: [blockLine('figure', caption), shown, ':::'], text: shown } : { text: shown };
};

const image: Meaning = (tag) => {
  const source = first(tag, 'src', 'source', 'url', 'path') ?? tag.positional[0];
  return source
    ? {
        text: `![${(first(tag, 'alt', 'title', 'caption') ?? tag.positional[1] ?? '').replace(/[[\]\n]/g, ' ')}](${destination(source)})`,
      }
    : {};
};

function destination(url: string): string {
  return /[\s()<>]/.test(url) ? `<${url.replace(/[<>\n]/g, '')}>` : url;
}

/** A link around the content, or with the text of an attribute. */
const link: Meaning = (tag, context) => {
  if (tag.syntax === 'liquid' && tag.name === 'link') return reference(tag, context);
  const url = first(tag, 'href', 'link', 'url', 'relref', 'src', 'page', 'to') ?? tag.positional[0];
  if (!url) return {};
  const text = first(tag, 'text', 'title', 'label', 'content', 'name') ?? url;
  if (tag.inner?.trim()) return tag.inner.includes('\n') ? {} : { text: '[', end: `](${destination(url)})` };
  return { text: `[${text.replace(/[[\]\n]/g, ' ')}](${destination(url)})` };
};

const linkTo =
  (address: (id: string) => string, label: string): Meaning =>
  (tag) => {
    const id = first(tag, 'id', 'src', 'user') ?? tag.positional[0];
    const ids = tag.named.user !== undefined && tag.named.id !== undefined ? `${tag.named.user}/status/${tag.named.id}` : id;
    return ids ? { text: `[${(first(tag, 'title') ?? label).replace(/[[\]\n]/g, ' ')}](${destination(address(ids))})` } : {};
  };

const reference: Meaning = (tag) => {
  const path = (first(tag, 'path') ?? tag.positional[0] ?? '').trim();
  // Hugo finds a page by its path without the extension, too.
  // Jekyll's paths begin at the root of the site.
  const root = tag.name === 'link' && !path.startsWith('/') ? '/' : '';
  return { text: destination(root + path.replace(/\s/g, '%20').replace(/(^|\/)_index\.md/, '$1')) };
};

const removed: Meaning = (tag) => (tag.inner === undefined ? {} : { inner: '' });
const nothing: Meaning = () => ({});
const text =
  (value: string): Meaning =>
  () => ({ text: value });

const include: Meaning = (tag, context) => {
  const path = first(tag, 'file', 'path', 'src') ?? tag.positional.find((word) => word !== 'with');
  if (path === undefined) return {};
  const name = /^([\w-]+)\.html$/.exec(path)?.[1];
  if (name !== undefined && isCallout(name)) return textOnly(first(tag, 'content', 'text', 'message') ?? '', name);
  if (tag.syntax === 'liquid' && !/\.(?:mdx?|markdown|txt)$/i.test(path)) {
    if (/^(?:image|figure)\.html$/.test(path)) return figure({ ...tag, positional: [] }, context);
    context.unknown(tag);
    return { text: first(tag, 'content', 'text', 'title') ?? '' };
  }
  const read = context.include(path, tag.line);
  if (read === undefined) return { text: `\`${path}\`` };
  const language = first(tag, 'lang', 'language', 'code');
  const isCode = language !== undefined || !/\.(?:mdx?|markdown|txt|html?)$/i.test(path);
  const content = isCode ? fenced(read, language ?? /\.(\w+)$/.exec(path)?.[1] ?? '') : read;
  return { before: ['', ...content.split('\n'), ''], text: isCode ? `\`${path}\`` : read.trim() };
};

/** A term of the glossary with its definition, or its text with a link to it. */
const term: Meaning = (tag, context) => {
  const name = first(tag, 'term_id') ?? tag.positional.join(' ');
  const shown = first(tag, 'text') ?? name;
  const file = context.fileOfTerm(name);
  if (file === undefined) return { text: shown };
  return tag.name === 'glossary_tooltip'
    ? { text: `[${shown}](/${file})` }
    : include({ ...tag, named: {}, positional: [`/${file}`] }, context);
};

const headings: Record<string, string> = {
  whatsnext: "What's next",
  prerequisites: 'Before you begin',
  cleanup: 'Clean up',
  seealso: 'See also',
  envvars: 'Environment variables',
};

const heading: Meaning = (tag) => {
  const name = tag.positional[0] ?? '';
  return { text: headings[name.toLowerCase()] ?? capitalized(name) };
};

/** `{{ page.title }}`, `{{ site.baseurl }}/a`, `{{ '/a' | relative_url }}`. */
const output: Meaning = (tag, { frontmatter, siteSetting }) => {
  const written = tag.positional[0] ?? '';
  if (/^["']/.test(written)) return { text: written.slice(1, -1) };
  const [object = '', key = ''] = written.split(/\.(.*)/s);
  if (object === 'site' && /^(?:baseurl|url|github\.url)$/.test(key)) return {};
  const value = object === 'page' ? frontmatter[key] : object === 'site' ? siteSetting(key) : undefined;
  if (typeof value === 'string' || typeof value === 'number') return { text: String(value) };
  return { text: written };
};

const parameter: Meaning = (tag, context) => {
  const name = tag.positional[0] ?? first(tag, 'name') ?? '';
  const value = valueAt(context.frontmatter, name) ?? valueAt(context.frontmatter.params, name) ?? context.sectionParameter(name);
  if (typeof value === 'string' || typeof value === 'number') return { text: String(value) };
  context.unknown(tag);
  return { text: name };
};

/** `vers.sdk` is the value of `sdk` in `vers`. */
export function valueAt(values: unknown, name: string): unknown {
  return name.split('.').reduce((value, key) => {
    const object = objectOf(value);
    return Object.hasOwn(object, key) ? object[key] : undefined;
  }, values);
}

const since =
  (words: string): Meaning =>
  (tag) => {
    const version = `**${words} ${tag.positional[0] ?? ''}**`;
    return tag.inner?.trim() ? { before: ['', version, ''], after: [''] } : { text: version };
  };

const card: Meaning = (tag) => {
  const url = first(tag, 'link', 'href', 'url');
  const title = titleOf(tag).replace(/[[\]]/g, ' ');
  const line = blockLine('card', url && title ? `[${title}](${destination(url)})` : title);
  const words = first(tag, 'subtitle', 'description', 'content');
  return tag.inner === undefined
    ? { before: [line, ...(words ? [words] : []), ':::'], text: title }
    : { before: [line, ...(words ? [words, ''] : [])], after: [':::'] };
};

/** A part of a page with its title. */
const part: Meaning = (tag) => {
  const title = titleOf(tag);
  return title && tag.inner !== undefined ? { before: ['', `**${title}**`, ''], after: [''] } : { text: title };
};

/** GitBook's reference to an operation of a specification. */
const operation: Meaning = (tag) => {
  const words = `${(tag.named.method ?? '').toUpperCase()} ${tag.named.path ?? ''}`.trim();
  const line = words ? [`\`${words.replaceAll('`', '')}\``, ''] : [];
  return tag.inner?.trim() ? { before: ['', ...line], after: [''] } : { before: ['', ...line], text: words };
};

const contentReference: Meaning = (tag, context) => (tag.inner?.trim() ? {} : link(tag, context));

const meanings: Record<string, Meaning> = {
  '=': output,
  '/*': (tag) => ({ text: tag.rest }),
  ...each(callout(), 'alert callout admonition notice hint message pageinfo'),
  ...Object.fromEntries(
    'note info tip important warning caution danger success check example question bug'
      .split(' ')
      .map((type) => [type, callout(type)]),
  ),
  ...each(details, 'details expand expandable collapse collapsible accordion-item spoiler'),
  ...each(container(':::tabs'), 'tabs tabpane tabset code-tabs codetabs'),
  ...each(tab, 'tab tabitem code-tab codetab'),
  ...each(container(':::steps'), 'steps stepper'),
  ...each(container(':::cards'), 'cards cardpane cardgroup'),
  card,
  ...each(figure, 'figure imgproc'),
  ...each(image, 'img image'),
  ...each(code(), 'highlight code codeblock code-block code-toggle'),
  mermaid: code('mermaid'),
  ...each(link, 'link button url external-link embed file iframe redoc swaggerui'),
  ...each(term, 'glossary-term glossary_tooltip glossary_definition'),
  'content-ref': contentReference,
  ...each(reference, 'ref relref post_url'),
  youtube: linkTo((id) => `https://www.youtube.com/watch?v=${id}`, 'YouTube'),
  instagram: linkTo((id) => `https://www.instagram.com/p/${id}`, 'Instagram'),
  vimeo: linkTo((id) => `https://vimeo.com/${id}`, 'Vimeo'),
  ...each(
    linkTo((id) => `https://x.com/${id}`, 'X'),
    'tweet x',
  ),
  gist: (tag) => ({ text: `https://gist.github.com/${tag.positional.slice(0, 2).join('/')}` }),
  ...each(
    include,
    'include include_relative include-markdown include_file includefile readfile include_md code_sample codenew include_code include_cached',
  ),
  ...each(heading, 'heading'),
  ...each(parameter, 'param _param site-param'),
  ...each(removed, 'comment'),
  'new-in': since('New in'),
  'deprecated-in': since('Deprecated in'),
  prompt: (tag) => (tag.inner === undefined ? {} : block(blockLine('note', first(tag, 'description') ?? ''))),
  ...each(
    nothing,
    'capture if elsif elseif else unless for case when assign increment decrement cycle break continue tablerow toc table_of_contents updates columns column ' +
      'rawhtml raw_html unsafe include-html body div row stepper-step section lead link-down page-meta-links ' +
      'conditional-text text wrap wrapper center left right grid block blocks container panel md markdown aside quote lang',
  ),
  ...each(part, 'cover feature'),
  ...each(operation, 'openapi openapi-operation swagger'),
  update: (tag) => (tag.inner === undefined ? {} : block(blockLine('update', first(tag, 'date', 'title') ?? ''))),
  step: (tag) => (tag.inner === undefined ? {} : block(blockLine('step', titleOf(tag)))),
  hl: (tag) => (tag.inner === undefined ? {} : { text: '`', end: '`' }),
  raw: (tag) => (tag.inner === undefined ? {} : { inner: tag.inner }),
  br: text('<br />'),
  kbd: (tag) => (tag.inner === undefined ? { text: `<kbd>${tag.positional.join('+')}</kbd>` } : { text: '<kbd>', end: '</kbd>' }),
};

/** What replaces a tag. */
export function meaningOf(tag: Tag, context: TagContext): Replacement {
  // Themes sort their tags in folders: `docs/note`.
  const name = tag.name.replace(/^.*\//, '');
  const meaning = Object.hasOwn(meanings, tag.name)
    ? meanings[tag.name]
    : Object.hasOwn(meanings, name)
      ? meanings[name]
      : undefined;
  if (meaning) return meaning(tag, context);
  if (tag.inner !== undefined && tag.parent?.name === 'tabs' && name.endsWith('tab'))
    return block(blockLine('tab', capitalized(name.slice(0, -3))));
  context.unknown(tag);
  if (tag.inner !== undefined) {
    const title = titleOf(tag);
    return title && tag.inner.includes('\n') ? { before: ['', `**${title}**`, ''], after: [''] } : {};
  }
  return {
    text: first(tag, 'text', 'title', 'label', 'content', 'name', 'alt', 'caption', 'header') ?? tag.positional.join(' '),
  };
}
