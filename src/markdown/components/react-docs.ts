import { element } from '../tree.ts';
import { callout } from './callout.ts';
import { expandable } from './disclosure.ts';
import type { Component } from './index.ts';
import { codeGroup } from './tabs.ts';
import { text } from './props.ts';

const childrenOnly: Component = (_props, children) => children();

/** A part that readers open: a question's hint or answer, named by the component as its authors see it. */
const opened =
  (title: string): Component =>
  (props, children, context, node) =>
    expandable({ title, ...props }, children, context, node);

/** A drawing, kept outside the pages as `name.png`: its description tells what it shows. */
const drawing: Component = (props, children, context) => {
  const source = text(props.src);
  const words = text(props.caption) ?? (source === undefined ? text(props.alt) : undefined);
  return element('figure', { class: 'c-frame' }, [
    element('div', { class: 'c-frame-content' }, [
      source && element('img', { src: context.imageAddress(source), alt: text(props.alt) ?? '', loading: 'lazy' }),
      ...children(),
    ]),
    words && element('figcaption', { class: 'c-frame-caption' }, [words]),
  ]);
};

const video: Component = (props, _children, context) => {
  const address = context.address(props.src);
  return address === undefined
    ? []
    : element('p', { class: 'c-embed-link' }, [element('a', { href: address }, [text(props.title) ?? address])]);
};

/** Components of React's documentation and its translations: the ones with a likeness here, the others as their content. */
export const reactDocsComponents: Record<string, Component> = {
  Intro: childrenOnly,
  YouWillLearn: childrenOnly,
  LearnMore: childrenOnly,
  Recap: childrenOnly,
  Challenges: childrenOnly,
  Recipes: childrenOnly,
  CodeStep: childrenOnly,
  DiagramGroup: childrenOnly,
  IllustrationBlock: childrenOnly,
  TerminalBlock: childrenOnly,
  CodeDiagram: childrenOnly,
  Math: childrenOnly,
  MathI: childrenOnly,
  // The list of a page's headings stands beside every page.
  InlineToc: () => [],
  DeepDive: callout('info'),
  Pitfall: callout('warning'),
  Wip: callout('warning'),
  Deprecated: callout('warning'),
  Canary: callout('info'),
  Experimental: callout('info'),
  NextMajor: callout('info'),
  RSC: callout('info'),
  Hint: opened('Hint'),
  Solution: (props, children, context, node) => {
    const content = children();
    return content.length === 0 ? [] : opened('Solution')(props, () => content, context, node);
  },
  Sandpack: codeGroup,
  SandpackRSC: codeGroup,
  SandpackWithHTMLOutput: codeGroup,
  Diagram: drawing,
  Illustration: drawing,
  YouTubeIframe: video,
};
