import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { metaOf, optionsShape, type OptionKey } from '../../../server/platform/options.ts';
import { readOptions } from '../../../server/platform/read-options.ts';

const deploy = join(import.meta.dirname, '../../../server/deploy');
const read = (file: string) => readFileSync(join(deploy, file), 'utf8');

interface Service {
  image: string;
  build?: { context: string; dockerfile: string };
  command?: string[];
  environment: Record<string, string>;
  ports?: string[];
  volumes: string[];
  healthcheck?: { test: string[] };
  [key: string]: unknown;
}
interface ComposeFile {
  services: Record<string, Service>;
  volumes: Record<string, null>;
}

/** The file as compose reads it: variables put in, `<<` resolved. Throws for a variable that is asked for and not there. */
function compose(file: string, variables: Record<string, string>): ComposeFile {
  const text = read(file).replaceAll(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name: string, kind?: string, rest = '') => {
    if (variables[name]) return variables[name];
    if (kind === '-') return rest as string;
    throw new Error(`${name}: ${rest}`);
  });
  return parse(text, { merge: true }) as ComposeFile;
}

const variables: Record<string, Record<string, string>> = {
  'compose.yaml': {
    POSTGRES_PASSWORD: 'letters1',
    CARREL_SECRET: 'x'.repeat(32),
    S3_ENDPOINT: 'http://192.168.1.10:8333',
    S3_KEY: 'key',
    S3_SECRET: 'secret',
  },
  'site.compose.yaml': { CARREL_BUNDLE_URL: 'https://example.com/bundle.zip?signature=x' },
};

// As the compose specification names them, as far as they are used here.
const known =
  /^(image|build|command|environment|ports|volumes|healthcheck|restart|read_only|tmpfs|cap_drop|security_opt|stop_grace_period|depends_on|deploy)$/;
const knownInHealth = /^(test|start_period|start_interval|interval|timeout|retries)$/;

describe.each(Object.keys(variables))('%s', (file) => {
  const { services, volumes } = compose(file, variables[file]!);

  test.each(Object.keys(variables[file]!))('cannot be started without %s, and says what it is', (name) => {
    expect(() => compose(file, { ...variables[file], [name]: '' })).toThrow(new RegExp(`^${name}: .{10,}`));
  });

  test('names nothing that is not there', () => {
    for (const [name, service] of Object.entries(services)) {
      expect(
        Object.keys(service).filter((key) => !known.test(key)),
        name,
      ).toEqual([]);
      expect(
        Object.keys(service.healthcheck ?? {}).filter((key) => !knownInHealth.test(key)),
        name,
      ).toEqual([]);
      expect(
        service.volumes.map((volume) => volume.split(':')[0]).filter((volume) => !(volume! in volumes)),
        name,
      ).toEqual([]);
      for (const needed of Object.keys((service.depends_on as object | undefined) ?? {})) {
        expect(services[needed]?.healthcheck, `${needed}, which ${name} waits for`).toBeDefined();
      }
    }
  });

  test('images are built here, or have a version', () => {
    const [own, others] = [
      Object.values(services).filter(({ build }) => build),
      Object.values(services).filter(({ build }) => !build),
    ];
    for (const { build } of own) expect(read(join(build!.context, build!.dockerfile))).toContain('ENTRYPOINT');
    for (const { image } of others) expect(image).toMatch(/:\d/);
  });

  test('our own containers have no rights they do not need', () => {
    const own = Object.values(services).filter(({ build }) => build);
    expect(own.length).toBeGreaterThan(0);
    for (const service of own) {
      expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
      expect(service.volumes.map((volume) => volume.split(':')[1])).toEqual(['/data']);
    }
  });
});

test.each(['api', 'worker'])('the configuration of the %s is one that the server takes', (name) => {
  const { services } = compose('compose.yaml', variables['compose.yaml']!);
  const { environment, command } = services[name]!;
  const names = (Object.keys(optionsShape) as OptionKey[]).map((key) => metaOf(key).env);
  const forOthers = Object.keys(environment).filter((key) => !names.includes(key));
  expect(forOthers).toEqual(['AWS_REGION', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']);
  const data = mkdtempSync(join(tmpdir(), 'carrel-compose-'));
  onTestFinished(() => rmSync(data, { recursive: true }));
  const options = readOptions({ environment: { ...environment, CARREL_DATA: data, CARREL_ROLE: command!.at(-1)! } });
  expect(options).toMatchObject({
    role: name,
    databaseUrl: 'postgresql://carrel:letters1@postgres:5432/carrel',
    s3Bucket: 'carrel',
  });
});

test('API and worker share all but their volume, and the API is asked on its own port', () => {
  const { api, worker, s3, postgres } = compose('compose.yaml', variables['compose.yaml']!).services;
  expect(api!.environment).toEqual(worker!.environment);
  expect(api!.ports).toEqual(['4400:4400', '4401:4401']);
  expect(api!.healthcheck!.test.join(' ')).toContain('http://127.0.0.1:4400/readyz');
  expect(s3!.environment).toMatchObject({ S3_BUCKET: api!.environment.CARREL_S3_BUCKET, AWS_SECRET_ACCESS_KEY: 'secret' });
  expect(postgres!.environment.POSTGRES_PASSWORD).toBe('letters1');
});

test('what a build of the image must not see is left out of it', () => {
  const ignored = read('../../.dockerignore').split('\n');
  expect(ignored).toEqual(expect.arrayContaining(['**/node_modules', '**/build', '.git', '.env', '**/.carrel']));
});
