import { isRecord } from '../../text/json.ts';

/**
 * What `__carrel_config` sets for a feature, in any shape: `{ "features": { "assistant": { … } } }`. The settings of the assistant may be at
 * the top level, too; those in `features` override them.
 */
export function featureSettings(config: unknown, feature: 'search' | 'assistant' | 'analytics' | 'playground'): unknown {
  if (!isRecord(config)) return undefined;
  const given = isRecord(config['features']) ? config['features'][feature] : undefined;
  const alias = feature === 'assistant' ? config[feature] : undefined;
  return isRecord(given) && isRecord(alias) ? { ...alias, ...given } : (given ?? alias);
}
