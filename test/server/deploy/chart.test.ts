import { beforeAll, describe, expect, test } from 'vitest';
import { describeChart } from './chart-contract.ts';
import { chart, helm, helmBinary, render, type Resource, type Values } from './helm.ts';

beforeAll(() => void helmBinary(), 300_000);

const link = 'https://api.example.com/v1/bundles/se_0123456789abcdef?expires=1&signature=SECRET';
const on = { enabled: true, bundleUrl: link };
const publicKey = `RW${'A'.repeat(54)}`;
const find = (resources: Resource[], kind: string) => resources.find((resource) => resource.kind === kind)!;

/** Values that touch every branch of the templates. */
const everything: Values = {
  staticExport: { ...on, version: '1e5', base: '/docs/', maxSizeMb: 100, timeLimitMinutes: 5, publicKeys: [publicKey] },
  assistant: { url: 'https://api.example.com/discovery', domain: 'docs.example.com', key: 'svc_dsc_a' },
  settings: {
    deployment: 'client-hosted',
    features: {
      search: { enabled: false },
      assistant: { mode: 'quotes' },
      analytics: {
        mode: 'providers',
        consent: 'required',
        providers: { matomo: { url: 'https://stats.example.com', siteId: 1 } },
      },
      playground: { mode: 'direct', hosts: ['api.example.com'] },
    },
  },
  image: { repository: 'registry.example.com/carrel', tag: '0.1.0', pullPolicy: 'Always', pullSecrets: [{ name: 'pull' }] },
  replicas: 3,
  persistence: { enabled: true, accessMode: 'ReadWriteMany', storageClass: 'nfs', size: '2Gi' },
  resources: { requests: { cpu: 1, memory: '64Mi' }, limits: { memory: '1Gi' } },
  service: { type: 'NodePort', port: 8000, annotations: { a: 'b' } },
  ingress: {
    enabled: true,
    className: 'nginx',
    annotations: { a: 'true' },
    hosts: [{ host: 'docs.example.com' }, { host: 'other.example.com', path: '/x', pathType: 'Exact' }],
    tls: [{ secretName: 'tls', hosts: ['docs.example.com'] }],
  },
  podDisruptionBudget: { enabled: true, maxUnavailable: '50%' },
  env: [{ name: 'NODE_USE_ENV_PROXY', value: '1' }],
  drainSeconds: 0,
  podAnnotations: { a: 'b' },
  podLabels: { team: 'docs' },
  nodeSelector: { 'kubernetes.io/os': 'linux' },
  tolerations: [{ key: 'docs', operator: 'Exists' }],
  affinity: { podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [] } },
  topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'ScheduleAnyway' }],
  priorityClassName: 'low',
  nameOverride: 'manual',
};

const refresh = { enabled: true, apiUrl: 'https://api.example.com', domain: 'docs.example.com', existingSecret: 'api' };
const network = { enabled: true, api: { cidrs: ['192.0.2.0/24'] } };

const cases: [string, Values, string[]][] = [
  ['nothing', {}, []],
  ['a link', { staticExport: on }, ['Deployment', 'PodDisruptionBudget', 'Secret', 'Service']],
  ['a Secret', { staticExport: { enabled: true, existingSecret: 'mine' }, replicas: 1 }, ['Deployment', 'Service']],
  [
    'a volume',
    { staticExport: on, replicas: 1, persistence: { enabled: true } },
    ['Deployment', 'PersistentVolumeClaim', 'Secret', 'Service'],
  ],
  ['links from an API', { staticExport: { enabled: true, refresh } }, ['Deployment', 'PodDisruptionBudget', 'Service']],
  [
    'a link and an API, limited to them',
    {
      staticExport: { ...on, refresh: { ...refresh, domain: '', jobId: 'se_0123456789abcdef', minutes: 10 } },
      networkPolicy: network,
    },
    ['Deployment', 'NetworkPolicy', 'PodDisruptionBudget', 'Secret', 'Service'],
  ],
  [
    'an image, without a network',
    {
      staticExport: { enabled: true, image: { repository: 'registry.example.com/bundle', tag: 'v14' } },
      settings: { deployment: 'air-gapped' },
      networkPolicy: { enabled: true },
      autoscaling: { enabled: true, minReplicas: 3, maxReplicas: 6, targetCpuPercent: 50 },
    },
    ['Deployment', 'HorizontalPodAutoscaler', 'NetworkPolicy', 'PodDisruptionBudget', 'Service'],
  ],
  [
    'a volume with the bundle',
    {
      staticExport: { enabled: true, volume: { existingClaim: 'bundles', path: 'docs/v14.zip' } },
      networkPolicy: { enabled: true, from: [{ podSelector: {} }], egress: [{ to: [{ ipBlock: { cidr: '10.0.0.0/8' } }] }] },
      autoscaling: { enabled: true, minReplicas: 1 },
      persistence: { enabled: true },
    },
    ['Deployment', 'HorizontalPodAutoscaler', 'NetworkPolicy', 'Service'],
  ],
  [
    'a volume on which bundles appear',
    { staticExport: { enabled: true, volume: { existingClaim: 'bundles', path: 'docs', watch: true }, publicKeys: [publicKey] } },
    ['Deployment', 'PodDisruptionBudget', 'Service'],
  ],
  ['everything', everything, ['Deployment', 'Ingress', 'PersistentVolumeClaim', 'PodDisruptionBudget', 'Secret', 'Service']],
];

describeChart({ folder: chart, name: 'site', cases, everything });

describe('the pod', () => {
  const podOf = async (values: Values) => find(await render(values), 'Deployment').spec.template;

  test('has the link from a Secret alone', async () => {
    const resources = await render({ staticExport: on });
    expect(find(resources, 'Secret').stringData).toEqual({ bundleUrl: link });
    expect(JSON.stringify(resources.filter(({ kind }) => kind !== 'Secret'))).not.toContain('SECRET');
    const { containers } = (await podOf({ staticExport: { enabled: true, existingSecret: 'mine' } })).spec;
    expect(containers[0].env[0].valueFrom.secretKeyRef).toEqual({ name: 'mine', key: 'bundleUrl' });
  });

  test('names the assistant that readers ask, where there is one', async () => {
    const variables = async (assistant?: object) => {
      const { env } = (await podOf({ staticExport: on, ...(assistant && { assistant }) })).spec.containers[0];
      const named = (env as { name: string; value: string }[]).filter(({ name }) => name.startsWith('CARREL_ASSISTANT_'));
      return Object.fromEntries(named.map(({ name, value }) => [name, value]));
    };
    expect(await variables()).toEqual({});
    expect(await variables({ url: '/discovery', domain: 'docs' })).toEqual({
      CARREL_ASSISTANT_URL: '/discovery',
      CARREL_ASSISTANT_DOMAIN: 'docs',
    });
    expect(await variables(everything.assistant as object)).toEqual({
      CARREL_ASSISTANT_URL: 'https://api.example.com/discovery',
      CARREL_ASSISTANT_DOMAIN: 'docs.example.com',
      CARREL_ASSISTANT_KEY: 'svc_dsc_a',
    });
  });

  test('has the settings of the pages as JSON', async () => {
    const { env } = (await podOf(everything)).spec.containers[0];
    const named = (env as { name: string; value: string }[]).find(({ name }) => name === 'CARREL_SETTINGS');
    expect(JSON.parse(named!.value)).toEqual(everything.settings);
  });

  test('is another one when the link or the version is another one, and else the same', async () => {
    const of = async (staticExport: object) => JSON.stringify(await podOf({ staticExport: { ...on, ...staticExport } }));
    const same = await of({});
    expect(await of({})).toBe(same);
    expect(await of({ bundleUrl: `${link}2` })).not.toBe(same);
    expect(await of({ version: '2' })).not.toBe(same);
  });

  test('is asked on the port it listens on', async () => {
    const [container] = (await podOf({ staticExport: on })).spec.containers;
    const [port] = container.ports;
    expect(container.args[container.args.indexOf('--port') + 1]).toBe(String(port.containerPort));
    expect(container.livenessProbe.httpGet).toEqual({ path: '/.carrel/live', port: port.name });
    expect(container.readinessProbe.httpGet).toEqual({ path: '/.carrel/ready', port: port.name });
  });
});

describe('links from an API', () => {
  test('have the key from a Secret of the operator alone', async () => {
    const { env } = find(await render({ staticExport: { enabled: true, refresh } }), 'Deployment').spec.template.spec
      .containers[0];
    const names = (env as { name: string }[]).map(({ name }) => name);
    expect(names).not.toContain('CARREL_BUNDLE_URL');
    expect(env).toContainEqual({ name: 'CARREL_BUNDLE_KEY', valueFrom: { secretKeyRef: { name: 'api', key: 'apiKey' } } });
    expect(env).toContainEqual({ name: 'CARREL_BUNDLE_REFRESH_DOMAIN', value: 'docs.example.com' });
    expect(names).not.toContain('CARREL_BUNDLE_REFRESH_JOB');
    expect(names).not.toContain('CARREL_BUNDLE_REFRESH_MINUTES');
  });

  test.each<[string, Values, Values]>([
    ['another job', { jobId: 'se_0123456789abcdef' }, { jobId: 'se_0123456789abcdee' }],
    ['another site', { domain: 'a.test' }, { domain: 'b.test' }],
  ])('%s starts a rollout', async (_, one, other) => {
    const pod = async (of: Values) => {
      const staticExport = { enabled: true, refresh: { ...refresh, domain: '', ...of } };
      return JSON.stringify(find(await render({ staticExport }), 'Deployment').spec.template);
    };
    expect(await pod(one)).toBe(await pod(one));
    expect(await pod(one)).not.toBe(await pod(other));
  });
});

describe('the network policy', () => {
  const policy = async (values: Values) => find(await render({ networkPolicy: network, ...values }), 'NetworkPolicy').spec;

  test('with links, allows DNS and the addresses of the API, and nothing else', async () => {
    const { egress, policyTypes } = await policy({ staticExport: { enabled: true, refresh } });
    expect(policyTypes).toEqual(['Ingress', 'Egress']);
    expect(egress).toEqual([
      {
        ports: [
          { port: 53, protocol: 'UDP' },
          { port: 53, protocol: 'TCP' },
        ],
        to: [{ namespaceSelector: {}, podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } } }],
      },
      { ports: [{ port: 443, protocol: 'TCP' }], to: [{ ipBlock: { cidr: '192.0.2.0/24' } }] },
    ]);
  });

  test('with an image or a volume, allows no connection at all', async () => {
    for (const source of [{ image: { repository: 'bundle', tag: '1' } }, { volume: { existingClaim: 'bundles' } }])
      expect((await policy({ staticExport: { enabled: true, ...source } })).egress).toEqual([]);
  });

  test('that would forbid the download is refused', async () => {
    const values = { staticExport: on, networkPolicy: { enabled: true } };
    await expect(render(values)).rejects.toThrow(/set networkPolicy\.api\.cidrs/);
  });
});

test('an autoscaler alone decides on the number of pods', async () => {
  const resources = await render({ staticExport: on, autoscaling: { enabled: true, minReplicas: 2, maxReplicas: 4 } });
  expect(find(resources, 'Deployment').spec).not.toHaveProperty('replicas');
  expect(find(resources, 'HorizontalPodAutoscaler').spec).toMatchObject({
    scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: find(resources, 'Deployment').metadata.name },
    minReplicas: 2,
    maxReplicas: 4,
  });
  await expect(render({ staticExport: on, autoscaling: { enabled: true, minReplicas: 20 } })).rejects.toThrow(
    /maxReplicas is 10/,
  );
  const kept = { staticExport: on, replicas: 1, persistence: { enabled: true } };
  await expect(render({ ...kept, autoscaling: { enabled: true } })).rejects.toThrow(/autoscaling is enabled, but a volume/);
});

test('an image with the bundle is copied by a container that may do no more than the pod', async () => {
  const image = { repository: 'registry.example.com/bundle', tag: 'v14', path: '/docs.zip' };
  const { spec } = find(await render({ staticExport: { enabled: true, image } }), 'Deployment').spec.template;
  const [copy] = spec.initContainers;
  const [container] = spec.containers;
  expect(copy).toMatchObject({ image: 'registry.example.com/bundle:v14', command: ['cp', '/docs.zip', '/data/bundle.zip'] });
  expect(copy.securityContext).toEqual(container.securityContext);
  expect(container.args.slice(0, 2)).toEqual(['serve', '/data/bundle.zip']);
  expect(JSON.stringify(container)).not.toContain('CARREL_BUNDLE');
});

test('a volume for one pod is never wanted by two', async () => {
  const { spec } = find(await render({ staticExport: on, replicas: 1, persistence: { enabled: true } }), 'Deployment');
  expect(spec.strategy).toEqual({ type: 'Recreate' });
  await expect(render({ staticExport: on, replicas: 2, persistence: { enabled: true } })).rejects.toThrow(/set replicas to 1/);
});

describe('values that are refused', () => {
  test.each<[string, Values, RegExp]>([
    ['enabled without a link', { staticExport: { enabled: true } }, /bundleUrl/],
    ['a link and a Secret', { staticExport: { ...on, existingSecret: 'mine' } }, /oneOf/],
    ['a link and an image', { staticExport: { ...on, image: { repository: 'a', tag: '1' } } }, /oneOf/],
    [
      'a volume and an image',
      { staticExport: { enabled: true, volume: { existingClaim: 'a' }, image: { repository: 'a', tag: '1' } } },
      /oneOf/,
    ],
    ['an image without a tag', { staticExport: { enabled: true, image: { repository: 'a' } } }, /tag/],
    [
      'a pinned version of an image',
      { staticExport: { enabled: true, version: '1', image: { repository: 'a', tag: '1' } } },
      /version/,
    ],
    ['a path out of the volume', { staticExport: { enabled: true, volume: { existingClaim: 'a', path: 'a/../../b' } } }, /path/],
    [
      'an API without a Secret',
      { staticExport: { enabled: true, refresh: { ...refresh, existingSecret: '' } } },
      /existingSecret/,
    ],
    ['an API without its URL', { staticExport: { enabled: true, refresh: { ...refresh, apiUrl: '' } } }, /apiUrl/],
    [
      'an API with a password',
      { staticExport: { enabled: true, refresh: { ...refresh, apiUrl: 'https://a:b@c/' } } },
      /apiUrl.*pattern/,
    ],
    ['neither a site nor a job', { staticExport: { enabled: true, refresh: { ...refresh, domain: '' } } }, /domain/],
    ['a site and a job', { staticExport: { enabled: true, refresh: { ...refresh, jobId: 'se_0123456789abcdef' } } }, /oneOf/],
    [
      'an API key as the name of a key',
      { staticExport: { enabled: true, refresh: { ...refresh, key: 'svc key' } } },
      /key.*pattern/,
    ],
    ['a network that is none', { networkPolicy: { api: { cidrs: ['api.example.com'] } } }, /cidrs.*pattern/],
    ['an unknown key of the autoscaler', { autoscaling: { max: 3 } }, /'max' not allowed/],
    ['enabled as a word', { staticExport: { ...on, enabled: 'yes' } }, /enabled.*got string, want boolean/],
    ['a version that is a number', { staticExport: { ...on, version: 14 } }, /version.*got number, want string/],
    ['a link that is none', { staticExport: { ...on, bundleUrl: 'bundle.zip' } }, /bundleUrl.*pattern/],
    ['a link with a password', { staticExport: { ...on, bundleUrl: 'https://a:b@example.com/' } }, /bundleUrl.*pattern/],
    ['an unknown key', { staticExport: { ...on, bundleURL: link } }, /bundleURL/],
    ['an unknown key at the top', { replicaCount: 2 }, /replicaCount/],
    ['an unknown key of the image', { image: { name: 'carrel' } }, /'name' not allowed/],
    ['replicas as a word', { replicas: 'two' }, /replicas.*got string, want integer/],
    ['half a replica', { replicas: 1.5 }, /replicas/],
    ['a port that is none', { service: { port: 70000 } }, /port.*maximum/],
    ['an ingress for no host', { ingress: { enabled: true } }, /hosts.*minItems/],
    ['a size that is none', { persistence: { size: 'big' } }, /size.*pattern/],
    ['an assistant without its address', { assistant: { domain: 'docs', key: 'svc_dsc_a' } }, /assistant.*url|url.*minLength/],
    ['an assistant without the site', { assistant: { url: 'https://api.example.com' } }, /domain/],
    ['only the key of an assistant', { assistant: { key: 'svc_dsc_a' } }, /assistant/],
    ['settings that pages do not have', { settings: { search: {} } }, /search/],
    ['an admin key', { assistant: { url: '/discovery', domain: 'docs', key: 'svc_abc' } }, /key.*pattern/],
    ['an assistant that is no address', { assistant: { url: 'api.example.com', domain: 'docs' } }, /url.*pattern/],
    ['a base without slashes', { staticExport: { ...on, base: 'docs' } }, /base.*pattern/],
  ])('%s', async (_, values, message) => {
    await expect(render(values)).rejects.toThrow(message);
  });

  test('also by `helm lint`', async () => {
    await expect(helm(['lint', '--strict', chart], { replicas: 'two' })).rejects.toThrow(/replicas.*got string, want integer/);
  });
});

test('the notes name the next steps', async () => {
  const notes = (values: Values) => helm(['install', 'docs', chart, '--dry-run=client', '--namespace', 'web'], values);
  expect(await notes({})).toContain('staticExport.enabled is false');
  const notesText = await notes({ staticExport: { ...on, version: 'v14' } });
  expect(notesText).toContain('rollout status deployment/docs-carrel');
  expect(notesText.split('NOTES:')[1]).toContain('only version v14');
  expect(notesText.split('NOTES:')[1]).not.toContain('SECRET');
  expect(await notes(everything)).toContain('https://docs.example.com/docs/');
});
