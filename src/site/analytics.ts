// Web analytics that docs.json names under `integrations`.
import type { Problem } from '../../integration/diagnostics.ts';
import type { Deployment } from '../../integration/manifest.ts';
import { analyticsProvidersSchema, type AnalyticsProviders } from '../../integration/page-settings.ts';
import type { DocsConfig } from '../source/docs-json.ts';

/** The providers that an export may load, and a message for each integration: whether it is on, and how to change that. */
export function analyticsOf(
  integrations: DocsConfig['integrations'] = {},
  configFile: string,
  deployment: Deployment = 'client-hosted',
): { providers: AnalyticsProviders; problems: Problem[] } {
  const providers: Record<string, unknown> = {};
  const problems = Object.entries(integrations).flatMap(([name, fields]): Problem[] => {
    const problem = (kind: Problem['kind'], severity: Problem['severity'], why: string): Problem[] => [
      { kind, severity, page: configFile, message: `"integrations.${name}": ${why}.` },
    ];
    if (!isProvider(name)) return problem('integration-off', 'note', 'this integration is not supported, so it is turned off');
    // Fields of the hosted format that we do not know change nothing.
    const read = analyticsProvidersSchema.shape[name].unwrap().strip().safeParse(fields);
    if (!read.success) {
      const faults = read.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`.trim());
      return problem('integration-invalid', 'warning', `${faults.join('; ')}; this is turned off`);
    }
    if (deployment === 'air-gapped')
      return problem(
        'integration-off',
        'note',
        'the readers of an air-gapped export cannot reach its host, so this is turned off',
      );
    providers[name] = read.data;
    if (deployment === 'cloud')
      return problem('integration-on', 'note', 'pages load its script from an external origin, once the reader agrees');
    return problem(
      'integration-off',
      'note',
      'pages load nothing from external origins unless the settings allow it, so this is turned off. {"features":{"analytics":{"mode":"providers"}}} turns it on, in --settings or where the site is hosted',
    );
  });
  return { providers, problems };
}

/** Those of docs.json; Matomo and Umami are only in our settings. */
const named = ['ga4', 'gtm', 'plausible', 'fathom', 'posthog', 'pirsch'] as const;

function isProvider(name: string): name is (typeof named)[number] {
  return (named as readonly string[]).includes(name);
}
