// A git host as there are thousands: real repositories behind `git http-backend`, over https with a certificate of our own.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { close, listen } from '../../support/listen.ts';
import { writeFiles } from '../../support/write-files.ts';
import { atFileEnd } from '../../support/at-file-end.ts';

export interface GitServer {
  /** 'https://127.0.0.1:PORT' */
  address: string;
  port: number;
  /** File of the certificate authority to trust. */
  authorities: string;
  /** Folder of the server. */
  folder: string;
  /** Answers instead of git, where it answers at all. */
  before: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined;
  /** Commits files to a branch of a repository, which is made when it is not there. Gives the commit. */
  commit(repository: string, files: Record<string, string>, branch?: string): string;
  /** Runs git in the working copy of a repository. */
  git(repository: string, ...args: string[]): string;
}

export async function startGitServer(): Promise<GitServer> {
  const folder = mkdtempSync(join(tmpdir(), 'carrel-git-'));
  const { key, certificate } = makeCertificate(folder);
  const settings = { user: 'name = A\nemail = a@example.com', safe: 'directory = *', maintenance: 'auto = false' };
  const sections = Object.entries(settings).map(([name, lines]) => `[${name}]\n${lines}\n`);
  writeFileSync(join(folder, '.gitconfig'), sections.join(''));
  const run = (cwd: string, args: string[], input = '') =>
    execFileSync('git', args, { cwd, input, encoding: 'utf8', stdio: 'pipe', env: cleanEnvironment(folder) }).trim();
  const git = (repository: string, ...args: string[]) => run(join(folder, 'work', repository), args);
  const server = createServer({ key: readFileSync(key), cert: readFileSync(certificate) }, (request, response) => {
    if (!started.before?.(request, response)) backend(folder, request, response);
  });
  const port = await listen(server);
  const started: GitServer = {
    address: `https://127.0.0.1:${port}`,
    port,
    authorities: certificate,
    folder,
    before: undefined,
    git,
    commit(repository, files, branch = 'main') {
      const work = join(folder, 'work', repository);
      if (!existsSync(work)) run(folder, ['init', '--quiet', '--template=', '--initial-branch', 'main', work]);
      if (branch === 'main') {
        writeFiles(work, files);
        run(work, ['add', '--all']);
        run(work, ['commit', '--quiet', '--allow-empty', '--message', 'Change']);
      } else run(work, ['fast-import', '--quiet', '--force'], commitOf(branch, files));
      return readFileSync(join(work, '.git/refs/heads', branch), 'utf8').trim();
    },
  };
  atFileEnd(async () => {
    await close(server);
    rmSync(folder, { recursive: true, force: true });
  });
  return started;
}

/** What `git fast-import` makes the newest commit of a branch from, after the one of main: one process, where a working copy takes four. */
function commitOf(branch: string, files: Record<string, string>): string {
  const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`;
  const added = Object.entries(files).map(([path, text]) => `M 100644 inline ${path}\n${data(text)}`);
  const head = `commit refs/heads/${branch}\ncommitter A <a@example.com> ${Math.floor(Date.now() / 1000)} +0000\n${data('Change')}`;
  return `${head}from refs/heads/main\n${added.join('')}`;
}

function cleanEnvironment(home: string): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, HOME: home, GIT_CONFIG_NOSYSTEM: '1' };
}

export function makeCertificate(folder: string): { key: string; certificate: string } {
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1,IP:127.0.0.2'];
  const request = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2'.split(' ');
  const args = [...request, '-keyout', key, '-out', certificate, ...subject];
  try {
    execFileSync('openssl', args, { stdio: 'pipe' });
  } catch (cause) {
    throw new Error('The tests need the program "openssl" to make a certificate. Install it.', { cause });
  }
  return { key, certificate };
}

/** Git's own CGI program, as any web server runs it. */
function backend(folder: string, request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url!, 'https://localhost');
  const child = spawn('git', ['http-backend'], {
    env: {
      ...cleanEnvironment(folder),
      GIT_PROJECT_ROOT: join(folder, 'work'),
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: decodeURI(url.pathname),
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  request.pipe(child.stdin).on('error', () => {});
  let head = '';
  const onData = (chunk: Buffer): void => {
    head += chunk.toString('latin1');
    const end = head.indexOf('\r\n\r\n');
    if (end < 0) return;
    child.stdout.off('data', onData);
    const headers = Object.fromEntries(
      head
        .slice(0, end)
        .split('\r\n')
        .map((line) => line.split(/:\s*/, 2) as [string, string]),
    );
    const { Status: status = '200', ...rest } = headers;
    response.writeHead(Number.parseInt(status, 10), rest);
    response.write(Buffer.from(head.slice(end + 4), 'latin1'));
    child.stdout.pipe(response);
  };
  child.stdout.on('data', onData);
  child.once('close', () => response.end());
  response.once('close', () => child.kill());
}
