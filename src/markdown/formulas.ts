// Formulas in TeX → HTML and MathML by KaTeX, which is loaded for the first formula of a run.
import { createRequire } from 'node:module';
import type { Element } from 'hast';
import { shortened } from '../../integration/text/beginning.ts';
import type { RenderContext } from './context.ts';
import { lineOfSource } from './line-of-source.ts';
import { element, raw } from './tree.ts';

const require = createRequire(import.meta.url);

/** Most expansions of macros in a formula, after which it is not rendered. */
const mostExpansions = 1000;
/** Most signs and commands that macros may make of a formula: the time that it takes grows with their square. */
const mostTokens = 50_000;
/** Longest formula in characters. */
const longest = 10_000;

/** A formula in a paragraph of its own. `start` is its first line. */
export function formula(source: string, context: RenderContext, start?: number): Element {
  const html = rendered(source, true, context, start);
  return html === undefined
    ? element('figure', { class: 'c-formula' }, [element('pre', { tabindex: 0 }, [element('code', {}, [source])])])
    : element('div', { class: 'c-formula-block', tabindex: 0 }, [raw(html)]);
}

/** A formula in a line of text. */
export function inlineFormula(source: string, context: RenderContext, start?: number): Element {
  const html = rendered(source, false, context, start);
  return html === undefined
    ? element('code', { class: 'c-formula-inline' }, [source])
    : element('span', { class: 'c-formula-text' }, [raw(html, source)]);
}

/** Undefined, and reported, if it is not valid. KaTeX escapes all text, and without `trust` makes no links, images and attributes. */
function rendered(source: string, displayMode: boolean, context: RenderContext, start: number | undefined): string | undefined {
  try {
    if (source.length > longest) throw new Error(`it has more than ${longest} characters`);
    // Its default export is what a CommonJS module gets.
    const { renderToString }: typeof import('katex').default = require('katex');
    // Chemical equations and units: it adds their commands to KaTeX.
    if (/\\(?:ce|pu)\b/.test(source)) require('katex/contrib/mhchem');
    const html = renderToString(source, {
      displayMode,
      throwOnError: true,
      strict: 'ignore',
      trust: false,
      maxExpand: mostExpansions,
      maxSize: 20,
      macros: countingMacros(),
    });
    // Its limit of sizes has no effect on negative ones, which put signs on other parts of the page.
    if (/\sstyle="[^"]*-\d{3}/.test(html)) throw new Error('it moves signs further than 99em');
    return html;
  } catch (error) {
    const line = lineOfSource(source, context.page, start);
    context.report(
      {
        kind: 'formula-shown-as-code',
        ...(line !== undefined && { line }),
        message: `The formula "${excerpt(source)}" is shown as code: ${reasonOf(error)}.`,
        hint: 'Correct its TeX.',
      },
      source,
    );
    return undefined;
  }
}

/** Macros of a formula's own. KaTeX looks here for each sign and command before it reads it. */
function countingMacros(): Record<string, string> {
  let tokens = 0;
  return new Proxy<Record<string, string>>(
    {},
    {
      getOwnPropertyDescriptor(macros, name) {
        if (++tokens > mostTokens) throw new Error(`its macros make more than ${mostTokens} signs`);
        return Reflect.getOwnPropertyDescriptor(macros, name);
      },
    },
  );
}

function excerpt(source: string): string {
  return shortened(source.replace(/\s+/g, ' ').trim(), 60);
}

/** 'undefined control sequence: \foo' */
function reasonOf(error: unknown): string {
  if (error instanceof RangeError) return 'it nests too deeply';
  const { rawMessage, message } = error as Error & { rawMessage?: string };
  if (message.includes('maxExpand')) return 'a macro in it has no end';
  const reason = (rawMessage ?? message).replace(/[.\s]+$/, '').replace(/\s+/g, ' ');
  return reason.charAt(0).toLowerCase() + reason.slice(1);
}
