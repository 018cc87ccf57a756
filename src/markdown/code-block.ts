import type { Element } from 'hast';
import type { RenderContext } from './context.ts';
import { readFence, takeLineMarks, type Fence } from './fence.ts';
import { iconNode } from './components/props.ts';
import { element, raw } from './tree.ts';

/** A fenced block with its title, marked lines and copy button; a diagram becomes its source. */
export function codeBlock(
  code: string,
  language: string,
  meta: string,
  context: RenderContext,
  fence: Fence = readFence(language, meta),
): Element {
  if (fence.language === 'mermaid') return diagram(code, fence, context);
  const bare = takeLineMarks(code, fence);
  const html = context.highlighter.highlight(bare, fence.language);
  const classes = [
    'c-code',
    fence.wrap && 'c-code-wrap',
    fence.numbers && 'c-code-numbers',
    fence.expandable && 'c-code-expandable',
    fence.focused.size > 0 && 'c-code-focusing',
  ];
  return element('figure', { class: classes.filter(Boolean).join(' '), 'data-language': fence.language || null }, [
    fence.title !== undefined &&
      element('figcaption', { class: 'c-code-title' }, [fence.icon && iconNode(fence.icon, context), fence.title]),
    fence.copy && copyButton(),
    element('pre', { tabindex: 0 }, [element('code', {}, [raw(hasMarks(fence) ? markLines(html, fence) : html)])]),
  ]);
}

/** The copy button, disabled until its custom element takes over. */
export function copyButton(): Element {
  return element('carrel-copy', { class: 'c-copy' }, [
    element('button', { type: 'button', disabled: true, 'aria-label': 'Copy' }),
  ]);
}

function hasMarks(fence: Fence): boolean {
  return fence.numbers || fence.highlighted.size + fence.focused.size + fence.inserted.size + fence.deleted.size > 0;
}

function markLines(html: string, fence: Fence): string {
  return html
    .split('\n')
    .map((line, i) => {
      const names = [
        'sk-line',
        fence.highlighted.has(i + 1) && 'sk-line-highlighted',
        fence.focused.has(i + 1) && 'sk-line-focused',
        fence.inserted.has(i + 1) && 'sk-line-inserted',
        fence.deleted.has(i + 1) && 'sk-line-deleted',
      ];
      return `<span class="${names.filter(Boolean).join(' ')}">${line}\n</span>`;
    })
    .join('');
}

function diagram(code: string, fence: Fence, context: RenderContext): Element {
  context.report({ kind: 'diagram-shown-as-code', severity: 'note', message: 'A Mermaid diagram is shown as source code.' }, '');
  return element('figure', { class: 'c-diagram' }, [
    element('figcaption', {}, [fence.title ?? 'Mermaid']),
    element('pre', { tabindex: 0 }, [element('code', {}, [code])]),
  ]);
}
