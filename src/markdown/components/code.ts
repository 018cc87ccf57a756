import type { Element, ElementContent, ElementData } from 'hast';
import type { Component, RenderContext } from '../context.ts';
import { Content, element, type Props } from '../tree.ts';

declare module 'hast' {
  interface Data {
    /** An island that is still to be rendered. */
    island?: WaitingIsland;
  }
}

export interface WaitingIsland {
  origin: { file: string; name: string };
  props: Record<string, unknown>;
  /** Its content by the name of the prop. */
  slots: Map<string, ElementContent[]>;
  line?: number;
  /** What the page shows if it fails. */
  placeholder: Element;
}

/** A component of the docs folder that has to run: an island, or else a placeholder with its name and its content. */
export const codeElementOf: Component = (props, children, context, { code, inline, line }) => {
  const { name, origin } = code!;
  const content = children();
  const placeholder = element(inline ? 'span' : 'div', { class: 'c-component' }, [
    element(inline ? 'span' : 'p', { class: 'c-component-name' }, [
      context.labels.componentNotShown.replace('{name}', () => name),
    ]),
    ...content,
  ]);
  if (origin) {
    const slots = new Map(content.length > 0 ? [['children', content]] : []);
    const island: WaitingIsland = { origin, props: plainProps(props, slots, context), slots, line, placeholder };
    return { ...element('carrel-island', {}, [...slots.values()].flat()), data: { island } as ElementData };
  }
  const isTrusted = context.options.islands !== undefined;
  context.report(
    {
      kind: 'inline-component',
      message: `<${name}> is a React component in the docs; a placeholder with its name and its content is shown.`,
      hint: isTrusted
        ? 'Its file could not be compiled, which is reported for that file.'
        : 'Code in a docs folder is not run, unless you trust it: carrel export --trust-components. Or write the content as Markdown or with the built-in components.',
    },
    name,
  );
  return placeholder;
};

/** The props that are plain data; content goes into `slots`. */
function plainProps(props: Props, slots: Map<string, ElementContent[]>, context: RenderContext): Record<string, unknown> {
  const plain: [string, unknown][] = [];
  for (const [name, value] of Object.entries(props)) {
    if (value instanceof Content) slots.set(name, context.content(value));
    else plain.push([name, value]);
  }
  return Object.fromEntries(plain);
}
