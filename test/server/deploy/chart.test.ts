import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { chart, helm, helmBinary, render, type Resource, type Values } from './helm.ts';
import { faultsOf } from './kubernetes.ts';

vi.setConfig({ testTimeout: 60_000 });
beforeAll(() => void helmBinary(), 300_000);

const link = 'https://api.example.com/v1/bundles/se_0123456789abcdef?expires=1&signature=SECRET';
const on = { enabled: true, bundleUrl: link };
const find = (resources: Resource[], kind: string) => resources.find((resource) => resource.kind === kind)!;
const kinds = (resources: Resource[]) => resources.map(({ kind }) => kind).sort();

/** Values that touch every branch of the templates. */
const everything: Values = {
  staticExport: { ...on, version: '1e5', base: '/docs/', maxSizeMb: 100, timeLimitMinutes: 5 },
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

const cases: [string, Values, string[]][] = [
  ['nothing', {}, []],
  ['a link', { staticExport: on }, ['Deployment', 'PodDisruptionBudget', 'Secret', 'Service']],
  ['a Secret', { staticExport: { enabled: true, existingSecret: 'mine' }, replicas: 1 }, ['Deployment', 'Service']],
  [
    'a volume',
    { staticExport: on, replicas: 1, persistence: { enabled: true } },
    ['Deployment', 'PersistentVolumeClaim', 'Secret', 'Service'],
  ],
  ['everything', everything, ['Deployment', 'Ingress', 'PersistentVolumeClaim', 'PodDisruptionBudget', 'Secret', 'Service']],
];

describe.each(cases)('with %s', (_, values, expected) => {
  test('Helm finds no fault', async () => {
    expect(await helm(['lint', '--strict', chart], values)).toContain('0 chart(s) failed');
  });

  test('it becomes resources that Kubernetes knows', async () => {
    const resources = await render(values);
    expect(kinds(resources)).toEqual(expected);
    expect(await faultsOf(resources)).toEqual([]);
  });
});

test('wrong types and unknown fields would be found', async () => {
  const [deployment] = (await render({ staticExport: on })).filter(({ kind }) => kind === 'Deployment');
  deployment!.spec.replicas = 'one';
  expect(await faultsOf([deployment!])).not.toEqual([]);
  deployment!.spec.replicas = 1;
  deployment!.spec.template.spec.containers[0].imagePullPolicyy = 'Always';
  expect((await faultsOf([deployment!])).join()).toContain('imagePullPolicyy');
});

describe('the pod', () => {
  const podOf = async (values: Values) => find(await render(values), 'Deployment').spec.template;

  test('runs without rights', async () => {
    const { spec } = await podOf({ staticExport: on });
    expect(spec).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
    });
    expect(spec.containers[0].securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(spec.containers[0].volumeMounts.map(({ mountPath }: { mountPath: string }) => mountPath)).toEqual(['/data', '/tmp']);
  });

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

test('a volume for one pod is never wanted by two', async () => {
  const { spec } = find(await render({ staticExport: on, replicas: 1, persistence: { enabled: true } }), 'Deployment');
  expect(spec.strategy).toEqual({ type: 'Recreate' });
  await expect(render({ staticExport: on, replicas: 2, persistence: { enabled: true } })).rejects.toThrow(/set replicas to 1/);
});

describe('values that are refused', () => {
  test.each<[string, Values, RegExp]>([
    ['enabled without a link', { staticExport: { enabled: true } }, /bundleUrl/],
    ['a link and a Secret', { staticExport: { ...on, existingSecret: 'mine' } }, /oneOf/],
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
    await expect(helm(['lint', '--strict', chart], values)).rejects.toThrow(message);
  });
});

test('every value has a default, a place in the schema and a line in the README', () => {
  const schema = JSON.parse(readFileSync(join(chart, 'values.schema.json'), 'utf8'));
  const readme = readFileSync(join(chart, 'README.md'), 'utf8');
  const defaults = [...readFileSync(join(chart, 'values.yaml'), 'utf8').matchAll(/^([a-zA-Z]+):/gm)].map(([, name]) => name!);
  const names = Object.keys(schema.properties).filter((name) => name !== 'global');
  expect(names.sort()).toEqual([...defaults].sort());
  expect(names.filter((name) => !name.endsWith('Override') && !readme.includes(`\`${name}`))).toEqual([]);
  expect(readdirSync(join(chart, 'templates'))).toContain('NOTES.txt');
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
