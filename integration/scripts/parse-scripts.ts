import { hash } from 'node:crypto';
import type { Load } from '../html/load.ts';
import { outsideAddress } from '../urls/external-url.ts';
import { scriptFault } from './script-fault.ts';
import { mayLoad, scriptLoads } from './script-loads.ts';

/** Reads what scripts load from other hosts; the same text is parsed once, on however many pages it stands. */
export interface ScriptReader {
  /** A load is `movable` where the script holds its address as a text of its own, and asks for what a file can give. */
  read(text: string): Promise<Load[]>;
}

export function createScriptReader(): ScriptReader {
  const known = new Map<string, Load[]>();
  return {
    async read(text) {
      if (!mayLoad(text)) return [];
      const key = hash('sha256', text);
      const before = known.get(key);
      if (before) return before;
      // It comes with much that an export without such scripts never needs.
      const { parseSync } = await import('rolldown/utils');
      const loads = scriptFault(text, 'unambiguous')
        ? textLoads(text)
        : scriptLoads(parseSync('script.js', text, { lang: 'js', sourceType: 'unambiguous' }).program);
      known.set(key, loads);
      return loads;
    },
  };
}

/** Whether a script can only be a module. */
export async function isModuleText(text: string): Promise<boolean> {
  if (!/\b(?:import|export)\b/.test(text) || scriptFault(text, 'unambiguous')) return false;
  const { parseSync } = await import('rolldown/utils');
  return parseSync('script.js', text, { lang: 'js', sourceType: 'unambiguous' }).module.hasModuleSyntax;
}

/** Of a script that is not parsed: all texts that are addresses of other hosts. */
function textLoads(text: string): Load[] {
  return [...text.matchAll(/(["'`])((?:https?|wss?):\/\/[^"'`\s\\]+)\1/gi)].flatMap(({ 2: address, index }): Load[] => {
    const url = outsideAddress(address!);
    if (url === undefined) return [];
    return [{ element: 'script text', kind: 'connection', address: address!, url, start: index, certain: false, movable: false }];
  });
}
