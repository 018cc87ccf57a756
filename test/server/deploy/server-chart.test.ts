import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { metaOf, optionsShape, type OptionKey } from '../../../server/platform/options.ts';
import { readOptions } from '../../../server/platform/read-options.ts';
import { startS3Server, s3Credentials } from '../storage/s3-server.ts';
import { makeFolder } from '../hosting/small-site.ts';
import { startPostgres } from '../support/postgres.ts';
import { describeChart } from './chart-contract.ts';
import { makeVolume, runContainer } from './container.ts';
import { helm, helmBinary, render as renderChart, serverChart, type Resource, type Values } from './helm.ts';
import { environmentOf } from './pod.ts';

beforeAll(() => void helmBinary(), 300_000);

const render = (values: Values) => renderChart(values, serverChart);
const minimal: Values = {
  publicUrl: 'https://docs-api.example.com',
  sitesUrl: 'https://docs.example.com',
  database: { existingSecret: 'database' },
  secret: { existingSecret: 'signing' },
  s3: { bucket: 'exports', existingSecret: 'bucket' },
};

/** Values that touch every branch of the templates. */
const everything: Values = {
  ...minimal,
  database: { existingSecret: 'database', key: 'url' },
  secret: { existingSecret: 'signing', key: 'text' },
  s3: {
    bucket: 'exports',
    endpoint: 'https://s3.example.com',
    region: 'eu-central-1',
    prefix: 'carrel/',
    existingSecret: 'bucket',
    accessKeyIdKey: 'id',
    secretAccessKeyKey: 'key',
  },
  image: { repository: 'registry.example.com/carrel', tag: '0.1.0', pullPolicy: 'Always', pullSecrets: [{ name: 'pull' }] },
  api: { replicas: 1, autoscaling: { enabled: true, minReplicas: 3, maxReplicas: 5, targetCpuPercent: 60 }, dataSize: '1Gi' },
  worker: { replicas: 3, jobs: 2, drainSeconds: 0, resources: { limits: { memory: '6Gi' } }, dataSize: '5Gi' },
  migrations: { retries: 0, timeoutSeconds: 60, resources: { limits: { memory: '256Mi' } } },
  options: { CARREL_LIMITS: 'keepExports=10', CARREL_GIT_SSH_ORGANIZATIONS: 'default' },
  env: [{ name: 'CARREL_METRICS_TOKEN', valueFrom: { secretKeyRef: { name: 'metrics', key: 'token' } } }],
  serviceAccount: { annotations: { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::1:role/carrel' } },
  service: { type: 'LoadBalancer', apiPort: 8000, sitesPort: 8001, annotations: { a: 'b' } },
  ingress: {
    enabled: true,
    className: 'nginx',
    annotations: { a: 'true' },
    tls: [{ secretName: 'tls', hosts: ['docs.example.com'] }],
  },
  trustedProxies: ['10.0.0.0/8', '2001:db8::1'],
  podDisruptionBudget: { enabled: true, maxUnavailable: '50%' },
  drainSeconds: 0,
  podAnnotations: { a: 'b' },
  podLabels: { team: 'docs' },
  nodeSelector: { 'kubernetes.io/os': 'linux' },
  tolerations: [{ key: 'docs', operator: 'Exists' }],
  affinity: { podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [] } },
  topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'ScheduleAnyway' }],
  priorityClassName: 'low',
  nameOverride: 'docs-server',
};

const deployment = (resources: Resource[], role: string) =>
  resources.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name.endsWith(`-${role}`))!;
const container = (resources: Resource[], role: string) => deployment(resources, role).spec.template.spec.containers[0];

const cases: [string, Values, string[]][] = [
  ['what it requires', minimal, ['Deployment', 'Deployment', 'Job', 'PodDisruptionBudget', 'Service', 'ServiceAccount']],
  [
    'the role of its service account, and no worker',
    { ...minimal, s3: { bucket: 'exports' }, worker: { replicas: 0 }, podDisruptionBudget: { enabled: false } },
    ['Deployment', 'Deployment', 'Job', 'Service', 'ServiceAccount'],
  ],
  [
    'migrations by the pods',
    { ...minimal, migrations: { job: false } },
    ['Deployment', 'Deployment', 'PodDisruptionBudget', 'Service', 'ServiceAccount'],
  ],
  [
    'everything',
    everything,
    [
      'Deployment',
      'Deployment',
      'HorizontalPodAutoscaler',
      'Ingress',
      'Job',
      'PodDisruptionBudget',
      'PodDisruptionBudget',
      'Service',
      'ServiceAccount',
    ],
  ],
];

describeChart({ folder: serverChart, name: 'server', cases, everything });

describe.each(cases)('with %s', (_, values) => {
  test.each(['api', 'worker'])('the server takes the configuration of the %s', async (role) => {
    const { env, args } = container(await render(values), role);
    const environment = Object.fromEntries(
      (env as { name: string; value?: string }[]).map(({ name, value }) => [name, value ?? secrets[name]!]),
    );
    const known = (Object.keys(optionsShape) as OptionKey[]).map((key) => metaOf(key).env);
    expect(Object.keys(environment).filter((name) => !known.includes(name) && !name.startsWith('AWS_'))).toEqual([]);
    const data = mkdtempSync(join(tmpdir(), 'carrel-chart-'));
    onTestFinished(() => rmSync(data, { recursive: true }));
    expect(args.slice(0, 2)).toEqual(['server', '--role']);
    const options = readOptions({ environment: { ...environment, CARREL_DATA: data, CARREL_ROLE: args[2] } });
    expect(options).toMatchObject({ role, s3Bucket: 'exports', publicUrl: minimal.publicUrl, databaseUrl: secrets.DATABASE_URL });
  });
});

const secretOptions = (Object.keys(optionsShape) as OptionKey[])
  .map(metaOf)
  .flatMap(({ env, secret }) => (secret && env.startsWith('CARREL_') ? env : []));

const secrets: Record<string, string> = {
  DATABASE_URL: 'postgresql://carrel:SECRET@db/carrel',
  CARREL_SECRET: 'x'.repeat(32),
  CARREL_METRICS_TOKEN: 'SECRET',
  AWS_ACCESS_KEY_ID: 'id',
  AWS_SECRET_ACCESS_KEY: 'SECRET',
};

test.each(['api', 'worker'])('the pods of the %s are asked on the port they listen on', async (role) => {
  const { ports, livenessProbe, startupProbe, readinessProbe } = container(await render(everything), role);
  expect(ports[0]).toEqual({ name: 'api', containerPort: 4400 });
  expect([startupProbe, livenessProbe, readinessProbe].map(({ httpGet }) => httpGet)).toEqual([
    { path: '/healthz', port: 'api' },
    { path: '/healthz', port: 'api' },
    { path: '/readyz', port: 'api' },
  ]);
});

test('a job of the same image migrates before Helm changes anything else, with nothing that Helm makes later', async () => {
  const resources = await render(everything);
  const job = resources.find(({ kind }) => kind === 'Job')!;
  expect(job.metadata).toMatchObject({ annotations: { 'helm.sh/hook': 'pre-install,pre-upgrade' } });
  expect(job.spec).toMatchObject({ backoffLimit: 0, activeDeadlineSeconds: 60 });
  const { spec } = job.spec.template;
  expect(spec).not.toHaveProperty('serviceAccountName');
  const of = ({ containers, securityContext }: typeof spec) => ({
    securityContext,
    image: containers[0].image,
    container: containers[0].securityContext,
    mounts: containers[0].volumeMounts,
    database: containers[0].env.find(({ name }: { name: string }) => name === 'DATABASE_URL'),
  });
  expect(of(spec)).toEqual(of(deployment(resources, 'api').spec.template.spec));
  const mode = (values: Values) => async (role: string) =>
    container(await render(values), role).env.find(({ name }: { name: string }) => name === 'CARREL_MIGRATIONS')?.value;
  const roles = ['api', 'worker'];
  expect(await Promise.all(roles.map(mode(minimal)))).toEqual(['manual', 'manual']);
  expect(await Promise.all(roles.map(mode({ ...minimal, migrations: { job: false } })))).toEqual([undefined, undefined]);
});

test('service, budgets and autoscaler select the pods of their role alone', async () => {
  const resources = await render(everything);
  const labels = (role: string) => deployment(resources, role).spec.template.metadata.labels;
  const selectors = resources.flatMap(({ kind, metadata, spec }) => {
    if (kind === 'PodDisruptionBudget') return [[metadata.name.split('-').at(-1)!, spec.selector.matchLabels]];
    return kind === 'Service' ? [['api', spec.selector]] : [];
  });
  expect(selectors.map(([role]) => role as string).sort()).toEqual(['api', 'api', 'worker']);
  for (const [role, selector] of selectors) {
    expect(labels(role)).toMatchObject(selector);
    expect(labels(role === 'api' ? 'worker' : 'api')).not.toMatchObject(selector);
  }
  expect(deployment(resources, 'api').spec).not.toHaveProperty('replicas');
});

test('the ingress leads each host to its port of the service', async () => {
  const { rules } = (await render(everything)).find(({ kind }) => kind === 'Ingress')!.spec;
  const targets = rules.map(({ host, http }: { host: string; http: { paths: { backend: object }[] } }) => [
    host,
    http.paths[0]!.backend,
  ]);
  expect(targets).toEqual([
    ['docs-api.example.com', { service: { name: 'docs-docs-server', port: { name: 'api' } } }],
    ['docs.example.com', { service: { name: 'docs-docs-server', port: { name: 'sites' } } }],
  ]);
});

describe('values that are refused', () => {
  test.each<[string, Values, RegExp]>([
    ['nothing', {}, /publicUrl/],
    ['no database', { ...minimal, database: {} }, /database\/existingSecret|existingSecret/],
    ['no bucket', { ...minimal, s3: { existingSecret: 'bucket' } }, /bucket/],
    ['a database with its password', { ...minimal, database: { url: 'postgresql://a:b@c/d' } }, /'url' not allowed/],
    ['one host for API and sites', { ...minimal, sitesUrl: 'https://docs-api.example.com/sites' }, /have the same host/],
    ['a URL that is none', { ...minimal, sitesUrl: 'docs.example.com' }, /sitesUrl.*pattern/],
    ['an unknown key', { ...minimal, replicas: 2 }, /'replicas' not allowed/],
    ['an option that is none', { ...minimal, options: { keepExports: '1' } }, /keepExports/],
    ['an option that the chart sets', { ...minimal, options: { CARREL_ROLE: 'all' } }, /CARREL_ROLE|propertyNames|options/],
    [
      'migrations as an option',
      { ...minimal, options: { CARREL_MIGRATIONS: 'auto' } },
      /CARREL_MIGRATIONS|propertyNames|options/,
    ],
    ['migrations that never end', { ...minimal, migrations: { timeoutSeconds: 0 } }, /timeoutSeconds.*minimum/],
    ...secretOptions.map((env): [string, Values, RegExp] => [
      `the secret ${env} as an option`,
      { ...minimal, options: { [env]: 'x' } },
      new RegExp(`invalid propertyName '${env}'`),
    ]),
    ['a number as an option', { ...minimal, options: { CARREL_LIMITS: 1 } }, /got number, want string/],
    ['no job', { ...minimal, worker: { jobs: 0 } }, /jobs.*minimum/],
    ['fewer pods than the least', { ...minimal, api: { autoscaling: { enabled: true, maxReplicas: 1 } } }, /maxReplicas is 1/],
  ])('%s', async (_, values, message) => {
    await expect(render(values)).rejects.toThrow(message);
  });
});

test('the notes name the first keys, the URLs and the next steps', async () => {
  const notes = async (values: Values) =>
    (await helm(['install', 'docs', serverChart, '--dry-run=client', '--namespace', 'web'], values)).split('NOTES:')[1];
  expect(await notes(minimal)).toContain('rollout status deployment/docs-carrel-server-api');
  expect(await notes(minimal)).toContain('A job has migrated the database');
  expect(await notes({ ...minimal, migrations: { job: false } })).toContain('The first pod migrates the database');
  expect(await notes(minimal)).toContain('cat /data/keys.json');
  expect(await notes(minimal)).toContain('ingress.enabled is false');
  expect(await notes(everything)).toContain('https://docs-api.example.com');
});

test('the job migrates an empty database, then API and worker of the chart start and publish a site', async () => {
  const postgres = await startPostgres();
  onTestFinished(() => postgres.end());
  const s3 = await startS3Server();
  onTestFinished(() => s3.end());
  const resources = await render({
    ...minimal,
    s3: { bucket: s3.bucket, endpoint: s3.endpoint, existingSecret: 'bucket' },
    drainSeconds: 0,
  });
  const secret = (name: string, stringData: Record<string, string>) =>
    resources.push({ apiVersion: 'v1', kind: 'Secret', metadata: { name }, stringData });
  secret('database', { DATABASE_URL: `${postgres.url}/postgres` });
  secret('signing', { CARREL_SECRET: 'x'.repeat(32) });
  secret('bucket', s3Credentials);
  const start = async (role: string) => {
    const volume = await makeVolume();
    const environment = { ...environmentOf(resources, deployment(resources, role)), PORT: '0', SITES_PORT: '0' };
    const pod = runContainer(container(resources, role).args, environment, volume);
    const [, address] = await pod.untilTold(/listening on (http:\S+)/);
    return { ...pod, volume, address: address!.replace('0.0.0.0', '127.0.0.1') };
  };
  const migrating = async (resource: Resource) => {
    const { args } = resource.spec.template.spec.containers[0];
    const pod = runContainer(args, environmentOf(resources, resource), await makeVolume());
    return [await pod.ended, pod.output()] as const;
  };
  expect(await migrating(resources.find(({ kind }) => kind === 'Job')!)).toEqual([
    0,
    expect.stringMatching(/^PostgreSQL was migrated from 0 to \d+\.\n$/),
  ]);
  const api = await start('api');
  const { adminKey } = JSON.parse(readFileSync(join(api.volume.data, 'keys.json'), 'utf8')) as { adminKey: string };
  const docs = await makeFolder({ 'index.md': '# Handbook\n\nThe words of the handbook.\n' });
  // The pods run as another user.
  chmodSync(docs, 0o755);
  const ask = async (path: string, method = 'GET', body?: object) => {
    const headers = { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' };
    const answer = await fetch(`${api.address}${path}`, { method, headers, body: body && JSON.stringify(body) });
    return (await answer.json()) as Record<string, string>;
  };
  // The export of the manual, which each server begins with, is tested in packages.test.ts.
  const { jobs } = (await ask('/v1/static-export/jobs')) as unknown as { jobs: { jobId: string }[] };
  for (const { jobId } of jobs) await ask(`/v1/static-export/jobs/${jobId}/cancel`, 'POST');
  const worker = await start('worker');
  for (const { address } of [api, worker])
    for (const path of ['/healthz', '/readyz']) expect((await fetch(`${address}${path}`)).status).toBe(200);
  await ask('/v1/sites/handbook.test', 'PUT', { source: { type: 'folder', path: docs } });
  const { jobId } = await ask('/v1/static-export/jobs', 'POST', { domain: 'handbook.test' });
  const events = await fetch(`${api.address}/v1/static-export/jobs/${jobId}/events`, {
    headers: { authorization: `Bearer ${adminKey}` },
  });
  await events.text();
  const job = await ask(`/v1/static-export/jobs/${jobId}`);
  expect([job.status, job.error]).toEqual(['completed', null]);
  const [, sites] = /and (http:\S+) \(sites\)/.exec(api.output())!;
  const home = await fetch(`${sites!.replace('0.0.0.0', '127.0.0.1')}/sites/handbook.test/`);
  expect(await home.text()).toContain('The words of the handbook.');
  for (const { child } of [api, worker]) child.kill('SIGTERM');
  for (const { ended, output } of [api, worker]) {
    expect(await ended).toBe(0);
    expect(output()).not.toContain(adminKey);
  }
});
