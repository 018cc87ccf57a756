// What holds for each of our charts.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { helm, render, type Resource, type Values } from './helm.ts';
import { faultsOf } from './kubernetes.ts';

interface ChartContract {
  folder: string;
  /** What the names of its snapshots begin with. */
  name: string;
  /** Values with a name, and the kinds of the resources that they become. */
  cases: [name: string, values: Values, kinds: string[]][];
  /** Values that touch every branch of the templates. */
  everything: Values;
}

export function describeChart({ folder, name: chartName, cases, everything }: ChartContract): void {
  describe.each(cases.map((one, at) => [...one, at] as const))('with %s', (name, values, kinds, at) => {
    test('Helm finds no fault', async () => {
      expect(await helm(['lint', '--strict', folder], values)).toContain('0 chart(s) failed');
    });

    test('it becomes the resources of these kinds', async () => {
      const resources = await render(values, folder);
      expect(resources.map(({ kind }) => kind).sort()).toEqual(kinds);
    });

    test('the resources that no case before it has are the ones of the last release, or the snapshot says what is different', async () => {
      const documentsOf = async (of: Values) => (await helm(['template', 'docs', folder], of)).split(/^---\n/m);
      const before = await Promise.all(cases.slice(0, at).map(([, earlier]) => documentsOf(earlier)));
      const own = (await documentsOf(values)).filter((document) => !before.flat().includes(document));
      await expect(own.join('---\n')).toMatchFileSnapshot(`snapshots/${chartName} with ${name}.yaml`);
    });
  });

  test('Kubernetes takes all resources, and wrong types and unknown fields would be found', async () => {
    const all = (await Promise.all(cases.map(([, values]) => render(values, folder)))).flat();
    const [one, other] = [0, 1].map(() => structuredClone(all.find(({ kind }) => kind === 'Deployment')!));
    one!.spec.replicas = 'one';
    other!.spec.template.spec.containers[0].imagePullPolicyy = 'Always';
    expect(await faultsOf([...all, one!, other!])).toEqual([
      expect.stringMatching(/^Deployment: .*replicas/),
      expect.stringContaining("Type 'string' is not assignable to type 'number'"),
      expect.stringContaining('imagePullPolicyy'),
    ]);
  });

  test('all pods run without rights, on a file system that they cannot write', async () => {
    const pods = podsOf(await render(everything, folder));
    expect(pods.length).toBeGreaterThan(0);
    for (const { spec } of pods) {
      expect(spec).toMatchObject({
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
      });
      for (const container of [...(spec.initContainers ?? []), ...spec.containers]) {
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        expect(container.volumeMounts.map(({ mountPath }: { mountPath: string }) => mountPath)).toEqual(['/data', '/tmp']);
        expect(container.resources.limits.memory).toBeTruthy();
      }
    }
  });

  const long = 'a-name-of-sixty-three-characters-which-is-the-longest-one-there-is';
  test.each<[string, string, Values]>([
    ['a release with the longest name', long.slice(0, 53), {}],
    ['a release that is named by a domain', 'docs.example.com', {}],
    ['the longest name of the chart', 'docs', { nameOverride: long.slice(0, 63) }],
    ['the longest name of all', 'docs', { fullnameOverride: long.slice(0, 63) }],
    ['a name that is cut at a dash', 'docs', { fullnameOverride: `${'a'.repeat(54)}--${'b'.repeat(7)}` }],
  ])('%s gives names that Kubernetes takes', async (_, release, overrides) => {
    const resources = await render({ ...everything, nameOverride: '', ...overrides }, folder, release);
    expect(resources.length).toBeGreaterThan(0);
    for (const { kind, metadata } of resources) {
      expect(metadata.name, kind).toMatch(/^[a-z]([-a-z0-9]*[a-z0-9])?$/);
    }
    // A job gives its name to its pods as a label.
    const short = resources.filter(({ kind }) => ['Service', 'Job'].includes(kind)).map(({ metadata }) => metadata.name);
    expect(short.filter((name) => name.length > 63)).toEqual([]);
    for (const labels of resources.flatMap(labelsOf))
      for (const value of Object.values(labels)) expect(value).toMatch(/^[a-zA-Z0-9]([-._a-zA-Z0-9]{0,61}[a-zA-Z0-9])?$/);
  });

  test.each([{ nameOverride: 'My docs' }, { fullnameOverride: 'docs.example.com' }, { fullnameOverride: '-docs' }])(
    '%j is refused before anything is installed',
    async (overrides) => {
      await expect(render({ ...everything, ...overrides }, folder)).rejects.toThrow(/Override.*pattern/);
    },
  );

  test('two releases in one namespace share no name, and none selects the pods of the other', async () => {
    const [one, other] = await Promise.all(['docs', 'docs-2'].map((release) => render(everything, folder, release)));
    const names = (resources: Resource[]) => resources.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(names(one!).filter((name) => names(other!).includes(name))).toEqual([]);
    const selectors = one!.flatMap(({ kind, spec }) =>
      kind === 'Service' ? [spec.selector] : [spec?.selector?.matchLabels ?? []],
    );
    const used = selectors.filter((selector) => Object.keys(selector).length > 0);
    expect(used.length).toBeGreaterThan(1);
    for (const selector of used) {
      for (const { metadata } of podsOf(other!)) expect(metadata.labels).not.toMatchObject(selector);
      expect(podsOf(one!).some(({ metadata }) => isPart(selector, metadata.labels))).toBe(true);
    }
  });

  test('every value has a default, a place in the schema and a line in the README', () => {
    const read = (file: string) => readFileSync(join(folder, file), 'utf8');
    const defaults = [...read('values.yaml').matchAll(/^([a-zA-Z0-9]+):/gm)].map(([, name]) => name!);
    const names = Object.keys(JSON.parse(read('values.schema.json')).properties).filter((name) => name !== 'global');
    expect(names.sort()).toEqual([...defaults].sort());
    const readme = read('README.md');
    expect(names.filter((name) => !name.endsWith('Override') && !readme.includes(`\`${name}`))).toEqual([]);
    expect(readdirSync(join(folder, 'templates'))).toContain('NOTES.txt');
  });
}

interface Labeled {
  labels: Record<string, string>;
}

function podsOf(resources: Resource[]): { metadata: Labeled; spec: Resource['spec'] }[] {
  return resources.flatMap(({ kind, spec }) => (['Deployment', 'Job'].includes(kind) ? [spec.template] : []));
}

function labelsOf({ metadata, spec }: Resource): Record<string, string>[] {
  const { labels = {} } = metadata as { labels?: Record<string, string> };
  return [labels, spec?.template?.metadata.labels ?? {}];
}

function isPart(part: Record<string, string>, labels: Record<string, string>): boolean {
  return Object.entries(part).every(([name, value]) => labels[name] === value);
}
