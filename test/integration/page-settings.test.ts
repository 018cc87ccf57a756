import { describe, expect, test } from 'vitest';
import { deploymentFaults, mergedFeatures, pageSettingsSchema } from '../../integration/page-settings.ts';

const faultsOf = (settings: unknown) =>
  pageSettingsSchema.safeParse(settings).error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`);

const providers = {
  ga4: { measurementId: 'G-ABC123DEF4' },
  gtm: { tagId: 'GTM-ABC1234' },
  plausible: { domain: 'docs.example.com,example.com/docs', server: 'plausible.example.com:8443' },
  fathom: { siteId: 'ABCDEFGH' },
  posthog: { apiKey: 'phc_TXdpocbYTeZVm5VJmMzHTMrCofBQu3e0', apiHost: 'https://eu.i.posthog.com', sessionRecording: true },
  pirsch: { id: 'AbCdEf0123456789AbCdEf0123456789' },
  matomo: { url: 'https://stats.example.com/matomo', siteId: 3 },
  umami: { url: 'https://umami.example.com', websiteId: '94db1cb1-74f4-4a40-ad6c-962362670409' },
};

test('all settings are read', () => {
  const settings = {
    deployment: 'cloud',
    features: {
      search: { enabled: false },
      assistant: { mode: 'model', url: 'https://docs.example.com/discovery', domain: 'docs', key: 'svc_dsc_a', suggestions: [] },
      analytics: { mode: 'both', url: '/discovery', domain: 'docs', consent: 'none', providers, hosts: ['tags.example.com'] },
      playground: { mode: 'proxy', url: 'https://docs.example.com', domain: 'docs', key: 'svc_dsc_a', hosts: ['[::1]:80'] },
    },
  };
  expect(pageSettingsSchema.parse(settings)).toEqual(settings);
});

test('all problems are reported with their paths', () => {
  const features = {
    search: { enabled: 'no' },
    assistant: { mode: 'on' },
    analytics: { mode: true, consent: 'maybe', providers: { ga5: {} }, hosts: 'a.example' },
    playground: {},
    chat: {},
  };
  expect(faultsOf({ deployment: 'offline', features, more: 1 })).toEqual([
    'deployment must be one of cloud, client-hosted, air-gapped',
    'features.search.enabled must be true or false',
    'features.assistant.mode must be off, quotes or model',
    'features.analytics.mode must be off, own, providers or both',
    'features.analytics.consent must be none or required',
    'features.analytics.providers Unrecognized key: "ga5"',
    'features.analytics.hosts Invalid input: expected array, received string',
    'features.playground.mode must be off, mock, direct or proxy',
    'features Unrecognized key: "chat"',
    ' Unrecognized key: "more"',
  ]);
});

describe('what would be code or another source of the policy is refused', () => {
  const hostile = ['a.example; script-src *', "a.example 'unsafe-inline'", '"><script>alert(1)</script>', 'a b', '*', 'a\nb', ''];
  const fields: [path: string, value: (text: string) => object][] = [
    ['providers.ga4.measurementId', (measurementId) => ({ providers: { ga4: { measurementId } } })],
    ['providers.ga4.measurementId', (text) => ({ providers: { ga4: { measurementId: `G-${text || '&'}` } } })],
    ['providers.gtm.tagId', (text) => ({ providers: { gtm: { tagId: `GTM-A${text || '&l=x'}` } } })],
    ['providers.plausible.domain', (domain) => ({ providers: { plausible: { domain } } })],
    ['providers.plausible.server', (server) => ({ providers: { plausible: { domain: 'a.example', server } } })],
    ['providers.fathom.siteId', (siteId) => ({ providers: { fathom: { siteId } } })],
    ['providers.posthog.apiKey', (text) => ({ providers: { posthog: { apiKey: `phc_${text}` } } })],
    ['providers.posthog.apiHost', (text) => ({ providers: { posthog: { apiKey: 'phc_a', apiHost: `https://${text}` } } })],
    ['providers.pirsch.id', (text) => ({ providers: { pirsch: { id: text } } })],
    ['providers.matomo.url', (url) => ({ providers: { matomo: { url, siteId: 1 } } })],
    ['providers.umami.websiteId', (websiteId) => ({ providers: { umami: { url: 'https://a.example', websiteId } } })],
    ['hosts.0', (host) => ({ hosts: [host] })],
    ['url', (text) => ({ url: `https://${text} ` })],
  ];

  test.each(fields)('%s', (path, value) => {
    for (const text of hostile) {
      const faults = faultsOf({ features: { analytics: value(text) } });
      expect(faults, text).toEqual([expect.stringContaining(`features.analytics.${path} `)]);
    }
  });

  test.each([
    'http://stats.example.com',
    'https://stats.example.com/x;y',
    'https://user:secret@stats.example.com',
    'https://stats.example.com/?a',
    'https://stats.example.com:99999',
    'https://a:b:c',
    '/matomo',
  ])('the URL %s of a provider', (url) => {
    expect(faultsOf({ features: { analytics: { providers: { matomo: { url, siteId: 1 } } } } })).toHaveLength(1);
  });
});

describe('a deployment type', () => {
  test('that is air-gapped has no providers and no public addresses', () => {
    const features = {
      assistant: { url: 'https://8.8.8.8/discovery' },
      analytics: { mode: 'both', url: 'https://[2606:4700::1111]/x' },
      playground: { mode: 'direct', hosts: ['1.1.1.1:8443', 'api.internal', '10.0.0.1'] },
    };
    expect(faultsOf({ deployment: 'air-gapped', features })).toEqual([
      'features.analytics.mode cannot be "both" in an air-gapped export, whose readers cannot reach the hosts of providers. Use own or off',
      'features.assistant.url is "https://8.8.8.8/discovery", a public address, which readers of an air-gapped export cannot reach. Use a host of their network',
      'features.analytics.url is "https://[2606:4700::1111]/x", a public address, which readers of an air-gapped export cannot reach. Use a host of their network',
      'features.playground.hosts is "1.1.1.1:8443", a public address, which readers of an air-gapped export cannot reach. Use a host of their network',
    ]);
    expect(faultsOf({ deployment: 'client-hosted', features })).toBeUndefined();
    expect(faultsOf({ features })).toBeUndefined();
  });

  test('that is air-gapped has its own analytics, and hosts of its network or with a name', () => {
    const features = {
      assistant: { url: 'https://10.1.2.3/discovery' },
      analytics: { mode: 'own', url: '/discovery' },
      playground: { mode: 'proxy', url: 'https://docs.internal' },
    } as const;
    expect(deploymentFaults('air-gapped', features)).toEqual([]);
  });
});

test('settings of the host override those of the export, whose providers stay', () => {
  const own = { analytics: { mode: 'off', providers: { ga4: providers.ga4 } }, search: { enabled: true }, more: 1 };
  expect(mergedFeatures(own, { analytics: { mode: 'providers' }, search: { enabled: false } })).toEqual({
    analytics: { mode: 'providers', providers: { ga4: providers.ga4 } },
    search: { enabled: false },
    more: 1,
  });
  expect(mergedFeatures(own, { analytics: { providers: {} } }).analytics).toEqual({ mode: 'off', providers: {} });
  expect(mergedFeatures({}, { analytics: { mode: 'off' } })).toEqual({ analytics: { mode: 'off' } });
});
