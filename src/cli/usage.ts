import { errorMessage } from '../../integration/errors.ts';
import { nearest } from '../../integration/text/nearest.ts';
import { isPublished } from '../version.ts';
import { paint } from './terminal.ts';
import { isAbsolute, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';

/** Invalid arguments: exit code 2. */
export class UsageError extends Error {
  override name = 'UsageError';
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}

/** The options of a command by their long names, each an `option` or a `flag`. */
export type OptionsOf<Shape extends z.ZodRawShape> = z.infer<z.ZodObject<Shape, z.core.$strict>>;

interface Description {
  /** As typed, without "carrel": `export DIR`. Its capitalized words name the arguments. */
  usage: string;
  summary: string;
  /** Command lines without "carrel", each with what it does, for the help. */
  examples: (readonly [line: string, what: string])[];
  /** Titles of groups in the help, each with its options. Options in no group come first. */
  groups?: Record<string, string[]>;
  /** Number of arguments besides the options: minimum and maximum. @default what `usage` names */
  words?: readonly [least: number, most: number];
}

export interface Command<Schema extends z.ZodObject = z.ZodObject> extends Required<Description> {
  options: Schema;
  /** Reads its arguments, then does its work. Returns the exit code; after printing help it is 0. */
  start(args: string[]): Promise<number>;
}

/** What the help says of a command. */
type Described = Omit<Command, 'start'>;

interface Read<Schema extends z.ZodObject> {
  options: z.infer<Schema>;
  words: string[];
}

/** A command. Its work gives an exit code, or nothing for success. */
export function defineCommand<Shape extends z.ZodRawShape>({
  run,
  ...description
}: Description & {
  options: Shape;
  run(read: { options: OptionsOf<Shape>; words: string[] }): Promise<number | void>;
}): Command<z.ZodObject<Shape, z.core.$strict>> {
  const command = {
    groups: {},
    words: wordsIn(description.usage),
    ...description,
    options: z.strictObject(description.options),
    async start(args: string[]): Promise<number> {
      const read = readArguments(command, args);
      return read ? ((await run(read)) ?? 0) : 0;
    },
  };
  return command;
}

/** The number of arguments in `export DIR` and `dev [DIR]`. */
function wordsIn(usage: string): [least: number, most: number] {
  const [before = ''] = usage.split(' -');
  const [required, all] = [/ [A-Z]/g, / \[?[A-Z]/g].map((pattern) => before.match(pattern)?.length ?? 0);
  return [required!, all!];
}

/** An option with its line of help. `takes` names its value. */
export function option<Schema extends z.ZodType>(schema: Schema, takes: string, description: string): Schema {
  return schema.meta({ takes, description });
}

export function flag(description: string) {
  return z.boolean().default(false).meta({ description });
}

export const text = z.string().min(1, { error: 'must not be empty' });

/** Items separated by commas. */
export const list = z.string().transform((items) => items.split(',').flatMap((item) => item.trim() || []));

export function notEmpty(items: string[]): boolean {
  return items.length > 0;
}

export function whole(least: number, most = Number.MAX_SAFE_INTEGER) {
  return z.coerce
    .number({ error: 'must be a number' })
    .int({ error: 'must be a whole number' })
    .min(least, { error: `must be ${least} or more` })
    .max(most, { error: `must be at most ${most}` });
}

/** For the commands that read a docs folder. */
export const includeRootOption = option(
  z.array(text).optional(),
  'DIR',
  'Folder outside the docs folder whose files pages may include; can be given several times',
);

export const groupNames = list
  .refine(notEmpty, { error: 'must name at least one group' })
  .transform((groups) => groups.map((group) => group.replaceAll(/%2c/gi, ',').replaceAll('%25', '%')));

/** For the commands that read a docs folder: the groups of readers whom the site is for. */
export const groupsOption = option(
  groupNames.optional(),
  'LIST',
  'Also the pages for readers in these groups: partner,beta (a comma in a name is %2C; default: what everybody may see)',
);

/** A folder, or false for none. */
export const cacheOption = option(
  text.transform((given) => (given === 'off' ? false : resolve(given))).optional(),
  'FOLDER',
  "Cache folder, or 'off' (default: in your user cache)",
);

export const trustOption = z
  .boolean()
  .optional()
  .meta({ description: 'Run the React components of the docs folder: only if you trust its authors' });

/** For the commands that read exports: keys, each a file or the text of one. */
export const publicKeyOption = option(
  list.refine(notEmpty, { error: 'must name at least one key' }).optional(),
  'KEYS',
  'Fail unless one of these keys signed it: files, or keys that begin with RW',
);

/** For the commands that write exports. */
export const signOptions = {
  sign: option(text.optional(), 'KEY', 'Sign the export with this secret key, so that others can check who made it'),
  'sign-command': option(
    text.optional(),
    'COMMAND',
    'Sign with this shell command, such as one of a key service; --sign names its public key',
  ),
};

/** For the commands that export. */
export const languageOption = option(text.optional(), 'CODE', 'Export only this language');
export const versionOption = option(
  z
    .string()
    .regex(/^[\w.+-]{1,64}$/, { error: 'must be 1 to 64 letters, digits or . _ + -' })
    .optional(),
  'TEXT',
  'Export version (default: a hash of the content)',
);

/** Reads arguments by a command's schema. Returns null after printing help. Throws a UsageError that names every error. */
export function readArguments<Schema extends z.ZodObject>(
  command: Omit<Command<Schema>, 'start'>,
  args: string[],
): Read<Schema> | null {
  const names = Object.keys(command.options.shape);
  const program = commandName(process.env);
  const hint = `Usage: ${program} ${command.usage}. \`${program} ${command.usage.split(' ')[0]} --help\` lists all options.`;
  let parsed;
  try {
    parsed = parseArgs({
      args,
      allowPositionals: true,
      options: {
        help: { type: 'boolean', short: 'h' },
        ...Object.fromEntries(
          names.map((name) => [
            name,
            {
              type: innerSchema(command.options, name) instanceof z.ZodBoolean ? 'boolean' : 'string',
              multiple: innerSchema(command.options, name) instanceof z.ZodArray,
            } as const,
          ]),
        ),
      },
    });
  } catch (error) {
    // Only the first sentence: the rest is advice about "--" that does not apply here.
    const [reason = ''] = errorMessage(error).split(/\.(?:\s|$)|\n/);
    const [, unknown] = /^Unknown option '--([^']+)'/.exec(reason) ?? [];
    const near = unknown === undefined ? [] : nearest(unknown, [...names, 'help']);
    throw new UsageError(`${reason}.${didYouMean(near.map((name) => `--${name}`))}`, hint);
  }
  const { help, ...values } = parsed.values;
  if (help) {
    console.log(helpText(command));
    return null;
  }
  const [least, most] = command.words;
  const words = parsed.positionals;
  if (words.length < least || words.length > most) {
    const missing = argumentNames(command).slice(words.length, least);
    throw new UsageError(
      missing.length > 0
        ? `Missing ${missing.length > 1 ? 'arguments' : 'argument'}: ${missing.join(' ')}`
        : `Unexpected ${words.length - most > 1 ? 'arguments' : 'argument'}: ${words.slice(most).join(' ')}`,
      hint,
    );
  }
  const options = command.options.safeParse(values);
  if (options.success) return { options: options.data, words };
  const faults = options.error.issues.map((issue) => `--${issue.path.join('.')}: ${issue.message}`);
  throw new UsageError(faults.join('\n'), hint);
}

/** " Did you mean a or b?", or nothing. */
export function didYouMean(names: string[]): string {
  return names.length === 0 ? '' : ` Did you mean ${names.join(' or ')}?`;
}

/** The text of `--help`. */
export function helpText(command: Described): string {
  const program = commandName(process.env);
  const rows = optionRows(command);
  const width = Math.max(24, ...rows.map(({ option }) => option.length + 2));
  const listed = (names: string[]): string[] =>
    rows
      .filter(({ name }) => names.includes(name))
      .map(({ option, description }) => `  ${paint('cyan', option)}${' '.repeat(width - option.length)}${description}`);
  const grouped = Object.values(command.groups).flat();
  const sections: [string, string[]][] = [
    ['Options', listed(rows.map(({ name }) => name).filter((name) => !grouped.includes(name)))],
    ...Object.entries(command.groups).map(([title, names]): [string, string[]] => [title, listed(names)]),
    ['Examples', command.examples.map(([line, what]) => `  ${paint('dim', `# ${what}`)}\n  ${program} ${line}`)],
  ];
  return [
    command.summary,
    `${paint('bold', 'Usage:')} ${program} ${command.usage}${rows.length > 0 ? ' [options]' : ''}`,
    ...sections
      .filter(([, lines]) => lines.length > 0)
      .map(([title, lines]) => `${paint('bold', `${title}:`)}\n${lines.join('\n')}`),
  ].join('\n\n');
}

export interface OptionRow {
  name: string;
  /** `--out FOLDER` */
  option: string;
  description: string;
}

/** The options of a command, for its help and its page in the manual. */
export function optionRows({ options }: Described): OptionRow[] {
  return Object.entries(options.shape).map(([name, schema]) => {
    const { takes, description = '' } = schemaOf(schema).meta() ?? {};
    return { name, option: `--${name}${typeof takes === 'string' ? ` ${takes}` : ''}`, description };
  });
}

/** `DIR` of `export DIR`. */
function argumentNames({ usage }: Described): string[] {
  return usage.split(' ').filter((word) => /^[A-Z]/.test(word));
}

/** Zod types the parts of a schema by its core, which has no methods. */
function schemaOf(schema: z.core.$ZodType | undefined): z.ZodType {
  if (!(schema instanceof z.ZodType)) throw new TypeError('not a schema');
  return schema;
}

function innerSchema(options: z.ZodObject, name: string): z.ZodType {
  let schema = schemaOf(options.shape[name]);
  while (schema instanceof z.ZodDefault || schema instanceof z.ZodOptional) schema = schemaOf(schema.unwrap());
  return schema;
}

/** How the user starts this program: `carrel` or `npx carrel` in an installation, through npm in a clone of the repository. */
export function commandName({
  npm_lifecycle_event: script,
  npm_package_name: project,
  npm_config_local_prefix: root,
  INIT_CWD,
}: NodeJS.ProcessEnv): string {
  if (script === 'npx') return isPublished ? 'npx carrel' : 'npx --no carrel';
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
