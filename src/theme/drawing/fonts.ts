// The font of each text, as the cascade of the drawing's rules gives it.
import { cascade, type Rule } from './styles.ts';

const rootFontSize = 16;

export interface Font {
  size: number;
  isBold: boolean;
  anchor: string;
  baseline: string | undefined;
}

const pageFont: Font = { size: rootFontSize, isBold: false, anchor: 'start', baseline: undefined };
const fontProperties = ['font-size', 'font-weight', 'text-anchor', 'dominant-baseline', 'alignment-baseline'];
const keyAttributes = ['id', 'class', 'style', ...fontProperties];

/** A function that gives the font of an element; `rules` gives the styles that apply now. */
export function createFonts(rules: () => Rule[]): (element: Element) => Font {
  // Mermaid measures the same kinds of text again and again, word by word.
  let known = new Map<string, Font>();
  let knownRules: Rule[] | undefined;
  let fontRules: Rule[] = [];

  function fontOf(element: Element): Font {
    if (rules() !== knownRules) {
      knownRules = rules();
      known = new Map();
      fontRules = knownRules.filter(({ declarations }) => declarations.some(({ name }) => fontProperties.includes(name)));
    }
    const key = keyOf(element);
    let font = known.get(key);
    if (!font) known.set(key, (font = cascadedFont(element)));
    return font;
  }

  function cascadedFont(element: Element): Font {
    const parent = element.parentElement ? fontOf(element.parentElement) : pageFont;
    const styles = cascade(
      element,
      fontRules.filter(({ selector }) => matches(element, selector)),
    );
    const weight = styles.get('font-weight');
    return {
      size: fontSize(styles.get('font-size'), parent.size),
      isBold: weight === undefined || weight === 'inherit' ? parent.isBold : /^bold|^[6-9]00$/.test(weight),
      anchor: styles.get('text-anchor') ?? parent.anchor,
      baseline: styles.get('alignment-baseline') ?? styles.get('dominant-baseline'),
    };
  }
  return fontOf;
}

/** The same for elements that the same rules match. */
function keyOf(element: Element): string {
  let key = '';
  for (let at: Element | null = element; at; at = at.parentElement) {
    key += `${at.localName}|`;
    for (const name of keyAttributes) {
      const value = at.getAttribute(name);
      if (value !== null) key += `${name}=${value}|`;
    }
  }
  return key;
}

function fontSize(value: string | undefined, parent: number): number {
  const number = parseFloat(value ?? '');
  if (value === undefined || Number.isNaN(number)) return parent;
  if (value.endsWith('rem')) return number * rootFontSize;
  if (value.endsWith('em')) return number * parent;
  return value.endsWith('%') ? (number * parent) / 100 : number;
}

function matches(element: Element, selector: string): boolean {
  try {
    return element.matches(selector);
  } catch {
    return false;
  }
}
