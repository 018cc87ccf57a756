import type { ElementContent } from 'hast';
import { element } from '../tree.ts';
import type { Component } from './index.ts';
import { text } from './props.ts';

export const frame: Component = (props, children, context) => {
  const content = children();
  muteAutoplay(content);
  return element('figure', { class: 'c-frame' }, [
    text(props.hint) && element('p', { class: 'c-frame-hint' }, context.inlineMarkdown(props.hint)),
    element('div', { class: 'c-frame-content' }, content),
    props.caption ? element('figcaption', { class: 'c-frame-caption' }, context.inlineMarkdown(props.caption)) : null,
  ]);
};

/** Browsers start a video automatically only when it is muted. */
function muteAutoplay(nodes: ElementContent[]): void {
  for (const node of nodes) {
    if (node.type !== 'element') continue;
    if (node.tagName === 'video' && node.properties.autoplay)
      Object.assign(node.properties, { muted: true, loop: true, playsinline: true });
    muteAutoplay(node.children);
  }
}

export const panel: Component = (_props, children) => element('div', { class: 'c-panel' }, children());
