// Models that take no tools. Servers say so with many statuses and texts, so in doubt an answer without tools decides.
import { APICallError } from 'ai';
import { LRUCache } from 'lru-cache';
import type { Model } from '../../sites/model-settings.ts';
import type { ModelFailed } from './model-outcome.ts';

export type ToolSupport = ReturnType<typeof createToolSupport>;

const remembered = 60 * 60 * 1000;

/** Remembers for an hour which models refused tools, by all their settings. */
export function createToolSupport(now: () => number) {
  const refusedAt = new LRUCache<string, number>({ max: 1000 });
  const keyOf = (model: Model) => JSON.stringify(model);
  return {
    /** Whether to offer tools to the model. */
    isLikely: (model: Model): boolean => now() - (refusedAt.get(keyOf(model)) ?? -Infinity) > remembered,
    refused: (model: Model): void => void refusedAt.set(keyOf(model), now()),
  };
}

const statuses = [400, 404, 422, 501];

/**
 * Whether tools can be why a call failed before the first word: `named` when the failure names them, `likely` when its status may mean
 * them, `possible` when the model may only have used them badly this time.
 */
export function toolsAtFault({ cause, code, detail }: ModelFailed): 'named' | 'likely' | 'possible' | undefined {
  if (/\btools?\b|\btool_|function.?call|\broles?\b/i.test(detail)) return 'named';
  if (APICallError.isInstance(cause)) return statuses.includes(cause.statusCode ?? 0) ? 'likely' : undefined;
  return code === 'ModelEmpty' || code === 'ModelBroken' ? 'possible' : undefined;
}
