// The pod of the rendered chart, run as a process.
import { expect } from 'vitest';
import { runContainer, type Container, type Volume } from './container.ts';
import { render, type Resource } from './helm.ts';

/** Runs the container of the rendered Deployment, with its Secrets, on a port of its own. */
export async function runPod(staticExport: object, volume: Volume): Promise<Container> {
  return runRendered(await render({ staticExport: { enabled: true, ...staticExport } }), volume);
}

export function runRendered(resources: Resource[], volume: Volume): Container {
  const deployment = resources.find(({ kind }) => kind === 'Deployment')!;
  const [container] = deployment.spec.template.spec.containers;
  return runContainer(onFreePort(container.args), environmentOf(resources, deployment), volume);
}

/** The environment variables of the container of a Deployment, with those from Secrets. */
export function environmentOf(resources: Resource[], deployment: Resource): Record<string, string> {
  const secret = (name: string) => resources.find(({ kind, metadata }) => kind === 'Secret' && metadata.name === name)!;
  const [container] = deployment.spec.template.spec.containers;
  const environment = container.env.map((entry: Resource['env']) => [
    entry.name,
    entry.valueFrom ? secret(entry.valueFrom.secretKeyRef.name).stringData[entry.valueFrom.secretKeyRef.key] : entry.value,
  ]);
  return Object.fromEntries(environment);
}

/** The one thing that is not as written: the machine of the tests may use the port already. */
export function onFreePort(args: string[]): string[] {
  expect(args).toContain('--port');
  return args.map((arg, index) => (args[index - 1] === '--port' ? '0' : arg));
}

export async function addressOf(container: Container, version: string): Promise<string> {
  const [, port] = await container.untilTold(new RegExp(`version ${version}, is served at http://0\\.0\\.0\\.0:(\\d+)/`));
  return `http://127.0.0.1:${port}`;
}

export async function expectStop(container: Container): Promise<void> {
  container.child.kill('SIGTERM');
  expect(await container.ended).toBe(0);
  expect(container.strays()).toEqual([]);
  expect(container.output()).not.toContain('SECRET');
}
