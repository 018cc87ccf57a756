import type { Component } from '../context.ts';
import { element } from '../tree.ts';
import { callout, expandable } from './boxes.ts';
import { codeGroup } from './tabs.ts';
import { text } from './props.ts';

const childrenOnly: Component = (_props, children) => children();

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
  Intro: childrenOnly,
  YouWillLearn: childrenOnly,
  LearnMore: childrenOnly,
  Recap: childrenOnly,
  Challenges: (_props, children) => element('div', { 'data-anchor': 'challenges' }, children()),
  Recipes: (props, children) => {
    const title = text(props.titleText);
    return [...(title ? [element('h4', { id: text(props.titleId) }, [title])] : []), ...children()];
  },
  CodeStep: childrenOnly,
  DiagramGroup: childrenOnly,
  IllustrationBlock: childrenOnly,
  TerminalBlock: childrenOnly,
  CodeDiagram: childrenOnly,
  Math: childrenOnly,
  MathI: childrenOnly,
  // Every page has its list of headings beside it.
  InlineToc: () => [],
  DeepDive: callout('info'),
  Pitfall: callout('warning'),
  Wip: callout('warning'),
  Deprecated: callout('warning'),
  Canary: callout('info'),
  Experimental: callout('info'),
  NextMajor: callout('info'),
  RSC: callout('info'),
  Hint: titledExpandable('Hint'),
  Solution: (props, children, context, node) => {
    const content = children();
    return content.length === 0 ? [] : titledExpandable('Solution')(props, () => content, context, node);
  },
  Sandpack: codeGroup,
  SandpackRSC: codeGroup,
  SandpackWithHTMLOutput: codeGroup,
  Diagram: illustration,
  Illustration: illustration,
  YouTubeIframe: video,
};
