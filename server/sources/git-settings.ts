// Settings that let git fetch from untrusted repositories: nothing of theirs is executed, and nothing of ours is disclosed.
import { writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { decode } from '../../integration/urls/parts.ts';
import { runEnvironment } from '../platform/run-process.ts';
import type { GitUrl } from './git-url.ts';
import type { GitCredential } from './git-credentials.ts';

export interface GitAccess {
  repository: GitUrl;
  /** The checked IP addresses of the host: git connects to them without a DNS lookup. */
  addresses: string[];
  /** A file of credentials that git may change. */
  credentials?: string;
  /** File of certificate authorities. */
  authorities?: string;
}

/** The environment of git in a run's folder. */
export function gitEnvironment(folder: string, { repository, addresses, authorities }: GitAccess): Record<string, string> {
  return {
    ...runEnvironment(folder),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    GIT_LFS_SKIP_SMUDGE: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_LITERAL_PATHSPECS: '1',
    GIT_SSH_VARIANT: 'ssh',
    GIT_SSH_COMMAND: sshCommand(repository, addresses),
    ...(authorities !== undefined && { GIT_SSL_CAINFO: authorities }),
  };
}

/** Options of git that come before its command. */
export function gitSettings({ repository, addresses, credentials }: GitAccess): string[] {
  const settings = [
    'protocol.allow=never',
    'protocol.https.allow=always',
    'protocol.ssh.allow=always',
    // A redirect could point to a host that was not checked.
    'http.followRedirects=false',
    // An IP address needs no lookup.
    ...(isIP(repository.host)
      ? []
      : [`http.curloptResolve=${repository.host}:${repository.port}:${addresses.map(bracketed).join(',')}`]),
    // A server that sends nothing for this long is gone.
    'http.lowSpeedLimit=100',
    'http.lowSpeedTime=60',
    'transfer.bundleURI=false',
    'core.symlinks=false',
    'core.hooksPath=/dev/null',
    'core.fsmonitor=false',
    'core.attributesFile=/dev/null',
    'core.protectHFS=true',
    'core.protectNTFS=true',
    'core.askPass=',
    'credential.helper=',
    ...(credentials === undefined ? [] : [`credential.helper=store --file=${quoted(credentials)}`]),
    'submodule.recurse=false',
    'fetch.recurseSubmodules=false',
    'gc.auto=0',
    'maintenance.auto=false',
    // The folder belongs to the server, even if another user owns the disk.
    'safe.directory=*',
  ];
  return settings.flatMap((setting) => ['-c', setting]);
}

/** Writes credentials to a file of the run, since git removes refused credentials from its file. Returns the secrets in them. */
export async function writeCredentials(credentials: GitCredential[], file: string): Promise<string[]> {
  await writeFile(file, credentials.map(({ url }) => `${url}\n`).join(''), { mode: 0o600 });
  return credentials.flatMap(({ url }) => {
    const [, user = '', password = ''] = /^\w+:\/\/([^:@/]*):?([^@/]*)@/.exec(url) ?? [];
    // With a password, the user is a name; without one, it is a token.
    const secret = password === '' ? user : password;
    const basic = Buffer.from(`${decode(user)}:${decode(password)}`).toString('base64');
    return secret === '' ? [] : [secret, decode(secret), basic];
  });
}

function sshCommand({ host }: GitUrl, [address]: string[]): string {
  const options = {
    BatchMode: 'yes',
    ConnectTimeout: '20',
    // The host key is known by the name; the connection uses the checked address.
    HostName: address ?? host,
    HostKeyAlias: host,
    StrictHostKeyChecking: 'yes',
    PermitLocalCommand: 'no',
    ClearAllForwardings: 'yes',
    ForwardAgent: 'no',
  };
  return ['ssh', ...Object.entries(options).map(([name, value]) => `-o ${quoted(`${name}=${value}`)}`)].join(' ');
}

function bracketed(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}

/** One quoted word of a shell command. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
