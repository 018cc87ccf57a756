// CSS selectors that can be matched while a page is read once from top to bottom: by an element and its ancestors.
import { parse, type AttributeSelector, type PseudoSelector, type Selector } from 'css-what';
import { errorMessage, ExportError } from '../errors.ts';
import { detached } from '../text/detach.ts';
import { attribute, type Tag } from './read-html.ts';

/** The open ancestors of an element, outermost first. */
export type Ancestors = readonly { tag: Tag }[];

export interface Matcher {
  matches(tag: Tag, above: Ancestors): boolean;
  /** Whether a page can contain a match at all, judged by its text alone. */
  mayMatch(html: string): boolean;
}

/**
 * One matcher for several selectors. `option` is the option that contains them.
 * Throws `ExportError` `SelectorNotReadable`, with what to write instead.
 */
export function matcherOf(selectors: string[], option: string): Matcher {
  const chains = selectors.flatMap((selector) => chainsOf(selector, option));
  const index = indexOf(chains);
  const ofClass = classChains(index);
  const isByName = index.attribute.size + index.id.size + index.class.size === 0;
  return {
    matches(tag, above) {
      if (matchesAny(index.any, tag, above) || matchesAny(index.name.get(tag.name), tag, above)) return true;
      if (isByName) return false;
      for (const { name, value } of tag.attributes) {
        if (matchesAny(name === 'class' ? ofClass(value) : index.attribute.get(name), tag, above)) return true;
        if (name === 'id' && matchesAny(index.id.get(value), tag, above)) return true;
      }
      return false;
    },
    mayMatch: (html) => chains.some(({ key }) => key.in === 'any' || hasText(html, key)),
  };
}

type Test = (tag: Tag) => boolean;

/** A selector without commas, from its last element outwards. */
interface Chain {
  test: Test;
  /** Whether its last element may have this class attribute. */
  allowsClass(value: string): boolean;
  outer: { test: Test; isParent: boolean }[];
  key: Key;
}

/** A text that every match contains, to look for it first. */
interface Key {
  in: 'any' | 'name' | 'id' | 'class' | 'attribute';
  text: string;
}

function matchesAny(chains: Chain[] | undefined, tag: Tag, above: Ancestors): boolean {
  if (chains !== undefined)
    for (const chain of chains) if (chain.test(tag) && isInside(chain.outer, 0, above, above.length)) return true;
  return false;
}

// Few sites have so many different class attributes.
const mostClasses = 5000;

/** A function from a class attribute to the selectors that it may match. It caches them, since a site repeats few attributes on all elements. */
function classChains(index: Pick<ReturnType<typeof indexOf>, 'class' | 'attribute'>): (value: string) => Chain[] {
  const onClass = index.attribute.get('class') ?? [];
  const known = new Map<string, Chain[]>();
  return (value) => {
    let chains = known.get(value);
    if (chains === undefined) {
      const named = index.class.size === 0 ? [] : wordsOf(value).flatMap((word) => index.class.get(word) ?? []);
      chains = [...onClass, ...named].filter(({ allowsClass }) => allowsClass(value));
      if (known.size === mostClasses) known.clear();
      known.set(detached(value), chains);
    }
    return chains;
  };
}

function isInside(outer: Chain['outer'], at: number, above: Ancestors, depth: number): boolean {
  const wanted = outer[at];
  if (wanted === undefined) return true;
  for (let i = depth - 1; i >= 0; i--) {
    if (wanted.test(above[i]!.tag) && isInside(outer, at + 1, above, i)) return true;
    if (wanted.isParent) return false;
  }
  return false;
}

function chainsOf(selector: string, option: string): Chain[] {
  const refuse = (what: string, instead: string): never => {
    throw new ExportError(
      'SelectorNotReadable',
      `The selector "${selector}" of "${option}" ${what}.`,
      `Pages are read once from top to bottom: ${instead}`,
    );
  };
  let parsed: Selector[][];
  try {
    parsed = parse(selector);
  } catch (error) {
    return refuse(`is not valid CSS (${errorMessage(error)})`, 'write it as in a stylesheet, such as "main .content".');
  }
  if (parsed.length === 0) refuse('is empty', 'write it as in a stylesheet, such as "main .content".');
  return parsed.map((tokens) => {
    const compounds: Selector[][] = [[]];
    const combinators: boolean[] = [];
    for (const token of tokens) {
      const { type } = token;
      if (type === 'child' || type === 'descendant') {
        combinators.unshift(type === 'child');
        compounds.unshift([]);
      } else if (type === 'adjacent' || type === 'sibling' || type === 'parent' || type === 'column-combinator') {
        refuse(`looks at elements beside it ("${signs[type]}")`, 'select the element itself, by a class, an id or an attribute.');
      } else compounds[0]!.push(token);
    }
    const [last, ...rest] = compounds.map((compound) => testOf(compound, refuse));
    return {
      test: last!,
      allowsClass: classTest(compounds[0]!),
      outer: rest.map((test, i) => ({ test, isParent: combinators[i]! })),
      key: keyOf(compounds[0]!),
    };
  });
}

const signs = { adjacent: '+', sibling: '~', parent: '<', 'column-combinator': '||' };

function testOf(compound: Selector[], refuse: (what: string, instead: string) => never): Test {
  const tests = compound.map((token): Test => {
    if ('namespace' in token && token.namespace !== null && token.namespace !== '*')
      return refuse(`names a namespace ("${token.namespace}|")`, 'leave it out.');
    if (token.type === 'universal') return () => true;
    if (token.type === 'tag') {
      const name = token.name.toLowerCase();
      return (tag) => tag.name === name;
    }
    if (token.type === 'attribute') return attributeTest(token);
    if (token.type === 'pseudo') return pseudoTest(token, refuse);
    const name = token.type === 'pseudo-element' ? `::${token.name}` : token.type;
    return refuse(`selects no element ("${name}")`, 'select the element itself.');
  });
  return tests.length === 1 ? tests[0]! : (tag) => tests.every((test) => test(tag));
}

function pseudoTest({ name, data }: PseudoSelector, refuse: (what: string, instead: string) => never): Test {
  if (name === 'root') return (tag) => tag.name === 'html';
  const isList = name === 'not' || name === 'is' || name === 'where' || name === 'matches';
  if (
    isList &&
    Array.isArray(data) &&
    data.every((tokens) => tokens.every(({ type }) => type !== 'child' && type !== 'descendant'))
  ) {
    const tests = data.map((tokens) => testOf(tokens, refuse));
    return name === 'not' ? (tag) => !tests.some((test) => test(tag)) : (tag) => tests.some((test) => test(tag));
  }
  return refuse(
    `uses ":${name}"${isList ? ' with more than one element in it' : ', which needs what comes later or beside'}`,
    'give the element a class or an attribute (data-pagefind-body on content, data-pagefind-ignore on the rest), and select that.',
  );
}

function attributeTest(selector: AttributeSelector): Test {
  const name = selector.name.toLowerCase();
  const test = valueTest(selector);
  return (tag) => test(attribute(tag, name));
}

function classTest(compound: Selector[]): (value: string) => boolean {
  const tests = compound.flatMap((token) =>
    token.type === 'attribute' && token.name.toLowerCase() === 'class' ? [valueTest(token)] : [],
  );
  return (value) => tests.every((test) => test(value));
}

function valueTest({ action, value: wanted, ignoreCase }: AttributeSelector): (value: string | undefined) => boolean {
  const fold = ignoreCase === true ? (text: string) => text.toLowerCase() : (text: string) => text;
  const compare = comparisons[action];
  const folded = fold(wanted);
  return (value) => compare(value === undefined ? undefined : fold(value), folded);
}

const comparisons: Record<AttributeSelector['action'], (value: string | undefined, wanted: string) => boolean> = {
  exists: (value) => value !== undefined,
  any: (value, wanted) => wanted !== '' && (value?.includes(wanted) ?? false),
  element: (value, wanted) => value !== undefined && wanted !== '' && (value === wanted || wordsOf(value).includes(wanted)),
  end: (value, wanted) => wanted !== '' && (value?.endsWith(wanted) ?? false),
  equals: (value, wanted) => value === wanted,
  hyphen: (value, wanted) => value === wanted || (value?.startsWith(`${wanted}-`) ?? false),
  not: (value, wanted) => value !== wanted,
  start: (value, wanted) => wanted !== '' && (value?.startsWith(wanted) ?? false),
};

function keyOf(compound: Selector[]): Key {
  const attributes = compound.filter((token) => token.type === 'attribute' && token.action !== 'not') as AttributeSelector[];
  const exact = attributes.filter(({ ignoreCase }) => ignoreCase !== true);
  const id = exact.find(({ name, action }) => name === 'id' && action === 'equals');
  if (id) return { in: 'id', text: id.value };
  const named = exact.find(({ name, action, value }) => name === 'class' && action === 'element' && value !== '');
  if (named) return { in: 'class', text: named.value };
  if (attributes[0]) return { in: 'attribute', text: attributes[0].name.toLowerCase() };
  const element = compound.find((token) => token.type === 'tag');
  return element ? { in: 'name', text: element.name.toLowerCase() } : { in: 'any', text: '' };
}

function indexOf(chains: Chain[]) {
  const index = { any: [] as Chain[], name: new Map(), id: new Map(), class: new Map(), attribute: new Map() } as {
    any: Chain[];
  } & Record<Exclude<Key['in'], 'any'>, Map<string, Chain[]>>;
  for (const chain of chains) {
    const { in: kind, text } = chain.key;
    if (kind === 'any') index.any.push(chain);
    else if (index[kind].has(text)) index[kind].get(text)!.push(chain);
    else index[kind].set(text, [chain]);
  }
  return index;
}

function hasText(html: string, { in: kind, text }: Key): boolean {
  if (kind !== 'name') return html.includes(text) || (kind === 'attribute' && html.includes(text.toUpperCase()));
  return html.includes(`<${text}`) || html.includes(`<${text.toUpperCase()}`);
}

function wordsOf(value: string): string[] {
  return value.includes(' ') || /\s/.test(value) ? value.split(/\s+/) : [value];
}
