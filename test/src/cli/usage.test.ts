import { expect, test } from 'vitest';
import { commandName, helpText, readArguments, UsageError } from '../../../src/cli/usage.ts';
import { command as evalCommand } from '../../../src/cli/eval.ts';
import { command as exportCommand } from '../../../src/cli/export.ts';
import { command as serveCommand } from '../../../src/cli/serve.ts';
import { command as completeCommand } from '../../../src/cli/complete.ts';

test('an option with a number takes the next argument', () => {
  const read = readArguments(serveCommand, ['site.zip', '--port', '4402', '--base', '/docs/']);
  expect(read).toEqual({ words: ['site.zip'], options: { port: 4402, host: '127.0.0.1', base: '/docs/' } });
});

test('flags take no argument', () => {
  const read = readArguments(exportCommand, ['--strict', 'docs', '--progress-fd', '3']);
  expect(read?.words).toEqual(['docs']);
  expect(read?.options).toMatchObject({ strict: true, vendor: false, 'progress-fd': 3 });
});

test('an option whose value is a list can be given several times', () => {
  const read = readArguments(exportCommand, ['docs', '--include-root', 'code', '--include-root', '../samples']);
  expect(read?.options['include-root']).toEqual(['code', '../samples']);
});

test.each([
  [['docs', '--otu', 'x'], "Unknown option '--otu'. Did you mean --out?"],
  [['docs', '--xyzzy'], "Unknown option '--xyzzy'."],
  [['docs', '--out'], "Option '--out <value>' argument missing."],
  [['docs', '--strict=yes'], "Option '--strict' does not take an argument."],
  [[], 'Missing argument: DIR'],
  [['docs', 'more docs'], 'Unexpected argument: more docs'],
  [['docs', '--deployment', 'moon'], '--deployment: must be one of cloud, client-hosted, air-gapped'],
  [['docs', '--site', 'foo'], '--site: must be an http(s) URL, such as https://docs.example.com'],
  [['docs', '--progress-fd', 'x'], '--progress-fd: must be a number'],
])('%j is answered with "%s"', (args, message) => {
  const read = () => readArguments(exportCommand, args);
  expect(read).toThrow(UsageError);
  expect(read).toThrow(message);
});

test('help shows the value of each option', () => {
  expect(helpText(serveCommand)).toMatch(/--port PORT +Port/);
  expect(helpText(exportCommand)).toMatch(/--out FOLDER +Output folder/);
  expect(helpText(exportCommand)).toMatch(/--strict  +Exit/);
  expect(helpText(evalCommand)).toMatch(/--max-wrong-refusals PERCENT {2,}Maximum/);
  expect(helpText(completeCommand)).toMatch(/Usage: carrel complete [^[\n]*\n/);
});

test('help shows groups of options, and examples with the name of the program', () => {
  const help = helpText(exportCommand);
  expect(help).toMatch(/Options:\n {2}--out FOLDER/);
  expect(help).toMatch(/A folder of HTML:\n {2}--name TEXT/);
  expect(help.match(/--strict /g)).toHaveLength(1);
  expect(help).toMatch(/Examples:\n {2}# .+\n {2}carrel export \.\/docs\n/);
});

test.each([
  [{}, 'carrel'],
  [{ npm_lifecycle_event: 'carrel', npm_config_local_prefix: '/clone', INIT_CWD: '/clone' }, 'npm run carrel --'],
  [{ npm_lifecycle_event: 'carrel', npm_config_local_prefix: '/clone', INIT_CWD: '/clone/fixtures' }, 'npm run carrel --'],
  [{ npm_lifecycle_event: 'start', npm_package_name: 'carrel', npm_config_local_prefix: '/clone' }, 'npm run carrel --'],
  [{ npm_lifecycle_event: 'start', npm_package_name: 'docs-of-mine', npm_config_local_prefix: '/docs' }, 'carrel'],
  [{ npm_lifecycle_event: 'npx' }, 'npx --no carrel'],
  [
    { npm_lifecycle_event: 'carrel', npm_config_local_prefix: '/my clone', INIT_CWD: '/docs' },
    'npm --prefix "/my clone" run carrel --',
  ],
])('started as %j, the command is named "%s"', (environment, name) => {
  expect(commandName(environment)).toBe(name);
});
