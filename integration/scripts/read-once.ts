import { hash } from 'node:crypto';
import { detached } from '../urls/targets.ts';

export type ScriptTextReader<Found> = (code: string, sourceType: 'module' | 'script') => Found;

/** Has each script read once: the same few stand on every page. What `read` finds is plain data. */
export function readOnce<Found>(read: ScriptTextReader<Found>): ScriptTextReader<Found> {
  const known = new Map<string, Found>();
  return (code, sourceType) => {
    const key = hash('sha256', `${sourceType}\n${code}`);
    let found = known.get(key);
    if (found === undefined) known.set(key, (found = detached(read(code, sourceType))));
    return found;
  };
}
