import type { Element } from 'hast';
import type { RenderContext } from './context.ts';
import { element } from './tree.ts';

/** A fenced block with its title, marks and copy button. */
export function codeBlock(code: string, language: string, meta: string, _context: RenderContext): Element {
  const title = meta.replace(/\{.*?\}/g, '').trim();
  return element('figure', { class: 'c-code', 'data-language': language || 'text' }, [
    title && element('figcaption', { class: 'c-code-title' }, [title]),
    element('carrel-copy', { class: 'c-copy' }, [element('button', { type: 'button', disabled: true, 'aria-label': 'Copy' })]),
    element('pre', { tabindex: 0 }, [element('code', {}, [code])]),
  ]);
}
