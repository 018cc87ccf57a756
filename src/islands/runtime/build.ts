// Runs while a site is built, in a context without Node's globals (render-process.ts): renders components to HTML.
import { options } from 'preact';
import { Component, createElement, isValidElement, type ReactNode } from 'preact/compat';
import { renderToString } from 'preact-render-to-string';
import { componentOf, type IslandScript, slot, watchHooks } from './modules.ts';

/** What is rendered: a component with its props, and the HTML of its content by the name of the prop. */
export interface IslandRequest {
  name: string;
  props: Record<string, unknown>;
  slots: Record<string, string>;
}

export type IslandAnswer =
  | { html: string; isLive: boolean; shown: string[]; reads: string[] }
  | { error: string; stack?: string };

// A build gives the same bytes at any time: the clock stands, and random numbers are the same ones.
const reads = new Set<string>();
const instant = Date.UTC(2020, 0, 1);
const RealDate = Date;

function readClock(): number {
  reads.add('clock');
  return instant;
}

class StandingDate extends RealDate {
  constructor(...given: unknown[]) {
    super(...((given.length === 0 ? [readClock()] : given) as [number]));
  }
  static override now(): number {
    return readClock();
  }
}

let seed = 1;
const random = (): number => {
  reads.add('random');
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return seed / 2 ** 32;
};

/** Whether the component does anything in a browser, so that its script is needed. */
let isLive = false;
const live = (): void => void (isLive = true);
const liveHooks =
  'useState useReducer useEffect useLayoutEffect useInsertionEffect useImperativeHandle useSyncExternalStore useTransition';
watchHooks(liveHooks.split(' '), live);
const before = options.vnode;
options.vnode = (node) => {
  const { type, props } = node;
  if (typeof type === 'function' && type.prototype instanceof Component) live();
  if (typeof type === 'string' && Object.values(props).some((value) => typeof value === 'function')) live();
  before?.(node);
};

const unavailable = (name: string) => () => {
  throw new Error(`${name} is not available while the site is built. Call it in useEffect or in an event handler.`);
};

const noop = (): void => {};
Math.random = random;
Object.assign(globalThis, {
  Date: new Proxy(StandingDate, { apply: () => new StandingDate().toString() }),
  console: { log: noop, info: noop, warn: noop, error: noop, debug: noop },
  performance: { now: readClock },
  setTimeout: () => 0,
  setInterval: () => 0,
  clearTimeout: noop,
  clearInterval: noop,
  queueMicrotask: noop,
  requestAnimationFrame: () => 0,
  cancelAnimationFrame: noop,
  fetch: unavailable('fetch()'),
  XMLHttpRequest: unavailable('XMLHttpRequest'),
  WebSocket: unavailable('WebSocket'),
});

let island: IslandScript | undefined;

Object.assign(globalThis, {
  __carrel_island: (_id: string, script: IslandScript) => (island = script),
  __carrel_render: (json: string): string => JSON.stringify(answer(JSON.parse(json) as IslandRequest)),
});

function answer({ name, props, slots }: IslandRequest): IslandAnswer {
  try {
    const component = componentOf(island!, name);
    const content = Object.fromEntries(Object.entries(slots).map(([key, html]) => [key, slot(key, html)]));
    const html = renderToString(createElement(checked(component, name), { ...props, ...content }) as never);
    const shown = Object.keys(slots).filter((key) => html.includes(`<carrel-slot data-name="${key}">`));
    return { html, isLive, shown, reads: [...reads].sort() };
  } catch (error) {
    if (typeof error !== 'object' || error === null) return { error: String(error) };
    const { message, stack } = error as Error;
    return { error: String(message), stack: typeof stack === 'string' ? stack : undefined };
  }
}

/** The component, which throws where it returns what is not content; the renderer would show nothing. */
function checked(component: ReturnType<typeof componentOf>, name: string) {
  if (component.prototype instanceof Component) return component;
  return (props: Record<string, unknown>): ReactNode => {
    const result = (component as (props: object) => unknown)(props);
    const isContent =
      result === null ||
      result === undefined ||
      isValidElement(result) ||
      Array.isArray(result) ||
      ['string', 'number', 'boolean'].includes(typeof result);
    if (isContent) return result as ReactNode;
    const what = typeof result === 'function' ? 'a function' : result instanceof Promise ? 'a promise' : 'an object';
    throw new TypeError(`${name} returns ${what} instead of content.`);
  };
}
