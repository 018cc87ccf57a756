import type { Component } from '../context.ts';
import { codeIn } from '../component-markdown.ts';
import { codeBlock, copyButton, readFence } from '../code-block.ts';
import { spaced, element, Content, type PropValue } from '../tree.ts';
import { color, isOn, text } from './props.ts';

export const colors: Component = (props, children) =>
  element('div', { class: `c-colors c-colors-${props.variant === 'table' ? 'table' : 'compact'}` }, children());

export const colorRow: Component = (props, children) =>
  element('div', { class: 'c-color-row' }, [
    text(props.title) && element('p', { class: 'c-color-row-title' }, [text(props.title)]),
    ...children(),
  ]);

export const colorItem: Component = (props) => {
  const { value } = props;
  const { light, dark } = isPair(value) ? value : { light: value, dark: value };
  const [day, night] = [color(light) ?? color(dark), color(dark) ?? color(light)];
  const isOne = day === night;
  return element(
    'div',
    { class: 'c-color' },
    spaced([
      day && element('span', { class: 'c-color-swatch', style: `background:${isOne ? day : `light-dark(${day},${night})`}` }),
      text(props.name) && element('span', { class: 'c-color-name' }, [text(props.name)]),
      day && element('code', { class: isOne ? null : 'c-only-light' }, [day]),
      night && !isOne && element('code', { class: 'c-only-dark' }, [night]),
    ]),
  );
};

/** Whether a color differs between the color schemes. */
function isPair(value: PropValue): value is { [name: string]: PropValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Content);
}

/** Text for readers to copy to an assistant, as Markdown. */
export const prompt: Component = (props, _children, context, node) =>
  element('figure', { class: 'c-prompt' }, [
    props.description
      ? element('figcaption', { class: 'c-prompt-description' }, [element('span', {}, context.inlineMarkdown(props.description))])
      : null,
    copyButton(),
    element('pre', { tabindex: 0 }, [element('code', {}, [context.markdown(node.children)])]),
  ]);

/** A code block written as an element. */
export const codeElement: Component = (props, children, context, { children: nodes }) => {
  // Fern writes fences in it.
  if (nodes.some(({ type }) => type === 'code')) return children();
  const marked = ['highlight', 'focus'].map((name) => `${name}="${text(props[name])?.replace(/[^\d,-]/g, '') ?? ''}"`);
  const fence = readFence(text(props.language) ?? text(props.lang) ?? '', marked.join(' '));
  fence.title = text(props.filename) ?? text(props.title);
  fence.icon = text(props.icon);
  fence.numbers = isOn(props.lines);
  fence.wrap = isOn(props.wrap);
  fence.expandable = isOn(props.expandable);
  return codeBlock(codeIn(props, nodes, context.markdown), fence.language, '', context, { fence });
};
