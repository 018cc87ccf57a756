// The Chromium that prints books. It is a program of the machine: it would be the largest part of an installation, and most machines have one.
import { spawn } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ExportError } from '../../integration/errors.ts';

/** The headless shell starts in half of the time. */
const names =
  'chromium-headless-shell chrome-headless-shell chromium chromium-browser google-chrome-stable google-chrome chrome microsoft-edge';
const places = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

/** A Chromium, Chrome or Edge of this machine. */
export function installedBrowser(environment: NodeJS.ProcessEnv): string | undefined {
  return programOf(names.split(' '), environment) ?? places.find((file) => existsSync(file));
}

function programOf(names: string[], environment: NodeJS.ProcessEnv): string | undefined {
  const folders = (environment.PATH ?? '').split(delimiter).concat('/usr/bin', '/usr/local/bin', '/snap/bin');
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find((file) => existsSync(file));
}

/** The browser that is named, or one of this machine. Throws an ExportError. */
export function findBrowser(given: string | undefined, environment: NodeJS.ProcessEnv): string {
  const hint =
    'Install Chromium, Google Chrome or Microsoft Edge (Debian and Ubuntu: apt-get install chromium), or name the program of one: --browser PATH.';
  const named = given && (programOf(/[\\/]/.test(given) ? [] : [given], environment) ?? given);
  if (named === 'none') throw new ExportError('BrowserNotFound', 'A PDF needs a browser, and this export may not use one.', hint);
  if (named !== undefined && !statSync(named, { throwIfNoEntry: false })?.isFile())
    throw new ExportError('BrowserNotFound', `There is no browser "${named}", which --pdf needs.`, hint);
  const found = named ?? installedBrowser(environment);
  if (found === undefined) throw new ExportError('BrowserNotFound', '--pdf needs a browser, and none was found.', hint);
  return found;
}

interface PrintOptions {
  browser: string;
  /** Private folder of the browser. */
  profile: string;
  environment: NodeJS.ProcessEnv;
  signal?: AbortSignal;
  /** Names what is printed, for errors. */
  what: string;
  /** Seconds that it may take; most prints take one. */
  timeout?: number;
}

// What a page loads is beside it. Its own policy refuses scripts; without any, headless Chromium prints nothing.
const safe = ['--host-resolver-rules=MAP * ~NOTFOUND', '--no-proxy-server', '--disable-extensions'];
const quiet =
  '--disable-background-networking --disable-component-update --disable-sync --no-first-run --no-default-browser-check';
const drawn = '--headless --disable-gpu --hide-scrollbars --no-pdf-header-footer';
// Chromium refuses to run as root with its sandbox.
const unboxed = process.getuid?.() === 0 ? ['--no-sandbox'] : [];

/** Prints the HTML file `page` to the file `pdf`. Throws an ExportError, or the reason of the signal. */
export async function printPage(page: string, pdf: string, options: PrintOptions): Promise<void> {
  const { browser, profile, environment, signal, what, timeout = 300 } = options;
  signal?.throwIfAborted();
  const flags = [...safe, ...quiet.split(' '), ...drawn.split(' '), ...unboxed, `--user-data-dir=${profile}`];
  const child = spawn(browser, [...flags, `--print-to-pdf=${pdf}`, pathToFileURL(page).href], {
    env: environment,
    stdio: ['ignore', 'ignore', 'pipe'],
    // Its processes are one group, so that none of them stays.
    detached: process.platform !== 'win32',
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-4000)));
  const deadline = new AbortController();
  const stop = signal ? AbortSignal.any([signal, deadline.signal]) : deadline.signal;
  stop.addEventListener('abort', () => endGroup(child.pid));
  const timer = setTimeout(() => deadline.abort(`it took more than ${timeout} seconds`), timeout * 1000);
  const end = await new Promise<string | undefined>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, ended) => resolve(code === 0 ? undefined : `it ended with ${ended ?? `code ${code}`}`));
  });
  clearTimeout(timer);
  const late: string | undefined = deadline.signal.reason;
  // Ends what is left of its processes.
  deadline.abort();
  signal?.throwIfAborted();
  if (end === undefined && existsSync(pdf)) return;
  const last = said.trim().split('\n').at(-1);
  throw new ExportError(
    'BrowserFailed',
    `The browser "${browser}" did not print ${what}: ${late ?? end ?? 'it wrote no file'}${last ? ` (${last})` : ''}.`,
    'Make sure that it is a Chromium of version 131 or newer and that the machine has memory for it, or name another one: --browser PATH.',
  );
}

function endGroup(id: number | undefined): void {
  try {
    if (id !== undefined) process.kill(process.platform === 'win32' ? id : -id, 'SIGKILL');
  } catch {
    // All of it has ended.
  }
}
