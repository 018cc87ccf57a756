// Runs in the reader's browser, on pages with components that the author trusts: makes them work. A classic script, since file:// refuses
// modules. The scripts of the components follow it and call `__carrel_island`.
import { options } from 'preact';
import { createElement, hydrate, render } from 'preact/compat';
import { componentOf, type IslandScript, slot } from './modules.ts';

const root = new URL('..', (document.currentScript as HTMLScriptElement).src).href;

/** The URL of a page or file of the site as the export has it: the site can be in any folder, and from disk a page is a file. */
function urlInExport(url: unknown): unknown {
  if (typeof url !== 'string' || !/^\/(?!\/)/.test(url)) return url;
  const [, path = '', rest = ''] = /^\/([^?#]*)(.*)$/s.exec(url) ?? [];
  const isFile = /\.\w+$/.test(path);
  const folder = path === '' || isFile || path.endsWith('/') ? path : `${path}/`;
  return root + folder + (isFile || location.protocol !== 'file:' ? '' : 'index.html') + rest;
}

const before = options.vnode;
options.vnode = (node) => {
  const props = node.props as Record<string, unknown>;
  if (typeof node.type === 'string')
    for (const name of ['href', 'src', 'poster']) if (name in props) props[name] = urlInExport(props[name]);
  before?.(node);
};

const scripts = new Map<string, IslandScript>();
const started = new WeakSet<Element>();

Object.assign(globalThis, {
  __carrel_island(id: string, script: IslandScript) {
    scripts.set(id, script);
    startBelow(document);
  },
});

function startBelow(parent: ParentNode): void {
  for (const island of parent.querySelectorAll<HTMLElement>('carrel-island')) start(island);
}

function start(island: HTMLElement): void {
  const { script: id = '', name = '', props = '{}', mode } = island.dataset;
  const script = scripts.get(id);
  if (!script || started.has(island)) return;
  started.add(island);
  const html = island.innerHTML;
  try {
    const component = componentOf(script, name);
    const own = JSON.parse(props) as Record<string, unknown>;
    for (const [slotName, html] of slotsOf(island)) own[slotName] = slot(slotName, html, startBelow);
    const node = createElement(component, own);
    if (mode === 'render') {
      island.replaceChildren();
      render(node, island);
    } else hydrate(node, island);
  } catch (error) {
    island.innerHTML = html;
    console.error(error);
  }
}

/** The content that Carrel rendered for an island: in its place, or else, where the component does not show it, in a template. */
function slotsOf(island: HTMLElement): Map<string, string> {
  const slots = new Map<string, string>();
  for (const element of island.querySelectorAll<HTMLElement>('carrel-slot, template[data-slot]')) {
    if (element.parentElement?.closest('carrel-island') !== island) continue;
    const name = element.dataset.slot ?? element.dataset.name ?? '';
    if (!slots.has(name)) slots.set(name, element.innerHTML);
    if (element instanceof HTMLTemplateElement) element.remove();
  }
  return slots;
}
