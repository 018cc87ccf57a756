import { errorCode, ExportError } from '../../integration/errors.ts';
import { shown } from '../../integration/text/escape.ts';
import { carrelVersion } from '../version.ts';
import { nearest } from '../../integration/text/nearest.ts';
import { paint, symbol } from './terminal.ts';
import { commandName, didYouMean, UsageError, type Command } from './usage.ts';

/** The commands by the groups of the help. A module loads when its command runs. */
export const groups: Record<string, Record<string, CommandEntry>> = {
  'Your docs': {
    init: { summary: 'Write an example of a docs folder', load: () => import('./init.ts') },
    import: { summary: 'Write a docs.json from the configuration of another generator', load: () => import('./import.ts') },
    dev: { summary: 'Preview a docs folder in the browser, and reload it when you save', load: () => import('./dev.ts') },
    export: { summary: 'Export a docs folder as a site that opens straight from disk', load: () => import('./export.ts') },
    check: {
      summary: 'Find broken links and other mistakes in a docs folder, without an export',
      load: () => import('./check.ts'),
    },
    changes: {
      summary: 'List what a branch changes: pages, and new and solved problems, for a pull request',
      load: () => import('./changes.ts'),
    },
  },
  'An export': {
    serve: { summary: 'Serve an export (a folder, a zip or a link to a bundle) over HTTP', load: () => import('./serve.ts') },
    bundle: {
      summary: 'Join exports of several sites in one, with a start page and one search',
      load: () => import('./bundle.ts'),
    },
    publish: { summary: 'Upload an export to a bucket, a folder or a git branch', load: () => import('./publish.ts') },
    verify: { summary: 'Check every file of an export or a bundle against its manifest', load: () => import('./verify.ts') },
    delta: { summary: 'Write what a newer export has and an older one does not', load: () => import('./delta.ts') },
    apply: { summary: 'Make the newer export of an older one and a delta', load: () => import('./apply.ts') },
    sign: { summary: 'Sign an export that was made elsewhere', load: () => import('./sign.ts') },
    'signing-key': { summary: 'Make a key that signs exports', load: () => import('./signing-key.ts') },
    ask: { summary: 'Answer a question with quotes from an export', load: () => import('./ask.ts') },
    mcp: { summary: 'Offer the docs of an export to AI tools (Model Context Protocol)', load: () => import('./mcp.ts') },
    eval: { summary: 'Measure how well search and quotes answer a list of questions', load: () => import('./eval.ts') },
  },
  'A server': {
    server: { summary: 'Run the server: export jobs, links, sites, dashboard', load: () => import('./server.ts') },
    dashboard: { summary: 'Open the dashboard in the browser, signed in', load: () => import('./dashboard.ts') },
    site: { summary: 'Add, list, show, roll back or remove sites', load: () => import('./site.ts') },
    job: { summary: 'Start, list, show or cancel export jobs', load: () => import('./job.ts') },
    key: { summary: 'Create, list or revoke keys', load: () => import('./key.ts') },
    member: { summary: 'Invite, list, change or remove members', load: () => import('./member.ts') },
    secret: { summary: 'Replace the secret of a server', load: () => import('./secret.ts') },
    organization: { summary: 'Create or list organizations, or set their plan', load: () => import('./organization.ts') },
    audit: { summary: 'Show who changed what', load: () => import('./audit.ts') },
    'export-remote': { summary: 'Export a site on a server and download its bundle', load: () => import('./export-remote.ts') },
    migrate: { summary: 'Create or update the tables of the database, and end', load: () => import('./migrate.ts') },
    doctor: { summary: 'Check whether a server can run on this machine', load: () => import('./doctor.ts') },
    backup: { summary: 'Back up the database as plain SQL', load: () => import('./backup.ts') },
    restore: { summary: 'Restore a backup into an empty database', load: () => import('./restore.ts') },
  },
  'Your shell and editor': {
    lsp: { summary: 'Check and complete docs in your editor (Language Server Protocol)', load: () => import('./lsp.ts') },
    complete: { summary: 'Print the completion script of bash, zsh or fish', load: () => import('./complete.ts') },
  },
};

interface CommandEntry {
  summary: string;
  load: () => Promise<CommandModule>;
}

/** A file of a command has it, or its subcommands. */
interface CommandModule {
  command?: Command;
  subcommands?: Record<string, Command>;
}

/** All commands by name. */
export const commands = Object.assign({}, ...Object.values(groups)) as Record<string, CommandEntry>;

function help(): string {
  const program = commandName(process.env);
  const listed = Object.entries(groups).map(
    ([title, entries]) =>
      `${paint('bold', `${title}:`)}\n${Object.entries(entries)
        .map(([name, { summary }]) => `  ${paint('cyan', name.padEnd(15))}${summary}`)
        .join('\n')}`,
  );
  return `${paint('bold', 'carrel')} ${paint('dim', carrelVersion)}: take your documentation anywhere

${paint('bold', 'Usage:')} ${program} <command> [options]

${listed.join('\n\n')}

\`${program} <command> --help\` lists the options of a command, with examples.`;
}

/** Exit codes: 0 success, 1 failure, 2 invalid arguments, 3 success with warnings under --strict. */
export async function main(args: string[]): Promise<number> {
  const [name = '--help', ...rest] = args;
  if (name === 'help' && rest[0] !== undefined) return main([...rest, '--help']);
  if (name === '--help' || name === '-h' || name === 'help') return say(help());
  if (name === '--version' || name === '-v') return say(carrelVersion);
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  try {
    if (!command)
      throw new UsageError(
        `Unknown command: ${name}.${didYouMean(nearest(name, [...Object.keys(commands), '--help', '--version']))}`,
        allCommands(),
      );
    const { command: only, subcommands = {} } = await command.load();
    if (only) return await only.start(rest);
    const { runSubcommand } = await import('./subcommands.ts');
    return await runSubcommand(name, subcommands, rest);
  } catch (error) {
    return report(error);
  }
}

function say(text: string): number {
  console.log(text);
  return 0;
}

function allCommands(): string {
  return `\`${commandName(process.env)} --help\` lists all commands.`;
}

function report(error: unknown): number {
  const failure = symbol('failure', process.stderr);
  if (error instanceof UsageError) {
    console.error(`${failure}${shown(error.message)}\n${paint('dim', shown(error.hint), process.stderr)}`);
    return 2;
  }
  if (error instanceof ExportError) {
    const head = paint('red', `Error (${error.code}):`, process.stderr);
    console.error(`${failure}${head} ${shown(error.message)}${error.hint ? `\n${shown(error.hint)}` : ''}`);
    return 1;
  }
  const hint = systemHints[errorCode(error) ?? ''];
  if (hint !== undefined) return report(new ExportError('SystemRefused', `${(error as Error).message}.`, hint));
  console.error(error);
  return 1;
}

const freeSpaceHint = 'Free some space on that disk, then try again.';
const permissionHint = 'Give this user the right to, or use another path.';
const openFilesHint = 'Raise the limit of open files, for example with "ulimit -n 4096", then try again.';

/** What to do about errors of the system that no command expects. */
const systemHints: Record<string, string> = {
  ENOSPC: freeSpaceHint,
  EDQUOT: freeSpaceHint,
  EROFS: 'Use a path on a disk that can be written.',
  EACCES: permissionHint,
  EPERM: permissionHint,
  EMFILE: openFilesHint,
  ENFILE: openFilesHint,
  EIO: 'Check that disk and its connection.',
};
