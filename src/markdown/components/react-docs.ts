import { each } from '../../../integration/text/each.ts';
import type { Component } from '../context.ts';
import { element } from '../tree.ts';
import { callout, childrenOnly, expandable } from './boxes.ts';
import { codeGroup } from './tabs.ts';
import { text } from './props.ts';

/** A disclosure titled by the component's name: a hint or a solution. */
const titledExpandable =
  (title: string): Component =>
  (props, children, context, node) =>
    expandable({ title, ...props }, children, context, node);

/** An image with a caption. Without a file, its alternative text is the caption. */
const illustration: Component = (props, children, context) => {
  const source = text(props.src);
  const caption = text(props.caption) ?? (source === undefined ? text(props.alt) : undefined);
  return element('figure', { class: 'c-frame' }, [
    element('div', { class: 'c-frame-content' }, [
      source && element('img', { src: context.imageUrl(source), alt: text(props.alt) ?? '', loading: 'lazy' }),
      ...children(),
    ]),
    caption && element('figcaption', { class: 'c-frame-caption' }, [caption]),
  ]);
};

const video: Component = (props, _children, context) => {
  const url = context.linkUrl(props.src);
  return url === undefined
    ? []
    : element('p', { class: 'c-embed-link' }, [element('a', { href: url }, [text(props.title) ?? url])]);
};

/** Components of React's documentation and its translations: those with a counterpart here, and others that become their content. */
export const reactDocsComponents: Record<string, Component> = {
  ...each(
    childrenOnly,
    'Intro YouWillLearn LearnMore Recap CodeStep DiagramGroup IllustrationBlock TerminalBlock CodeDiagram Math MathI',
  ),
  Challenges: (_props, children) => element('div', { 'data-anchor': 'challenges' }, children()),
  Recipes: (props, children) => {
    const title = text(props.titleText);
    return [...(title ? [element('h4', { id: text(props.titleId) }, [title])] : []), ...children()];
  },
  ...each(callout('info'), 'DeepDive Canary Experimental NextMajor RSC'),
  ...each(callout('warning'), 'Pitfall Wip Deprecated'),
  Hint: titledExpandable('Hint'),
  Solution: (props, children, context, node) => {
    const content = children();
    return content.length === 0 ? [] : titledExpandable('Solution')(props, () => content, context, node);
  },
  ...each(codeGroup, 'Sandpack SandpackRSC SandpackWithHTMLOutput'),
  ...each(illustration, 'Diagram Illustration'),
  YouTubeIframe: video,
};
