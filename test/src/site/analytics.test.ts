import { describe, expect, test } from 'vitest';
import { deployments } from '../../../integration/manifest.ts';
import { analyticsOf } from '../../../src/site/analytics.ts';

const integrations = {
  ga4: { measurementId: 'G-ABC123' },
  gtm: { tagId: 'GTM-ABC' },
  plausible: { domain: 'docs.example.com', server: 'plausible.example.com' },
  fathom: { siteId: 'ABCDEFGH' },
  posthog: { apiKey: 'phc_a', apiHost: 'https://eu.i.posthog.com', sessionRecording: true },
  pirsch: { id: 'AbC123' },
};

const read = (given: Record<string, unknown>, deployment?: (typeof deployments)[number]) => {
  const { providers, problems } = analyticsOf(given, 'docs.json', deployment);
  return { providers, problems: problems.map(({ severity, kind, message }) => `${severity} ${kind}: ${message}`) };
};

test('the providers of docs.json are known, and what they are is said by deployment type', () => {
  expect(read(integrations, 'cloud').providers).toEqual(integrations);
  expect(read(integrations, 'client-hosted').providers).toEqual(integrations);
  expect(read(integrations, 'air-gapped').providers).toEqual({});
  const kinds = (deployment?: (typeof deployments)[number]) => read({ fathom: integrations.fathom }, deployment).problems;
  expect(kinds('cloud')).toEqual([expect.stringMatching(/^note integration-on: "integrations\.fathom": /)]);
  expect(kinds()).toEqual([
    expect.stringMatching(/^note integration-off: "integrations\.fathom": .*"mode":"providers".* --settings/),
  ]);
  expect(kinds('air-gapped')).toEqual([expect.stringMatching(/^note integration-off: .* air-gapped export cannot reach/)]);
});

test.each(deployments)('other integrations are reported by name: %s', (deployment) => {
  const others = { mixpanel: { projectToken: 'a' }, intercom: { appId: 'a' }, matomo: { url: 'https://a.example', siteId: 1 } };
  expect(read(others, deployment)).toEqual({
    providers: {},
    problems: Object.keys(others).map(
      (name) => `note integration-off: "integrations.${name}": this integration is not supported, so it is turned off.`,
    ),
  });
});

test('fields that are not known change nothing', () => {
  expect(read({ ga4: { ...integrations.ga4, debug: true } }).providers).toEqual({ ga4: integrations.ga4 });
});

describe('what is not an ID or a host is reported, and turned off', () => {
  test.each<[Record<string, unknown>, string]>([
    [{ ga4: { measurementId: "G-A');alert(1)//" } }, 'measurementId must be an ID such as G-ABC123DEF4'],
    [{ ga4: {} }, 'measurementId must be an ID such as G-ABC123DEF4'],
    [{ gtm: 'GTM-ABC' }, 'Invalid input'],
    [{ gtm: { tagId: 'GTM-A"><script src=//evil.example>' } }, 'tagId must be an ID such as GTM-ABC1234'],
    [{ plausible: { domain: 'a.example', server: 'p.example; script-src *' } }, 'server must be a host with or without a port'],
    [{ posthog: { apiKey: 'phc_a', apiHost: 'javascript:alert(1)' } }, 'apiHost must be an https URL'],
    [{ pirsch: { id: '' } }, 'id must be an ID'],
  ])('%j', (given, message) => {
    const [name] = Object.keys(given);
    const { providers, problems } = read({ ...given, fathom: integrations.fathom }, 'cloud');
    expect(providers).toEqual({ fathom: integrations.fathom });
    expect(problems[0]).toContain(`warning integration-invalid: "integrations.${name}": ${message}`);
    expect(problems[0]).toMatch(/; this is turned off\.$/);
  });
});
