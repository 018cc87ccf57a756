import { hash } from 'node:crypto';
import type { Statement } from '../../integration/output/provenance.ts';
import { originOf, revisionOf } from '../source/checkout.ts';
import { carrelVersion } from '../version.ts';

export interface ProvenanceOptions {
  /** The docs folder, or the folder of HTML. */
  source: string;
  /** What the user asked for. */
  parameters: Record<string, unknown>;
  /** `CARREL_REPOSITORY` and `CARREL_COMMIT` are those of a folder without a checkout. */
  environment: NodeJS.ProcessEnv;
  started: Date;
  finished: Date;
}

/** A file from an external origin that went into an export. */
export interface RemoteInput {
  url: string;
  sha256: string;
}

/** What an export was made from, and how. */
export async function provenanceOf(
  manifest: string,
  remote: readonly RemoteInput[],
  { source, parameters, environment, started, finished }: ProvenanceOptions,
): Promise<Statement> {
  const repository = await repositoryOf(source, environment);
  // The query of a URL can be a signature that opens the file.
  const files = remote.map(({ url, sha256 }) => ({ uri: url.replace(/[?#].*$/s, ''), digest: { sha256 } }));
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name: 'carrel.json', digest: { sha256: hash('sha256', manifest) } }],
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'urn:carrel:export:v1',
        externalParameters: Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, publicValue(value)])),
        resolvedDependencies: [...(repository ? [repository] : []), ...files.toSorted((a, b) => (a.uri < b.uri ? -1 : 1))],
      },
      runDetails: {
        builder: { id: `pkg:npm/carrel@${carrelVersion}`, version: { carrel: carrelVersion, node: process.versions.node } },
        metadata: { startedOn: started.toISOString(), finishedOn: finished.toISOString() },
      },
    },
  };
}

function publicValue(value: unknown): unknown {
  return typeof value === 'string' && /^\w+:\/\//.test(value) ? withoutSecrets(value) : value;
}

type Dependency = Statement['predicate']['buildDefinition']['resolvedDependencies'][number];

/** The repository and commit of a folder; undefined outside a checkout. */
async function repositoryOf(source: string, environment: NodeJS.ProcessEnv): Promise<Dependency | undefined> {
  const { CARREL_REPOSITORY: given, CARREL_COMMIT: commit } = environment;
  const revision = commit ? { commit, isClean: true } : await revisionOf(source, { environment });
  if (!revision) return undefined;
  const origin = given ? { url: given } : await originOf(source, { environment });
  const [address = '', ref = ''] = 'url' in origin ? origin.url.split('#') : [];
  const [branch, folder] = ref.split(':');
  const url = publicUrl(address);
  return {
    ...(url !== undefined && { uri: `git+${url}${branch ? `@${branch}` : ''}` }),
    digest: { gitCommit: revision.commit },
    annotations: { isClean: revision.isClean, ...(folder && { folder }) },
  };
}

/** The address of a repository without credentials; undefined for one of this machine. */
function publicUrl(address: string): string | undefined {
  const [, host, path] = /^(?:[\w.-]+@)?([\w.-]+):(?!\/\/)\/?([^@]+)$/.exec(address) ?? [];
  const url = host === undefined ? address : `ssh://${host}/${path}`;
  return /^(?:https?|ssh|git):\/\//i.test(url) ? withoutSecrets(url) : undefined;
}

/** A URL without credentials and query, which may contain a token; undefined for one that cannot be parsed. */
function withoutSecrets(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (!url.username && !url.password && !url.search) return text;
  return Object.assign(url, { username: '', password: '', search: '' }).href;
}
