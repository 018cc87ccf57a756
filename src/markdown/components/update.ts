import type { Component } from '../context.ts';
import { headingId } from '../headings.ts';
import { element } from '../tree.ts';
import { text, texts } from './props.ts';

/** One entry of a changelog. */
export const update: Component = (props, children, context) => {
  const label = text(props.label) ?? '';
  const id = text(props.id) ?? headingId(label);
  const tags = texts(props.tags);
  const section = element('section', { class: 'c-update', 'data-anchor': id || null }, [
    element('div', { class: 'c-update-side' }, [
      element('p', { class: 'c-update-label' }, [element('a', { href: `#${id}`, 'data-own-anchor': '' }, [label])]),
      props.description ? element('p', { class: 'c-update-description' }, context.inlineMarkdown(props.description)) : null,
      tags.length > 0 &&
        element(
          'ul',
          { class: 'c-update-tags' },
          tags.map((tag) => element('li', {}, [tag])),
        ),
    ]),
    element('div', { class: 'c-update-body' }, children()),
  ]);
  context.updates.push({ props, section });
  return section;
};
