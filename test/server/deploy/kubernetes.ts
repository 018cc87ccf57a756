// Rendered resources against the types of Kubernetes: values by the models of kubernetes-models, which let unknown fields pass,
// and names of fields by the type checker, which refuses them in a literal.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Resource } from './helm.ts';

const root = join(import.meta.dirname, '../../..');

type Models = Record<string, new (resource: Resource) => { validate(): void }>;

const modules: Record<string, () => Promise<unknown>> = {
  v1: () => import('kubernetes-models/v1'),
  'apps/v1': () => import('kubernetes-models/apps/v1'),
  'autoscaling/v2': () => import('kubernetes-models/autoscaling/v2'),
  'batch/v1': () => import('kubernetes-models/batch/v1'),
  'networking.k8s.io/v1': () => import('kubernetes-models/networking.k8s.io/v1'),
  'policy/v1': () => import('kubernetes-models/policy/v1'),
};

/** What Kubernetes would not take, one line each. */
export async function faultsOf(resources: Resource[]): Promise<string[]> {
  const faults: string[] = [];
  for (const resource of resources) {
    const models = (await modules[resource.apiVersion]?.()) as Models | undefined;
    const Model = models?.[resource.kind];
    if (!Model) throw new Error(`This test knows no ${resource.kind} of "${resource.apiVersion}".`);
    try {
      new Model(resource).validate();
    } catch (error) {
      faults.push(`${resource.kind}: ${(error as Error).message}`);
    }
  }
  return [...faults, ...fieldFaults(resources)];
}

function fieldFaults(resources: Resource[]): string[] {
  const cache = join(root, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  // Below the root, so that the types are found.
  const folder = mkdtempSync(join(cache, 'carrel-kubernetes-'));
  try {
    const lines = resources.map((resource, index) => {
      const type = `I${resource.kind}`;
      return `import type { ${type} as T${index} } from 'kubernetes-models/${resource.apiVersion}';\nexport const r${index}: T${index} = ${JSON.stringify(resource, null, 1)};`;
    });
    writeFileSync(join(folder, 'check.ts'), lines.join('\n'));
    const options = [
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      '--module',
      'nodenext',
      '--target',
      'es2022',
      '--types',
      '',
      '--ignoreConfig',
    ];
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const { stdout } = spawnSync(process.execPath, [tsc, ...options, join(folder, 'check.ts')], {
      cwd: folder,
      encoding: 'utf8',
    });
    return stdout.split('\n').filter((line) => line.trim() !== '');
  } finally {
    rmSync(folder, { recursive: true });
  }
}
