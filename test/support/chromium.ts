import { existsSync } from 'node:fs';
import path from 'node:path';
import { installedBrowser } from '../../src/pdf/browser.ts';
import { installPackage, mayInstall } from './debian-package.ts';

/**
 * Options of Chromium: no GPU, no sandbox (tests may run as root), and no requests of the browser itself. They also make the headless shell draw
 * text as the full browser does.
 */
export const chromiumArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--font-render-hinting=slight',
];

/** Chromium's headless shell, which opens a page in a quarter of the time; also the name of Debian's package. */
const shell = 'chromium-headless-shell';
/**
 * Returns the Chromium for the tests: `CHROMIUM`, or one on the machine, or Debian's package if this process is root on Debian.
 * If there is none, throws an error that says what to do.
 */
export function findChromium(environment: NodeJS.ProcessEnv = process.env): string {
  const named = environment.CHROMIUM;
  if (named) {
    if (existsSync(named)) return named;
    throw new Error(`CHROMIUM names "${named}", and there is no such file. Correct it or unset it.`);
  }
  const found = installedBrowser(environment) ?? (mayInstall() ? install(environment) : undefined);
  if (found) return found;
  throw new Error(
    `The browser tests need Chromium, and none was found. Install it (Debian: apt-get install ${shell}) or name one: CHROMIUM=/path/to/chromium npm test`,
  );
}

/** Installs the headless shell if it is missing. If that fails, an installed full Chromium is used. */
function preferHeadlessShell(environment: NodeJS.ProcessEnv): void {
  const found = installedBrowser(environment);
  if (environment.CHROMIUM || !mayInstall() || (found && path.basename(found) === shell)) return;
  try {
    install(environment);
  } catch (error) {
    if (!found) throw error;
    console.error(`The tests run in ${found}, which is slower.`);
  }
}

function install(environment: NodeJS.ProcessEnv): string | undefined {
  try {
    installPackage(shell, environment);
  } catch (cause) {
    throw new Error(
      'Chromium could not be installed by apt-get. Install it yourself, or name one: CHROMIUM=/path/to/chromium npm test',
      { cause },
    );
  }
  return installedBrowser(environment);
}

// `npm test` runs this file before the tests, so that the package is installed once and not by each worker.
if (process.argv[1] === import.meta.filename) preferHeadlessShell(process.env);
