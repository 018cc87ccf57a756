import { isAbsolute, relative } from 'node:path';

/** How the user starts this program: `carrel` or `npx carrel` in an installation, through npm in a clone of the repository. */
export function commandName({
  npm_lifecycle_event: script,
  npm_package_name: project,
  npm_config_local_prefix: root,
  INIT_CWD,
}: NodeJS.ProcessEnv): string {
  if (script === 'npx') return 'npx carrel';
  // `npm start` runs this program only in the clone.
  if (script !== 'carrel' && !(script === 'start' && project === 'carrel')) return 'carrel';
  if (!root || !INIT_CWD) return 'npm run carrel --';
  const away = relative(root, INIT_CWD);
  return away.startsWith('..') || isAbsolute(away) ? `npm --prefix ${shellWord(root)} run carrel --` : 'npm run carrel --';
}

/** Quotes a path for a command line if necessary. */
export function shellWord(path: string): string {
  return /^[\p{L}\p{N}_./:\\@%+=~-]+$/u.test(path) ? path : `"${path.replaceAll('"', '\\"')}"`;
}
