import { isAbsolute, relative } from 'node:path';

/** How whoever reads a message starts this program: `carrel` or `npx carrel` where it is installed, by npm in a clone of the repository. */
export function commandName({
  npm_lifecycle_event: script,
  npm_package_name: project,
  npm_config_local_prefix: root,
  INIT_CWD,
}: NodeJS.ProcessEnv): string {
  if (script === 'npx') return 'npx carrel';
  // `npm start` is this program in the clone alone.
  if (script !== 'carrel' && !(script === 'start' && project === 'carrel')) return 'carrel';
  const away = root && INIT_CWD ? relative(root, INIT_CWD) : '';
  return away.startsWith('..') || isAbsolute(away) ? `npm --prefix ${shellWord(root!)} run carrel --` : 'npm run carrel --';
}

/** A path as one word of a command line. */
export function shellWord(path: string): string {
  return /^[\p{L}\p{N}_./:\\@%+=~-]+$/u.test(path) ? path : `"${path.replaceAll('"', '\\"')}"`;
}
