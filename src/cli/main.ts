import { ExportError } from '../../integration/errors.ts';
import { shown } from '../../integration/text/escape.ts';
import { carrelVersion } from '../version.ts';
import { UsageError } from './usage.ts';

/** One line of help and the module of each command. A module loads when its command runs. */
const commands: Record<string, { summary: string; load: () => Promise<{ run(args: string[]): Promise<number> }> }> = {
  export: { summary: 'Export a docs folder as a site that opens straight from disk', load: () => import('./export.ts') },
  serve: { summary: 'Serve an export (a folder, a zip or a link to a bundle) over HTTP', load: () => import('./serve.ts') },
  verify: { summary: 'Check every file of an export or a bundle against its manifest', load: () => import('./verify.ts') },
  ask: { summary: 'Answer a question with quotes from an export', load: () => import('./ask.ts') },
  mcp: { summary: 'Offer the docs of an export to AI tools (Model Context Protocol)', load: () => import('./mcp.ts') },
  eval: { summary: 'Measure how well search and quotes answer a list of questions', load: () => import('./eval.ts') },
  server: { summary: 'Run the server: export jobs, links, sites, dashboard', load: () => import('./server.ts') },
  'export-remote': { summary: 'Export a site on a server and download its bundle', load: () => import('./export-remote.ts') },
  site: { summary: 'Add, list, show or remove sites of a server', load: () => import('./site.ts') },
  key: { summary: 'Create, list or revoke keys of a server', load: () => import('./key.ts') },
  organization: {
    summary: 'Create or list organizations of a server, or set their plan',
    load: () => import('./organization.ts'),
  },
  doctor: { summary: 'Check whether a server can run on this machine', load: () => import('./doctor.ts') },
  backup: { summary: 'Back up the database of a server as plain SQL', load: () => import('./backup.ts') },
  restore: { summary: 'Restore a backup into an empty database', load: () => import('./restore.ts') },
};

const help = `carrel ${carrelVersion}: take your documentation anywhere

Usage: carrel <command> [options]

${Object.entries(commands)
  .map(([name, { summary }]) => `  ${name.padEnd(15)}${summary}`)
  .join('\n')}

carrel <command> --help lists the options of a command.`;

/** Exit codes: 0 success, 1 failure, 2 invalid arguments, 3 success with warnings under --strict. */
export async function main(args: string[]): Promise<number> {
  const [name = '--help', ...rest] = args;
  if (name === '--help' || name === '-h' || name === 'help') return say(help);
  if (name === '--version' || name === '-v') return say(carrelVersion);
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  try {
    if (!command) throw new UsageError(`Unknown command: ${name}`, `Commands: ${Object.keys(commands).join(', ')}.`);
    return await (await command.load()).run(rest);
  } catch (error) {
    return report(error);
  }
}

function say(text: string): number {
  console.log(text);
  return 0;
}

function report(error: unknown): number {
  if (error instanceof UsageError) {
    console.error(shown(`${error.message}\n${error.hint}`));
    return 2;
  }
  if (error instanceof ExportError) {
    console.error(shown(`Error (${error.code}): ${error.message}${error.hint ? `\n${error.hint}` : ''}`));
    return 1;
  }
  console.error(error);
  return 1;
}
