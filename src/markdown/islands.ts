// Renders the islands of a page, which its HTML has as empty elements until then.
import type { Element, ElementContent } from 'hast';
import { toHtml } from 'hast-util-to-html';
import type { Islands } from '../islands/islands.ts';
import type { WaitingIsland } from './components/code.ts';
import type { Report } from './context.ts';
import { raw } from './tree.ts';

interface IslandContext {
  islands: Islands;
  report: Report;
  /** The icon of that name as SVG; '' where there is none. */
  iconOf(name: string, options: { type?: string; size: number }): string;
  /** Collects the classes of the author's HTML. */
  classes: Set<string>;
}

/** Completes the islands in the nodes, those within an island first; returns the ids of their scripts, sorted. */
export async function renderIslands(nodes: ElementContent[], context: IslandContext): Promise<string[]> {
  const scripts = new Set<string>();
  for (const node of nodes) {
    if (node.type !== 'element') continue;
    for (const script of await renderIslands(node.children, context)) scripts.add(script);
    const { island } = node.data ?? {};
    if (!island) continue;
    for (const slot of island.slots.values()) for (const script of await renderIslands(slot, context)) scripts.add(script);
    const script = await complete(node, island, context);
    if (script !== undefined) scripts.add(script);
  }
  return [...scripts].sort();
}

async function complete(
  node: Element,
  { origin, props, slots, line, placeholder }: WaitingIsland,
  { islands, report, classes, iconOf }: IslandContext,
): Promise<string | undefined> {
  const content = Object.fromEntries([...slots].map(([name, nodes]) => [name, htmlOf(nodes)]));
  const { script, html: rendered, shown, reads, failure } = await islands.render({ ...origin, props, slots: content });
  const html = rendered?.replace(emptyIcon, (start: string, name: string, type: string | undefined, size: string) =>
    start.replace('><', () => `>${iconOf(name, { type, size: Number(size) || 16 })}<`),
  );
  delete node.data;
  if (failure) {
    report({
      kind: 'component-failed',
      line,
      message: `<${origin.name}> failed, so a placeholder is shown: ${failure.message} (${failure.file}${failure.line === undefined ? '' : `:${failure.line}`}).`,
      hint: script
        ? "The reader's browser tries again. If the component needs a browser, use what it needs in useEffect."
        : 'Correct the component.',
    });
    if (script === undefined) {
      Object.assign(node, placeholder);
      return undefined;
    }
  }
  for (const read of reads)
    report(
      {
        kind: 'component-not-deterministic',
        line,
        message: `<${origin.name}> reads ${read === 'clock' ? 'the clock, which stands at 2020-01-01 during the export' : 'random numbers, which are the same in each export'}.`,
        hint: 'Read it in useEffect, so that only the browser of the reader does.',
      },
      `${origin.name} ${read}`,
    );
  for (const word of islands.words(origin.file)) classes.add(word);
  if (script === undefined) {
    Object.assign(node, raw(html ?? ''));
    return undefined;
  }
  node.properties = {
    'data-script': script,
    'data-name': origin.name,
    ...(failure && { 'data-mode': 'render' }),
    ...(Object.keys(props).length > 0 && { 'data-props': JSON.stringify(props) }),
  };
  const hidden = Object.entries(content).filter(([name]) => !shown.includes(name));
  node.children = [
    failure ? placeholder : raw(html ?? ''),
    ...hidden.map(([name, text]) => raw(`<template data-slot="${name}">${text}</template>`)),
  ];
  return script;
}

/** What the built-in icon of islands renders (src/islands/runtime/built-ins.ts). */
const emptyIcon = /<carrel-icon data-icon="([\w-]+)"(?: data-type="([\w-]+)")? data-size="(\d+)"[^<>]*><\/carrel-icon>/g;

function htmlOf(children: ElementContent[]): string {
  return toHtml({ type: 'root', children }, { allowDangerousHtml: true });
}
