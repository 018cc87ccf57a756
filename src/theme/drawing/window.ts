// The document in which Mermaid draws: linkedom's, with what a browser measures of SVG.
import { parseHTML } from 'linkedom';
import { isColor } from './colors.ts';
import type { Drawn } from './finish.ts';
import { type Box, numbersOf } from './geometry.ts';
import { createMeasure, type Measure } from './measure.ts';
import { parseRules, type Rule } from './styles.ts';

export interface DrawingWindow {
  /** The SVG that Mermaid is about to return as text, with its styles. */
  drawnBy(render: () => Promise<unknown>): Promise<Drawn>;
  /** Takes the place of the style element of a drawing. */
  styleElement(): Element;
  /** Empties the document. */
  clear(): void;
}

/** The id that Mermaid is called with; it draws in a `div` with this id after a "d". */
export const drawingId = 'drawing';

/** Width of the page's text in pixels, which some types of diagrams fill. */
const pageWidth = 720;

/** Opens the window and makes it the global one, which Mermaid expects. */
export function openWindow(): DrawingWindow {
  const window = parseHTML('<!doctype html><html><head></head><body></body></html>');
  const { document } = window;
  let rules: Rule[] = [];
  let returned: Element | undefined;
  const measure = createMeasure(() => rules);
  addMeasures(window.Element.prototype, measure);
  // Text would have to be parsed again, which linkedom does as for HTML.
  const read = Object.getOwnPropertyDescriptor(window.Element.prototype, 'innerHTML')!;
  Object.defineProperty(window.HTMLElement.prototype, 'innerHTML', {
    ...read,
    get(this: Element) {
      if (this.id !== `d${drawingId}`) return read.get?.call(this) as string;
      returned = this.querySelector('svg') ?? undefined;
      return '<svg></svg>';
    },
  });
  for (const name of constructors) Object.assign(globalThis, { [name]: window[name as keyof typeof window] });
  Object.assign(globalThis, {
    window: globalThis,
    document,
    CSSStyleSheet,
    Option,
    addEventListener: () => {},
    screen: { availWidth: 1280, availHeight: 800 },
    getComputedStyle: () => ({ fontSize: '16px', getPropertyValue: () => '' }),
  });
  return {
    async drawnBy(render) {
      await render();
      if (!returned) throw new Error('Mermaid gave no drawing.');
      if (returned.getAttribute('aria-roledescription') === 'stateDiagram') centerLabels(returned, measure.box);
      return { svg: returned, rules, outerBox: measure.outerBox };
    },
    styleElement: () => {
      const place = document.createElementNS('http://www.w3.org/2000/svg', 'metadata');
      return Object.defineProperty(place, 'innerHTML', {
        set(css: string) {
          rules = parseRules(css);
        },
      });
    },
    clear() {
      returned = undefined;
      rules = [];
      document.body.replaceChildren();
    },
  };
}

const constructors =
  'Element Node HTMLElement SVGElement DocumentFragment Text DOMParser NodeFilter HTMLTemplateElement NamedNodeMap HTMLFormElement'.split(
    ' ',
  );

/** What a browser measures of each element. */
function addMeasures(prototype: object, measure: Measure): void {
  const method = (value: (this: Element) => unknown): PropertyDescriptor => ({ value, configurable: true });
  Object.defineProperties(prototype, {
    getBBox: method(function () {
      return measure.box(this);
    }),
    getComputedTextLength: method(function () {
      return measure.textLength(this);
    }),
    getBoundingClientRect: method(function () {
      const { x, y, width, height } = measure.outerBox(this);
      return { x, y, width, height, left: x, top: y, right: x + width, bottom: y + height };
    }),
    offsetWidth: { get: () => pageWidth, configurable: true },
    clientWidth: { get: () => pageWidth, configurable: true },
  });
}

/** Mermaid makes rules of an author's classes with it. */
class CSSStyleSheet {
  cssRules: { cssText: string; style: { length: number; setProperty(name: string, value: string): void } }[] = [];
  insertRule(text: string) {
    const set: string[] = [];
    const style = {
      get length() {
        return set.length;
      },
      setProperty: (name: string, value: string) => void set.push(`${name}: ${value};`),
    };
    const rule = {
      style,
      get cssText() {
        return text.replace(/\}\s*$/, `${set.join(' ')}}`);
      },
    };
    return this.cssRules.push(rule) - 1;
  }
  replaceSync() {}
}

/** Mermaid asks it whether a word is a color. */
class Option {
  style = Object.defineProperty({}, 'color', {
    set(this: { known?: string }, color: string) {
      if (isColor(color)) this.known = color;
    },
    get(this: { known?: string }) {
      return this.known ?? '';
    },
  });
}

/** Mermaid places a short label of a state at the left of its box, which only HTML labels fill. */
function centerLabels(svg: Element, boxOf: (element: Element) => Box): void {
  for (const label of svg.querySelectorAll('.node > .label')) {
    const { x, width } = boxOf(label);
    const [, top] = numbersOf(label.getAttribute('transform') ?? '');
    label.setAttribute('transform', `translate(${-x - width / 2}, ${top ?? 0})`);
  }
}
