// What the components of a docs folder can import. Hooks, React itself and the built-in components need no import.
import * as react from 'preact/compat';
import * as jsxRuntime from 'preact/jsx-runtime';
import { builtInComponents } from './built-ins.ts';

const reactModule: Record<string, unknown> = { __esModule: true, ...react, default: react };

const modules: Record<string, object> = {
  react: reactModule,
  'react-dom': reactModule,
  'react/jsx-runtime': jsxRuntime,
  carrel: builtInComponents,
};

/** Has `onUse` called whenever a component uses one of these hooks. */
export function watchHooks(names: string[], onUse: () => void): void {
  for (const name of names) {
    const hook = reactModule[name] as (...given: unknown[]) => unknown;
    const watched = (...given: unknown[]): unknown => {
      onUse();
      return hook(...given);
    };
    reactModule[name] = watched;
  }
  reactModule.default = { ...reactModule };
}

/** A component's script: a function that adds the components to `exports`. */
export type IslandScript = (exports: Record<string, unknown>, require: (name: string) => object | undefined) => void;

/** The component of that name in a script. Each call runs the script anew. */
export function componentOf(script: IslandScript, name: string): react.ComponentType<Record<string, unknown>> {
  const exports: Record<string, unknown> = Object.create(null);
  script(exports, (wanted) => modules[wanted]);
  const component = exports[name];
  if (typeof component !== 'function') throw new TypeError(`There is no component "${name}".`);
  return component as react.ComponentType<Record<string, unknown>>;
}

/** Content that Carrel rendered, as a child or a prop of a component. */
export function slot(name: string, html: string, onElement?: (element: HTMLElement) => void): react.ReactNode {
  return react.createElement('carrel-slot', {
    'data-name': name,
    dangerouslySetInnerHTML: { __html: html },
    ...(onElement && { ref: (element: HTMLElement | null) => element && onElement(element) }),
  });
}
