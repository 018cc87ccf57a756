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

/** Where the site's own analytics are sent; undefined where the settings turn them off. Without a URL, the server is that of the assistant. */
export function ownAnalytics(config: unknown): { url?: unknown; domain?: unknown } | undefined {
  const [assistant, analytics] = [featureSettings(config, 'assistant'), featureSettings(config, 'analytics')];
  if (!isRecord(analytics) || (analytics['mode'] !== 'own' && analytics['mode'] !== 'both')) return undefined;
  return { ...(isRecord(assistant) ? assistant : {}), ...analytics };
}
