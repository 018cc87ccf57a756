import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { answer, openEndpoint, type Endpoint } from '../../server/assistant/clients/endpoint.ts';
import { chunk, textAnswer } from '../../server/assistant/model-server.ts';
import { temporaryFolder } from '../../integration/export/folder.ts';
import { carrel, startCarrel } from './carrel.ts';

const question = 'How do I install Tidewater with npm?';
let endpoint: Endpoint;
beforeAll(async () => {
  endpoint = await openEndpoint();
});
beforeEach(() => endpoint.model.play(textAnswer(answer)));

const environment = (more: NodeJS.ProcessEnv = {}) => ({
  ...process.env,
  CARREL_URL: new URL(endpoint.base).origin,
  CARREL_KEY: endpoint.key,
  ...more,
});
const ask = (args: string[], env = environment()) => carrel(['ask', ...args], { cwd: temporaryFolder(), env });

test('the answer of the assistant is printed with its citations', async () => {
  const { code, stdout, stderr } = await ask([question, '--remote', endpoint.domain]);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toBe(
    'Install it with `npm install tidewater` [1].\n\n[1] Install Tidewater › Install with npm\n    /guides/install#install-with-npm\n',
  );
});

test('text is printed as it arrives', async () => {
  endpoint.model.play({ steps: [chunk({ content: 'It is there, ' }), chunk({ content: 'and ' }), 'hang'] });
  const { child, ended } = startCarrel(['ask', question, '--remote', endpoint.domain], { env: environment() });
  let printed = '';
  child.stdout!.on('data', (piece: Buffer) => (printed += piece));
  await expect.poll(() => printed).toContain('It is there,');
  child.kill('SIGINT');
  await ended;
  expect(await endpoint.model.requests.at(-1)!.left).toBe(true);
});

test('as JSON', async () => {
  const { stdout } = await ask([question, '--remote', endpoint.domain, '--json']);
  expect(JSON.parse(stdout)).toEqual({
    question,
    text: answer,
    sources: [
      {
        number: 1,
        id: 'guides/install#install-with-npm',
        title: 'Install Tidewater',
        headings: ['Install with npm'],
        url: '/guides/install#install-with-npm',
      },
    ],
  });
});

test('a question without an answer in the docs exits with 3', async () => {
  await endpoint.configure(null);
  const { code, stdout } = await ask(['Zebra crossing?', '--remote', endpoint.domain]);
  await endpoint.configure({ model: { baseUrl: endpoint.model.url, model: 'scripted' } });
  expect([code, stdout]).toEqual([3, 'The docs do not answer this.\n']);
});

test('an interrupted answer exits with 1, with the message of the server below the text so far', async () => {
  endpoint.model.play({ steps: [chunk({ content: 'It is ' }), chunk({ content: 'so\u001b[31m' }), 'cut'] });
  expect(await ask([question, '--remote', endpoint.domain])).toEqual({
    code: 1,
    stdout: 'It is so[31m\n',
    stderr: 'Error (AnswerFailed): The answer was cut off. Ask again.\nThe answer above is incomplete. Try again.\n',
  });
});

describe('refusals', () => {
  test.each<[what: string, args: string[], more: NodeJS.ProcessEnv, code: number, message: string]>([
    ['another site', ['--remote', 'elsewhere.test'], {}, 1, 'Code SiteUnknown, request '],
    ['another language', ['--remote', 'docs.test', '--language', 'x'.repeat(300)], {}, 1, 'Code '],
    ['a key of nobody', ['--remote', 'docs.test'], { CARREL_KEY: `svc_dsc_${'x'.repeat(43)}` }, 1, 'Code KeyUnknown'],
    ['no key', ['--remote', 'docs.test'], { CARREL_KEY: '' }, 1, 'Set CARREL_KEY to an assistant key (svc_dsc_…)'],
    ['no server', ['--remote', 'docs.test'], { CARREL_URL: 'http://127.0.0.1:1' }, 1, 'ServerUnreachable'],
    ['an export as well', ['--remote', 'docs.test', '--site', 'site'], {}, 2, '--remote and --site are mutually exclusive.'],
    ['no domain', ['--remote', ''], {}, 2, '--remote: must not be empty'],
  ])('%s', async (_, args, more, code, message) => {
    const ended = await ask([question, ...args], environment(more));
    expect([ended.code, ended.stdout, ended.stderr]).toEqual([code, '', expect.stringContaining(message)]);
  });
});
