// The cascade of a diagram's styles, as far as SVG text and shapes need it.
import { cssProperties } from './properties.ts';

export interface Rule {
  selector: string;
  declarations: Declaration[];
  specificity: number;
}

interface Declaration {
  name: string;
  value: string;
  important: boolean;
}

/** The rules of a stylesheet without its at-rules. */
export function parseRules(css: string): Rule[] {
  const rules: Rule[] = [];
  const bare = css.replace(/\/\*[\s\S]*?\*\//g, '').replace(/@[\w-]+[^{};]*(?:\{(?:[^{}]|\{[^{}]*\})*\}|;)/g, '');
  for (const [, selectors = '', body = ''] of bare.matchAll(/([^{}]+)\{([^{}]*)\}/g)) {
    const declarations = parseDeclarations(body);
    if (declarations.length === 0) continue;
    for (const selector of splitSelectors(selectors))
      rules.push({ selector, declarations, specificity: specificityOf(selector) });
  }
  return rules;
}

function parseDeclarations(body: string): Declaration[] {
  return body.split(';').flatMap((text) => {
    const [, name = '', value = '', important] =
      /^\s*([\w-]+)\s*:\s*(.*?)\s*(!\s*important)?\s*$/s.exec(text.replace(/(?:!\s*important\s*)+$/, '!important')) ?? [];
    const known = name.toLowerCase();
    return cssProperties.has(known) && value !== '' ? [{ name: known, value, important: important !== undefined }] : [];
  });
}

function splitSelectors(selectors: string): string[] {
  return selectors
    .split(/,(?![^([]*[)\]])/)
    .map((selector) => selector.trim())
    .filter((selector) => selector !== '' && !selector.includes('::') && !selector.includes(':root'));
}

function specificityOf(selector: string): number {
  const ids = selector.match(/#[\w-]+/g)?.length ?? 0;
  const classes = selector.match(/\.[\w-]+|\[[^\]]*\]|:(?!not|is|where)[\w-]+/g)?.length ?? 0;
  const types = selector.match(/(?:^|[\s>+~(])[a-z][\w-]*/gi)?.length ?? 0;
  return ids * 10_000 + classes * 100 + types;
}

/** Values by property: presentation attributes, then rules, then the element's `style`. */
export type Styles = Map<string, string>;

/** The declared values of each element under a root. A selector that cannot be read matches nothing. */
export function declaredStyles(root: Element, rules: Rule[]): (element: Element) => Styles {
  const matched = new Map<Element, Rule[]>();
  const inOrder = rules
    .map((rule, index) => ({ rule, index }))
    .sort((a, b) => a.rule.specificity - b.rule.specificity || a.index - b.index);
  const present = namesIn(root);
  for (const { rule } of inOrder) {
    if (!mayMatch(rule.selector, present)) continue;
    for (const element of selectAll(root, rule.selector)) {
      const list = matched.get(element);
      if (list) list.push(rule);
      else matched.set(element, [rule]);
    }
  }
  return (element) => cascade(element, matched.get(element) ?? []);
}

/** The classes and ids of the elements under a root, as selectors write them. */
function namesIn(root: Element): Set<string> {
  const names = new Set<string>();
  for (const element of [root, ...root.querySelectorAll('*')]) {
    for (const name of element.getAttribute('class')?.split(/\s+/) ?? []) names.add(`.${name}`);
    names.add(`#${element.getAttribute('id')}`);
  }
  return names;
}

/** Whether all classes and ids of a selector occur: most rules are for other types of diagrams. One with parentheses may exclude them. */
function mayMatch(selector: string, present: Set<string>): boolean {
  return selector.includes('(') || (selector.match(/[.#][\w-]+/g) ?? []).every((name) => present.has(name));
}

export function cascade(element: Element, rules: Rule[]): Styles {
  const styles: Styles = new Map();
  for (const { name, value } of element.attributes) if (cssProperties.has(name)) styles.set(name, value);
  const own = parseDeclarations(element.getAttribute('style') ?? '');
  const fromRules = rules.flatMap(({ declarations }) => declarations);
  const order = [
    ...fromRules.filter(({ important }) => !important),
    ...own.filter(({ important }) => !important),
    ...fromRules.filter(({ important }) => important),
    ...own.filter(({ important }) => important),
  ];
  for (const { name, value } of order) styles.set(name, value);
  return styles;
}

function selectAll(root: Element, selector: string): Element[] {
  try {
    const found = [...root.querySelectorAll(selector)];
    return root.matches(selector) ? [root, ...found] : found;
  } catch {
    return [];
  }
}
