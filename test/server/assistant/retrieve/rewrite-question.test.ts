// What is asked in the words of another language than the docs.
import { afterAll, expect, test } from 'vitest';
import { harbour, openAssistantSite } from '../assistant-site.ts';
import { chunk, errorAnswer, openModelServer, textAnswer, toolAnswer, type ModelAnswer } from '../model-server.ts';

const model = await openModelServer();
const site = await openAssistantSite(harbour);
afterAll(() => model.close());

const settings = (more: object = {}) => ({ baseUrl: model.url, model: 'scripted', ...more });
const japanese = 'どのポートで待ち受けますか？';
const refusal = 'ドキュメントにはこの質問への答えがありません。';

test('the model translates a question that finds nothing once, and answers from the results of the translation', async () => {
  await site.configure({ model: settings(), tools: false });
  const before = model.requests.length;
  model.play(textAnswer('ja: ', 'server port setting'), textAnswer('7700 です [1]。'));
  const { text, end, sources } = await site.ask(japanese);
  expect([text, end]).toEqual(['7700 です [1]。', 'stop by model']);
  expect(sources.map(({ id }) => id)).toEqual([expect.stringContaining('guides/configure')]);
  const [translation, answer, ...others] = model.requests.slice(before);
  expect(others).toEqual([]);
  const [rules, asked] = translation!.body.messages;
  expect(rules!.content).toContain('English (en)');
  expect(asked!.content).toMatch(new RegExp(`^<question ([0-9a-f]{24})>\n${japanese}\n</question \\1>$`));
  expect(translation!.body).toMatchObject({ stream: true, max_tokens: 512 });
  // The model answers what was asked, not its own query.
  expect(answer!.body.messages.at(-1)!.content).toContain(japanese);
  expect(answer!.body.messages.at(-1)!.content).not.toContain('server port setting');
});

test.each<[string, ModelAnswer]>([
  ['as asked', textAnswer('ja: server port')],
  ['without a language', textAnswer('server port')],
  ['in quotation marks', textAnswer('ja: "server port"')],
  ['after thinking', textAnswer('<think>Port…</think>\n\nja: server port')],
  ['with words after it, which are not waited for', { steps: [chunk({ content: 'ja: server port\nHere' }), 'hang'] }],
])('the query is read when it comes %s', async (_, play) => {
  await site.configure({ model: settings(), tools: false });
  model.play(play, textAnswer('So.'));
  expect(await site.ask(japanese)).toMatchObject({ text: 'So.', end: 'stop by model' });
  expect(model.requests.at(-1)!.body.messages.at(-1)!.content).toContain('harbourPort');
});

test('a question with results is not translated', async () => {
  await site.configure({ model: settings(), tools: false });
  const before = model.requests.length;
  model.play(textAnswer('So.'));
  expect((await site.ask('Which port does the server listen on?')).text).toBe('So.');
  expect(model.requests.length).toBe(before + 1);
});

test.each<[string, string, ModelAnswer, string]>([
  ['finds nothing either', japanese, textAnswer('ja: qwertyuiop'), refusal],
  ['fails', japanese, errorAnswer(500, 'no'), refusal],
  ['says nothing', japanese, textAnswer(''), refusal],
  ['has no words', japanese, textAnswer('ja: ?!'), refusal],
  [
    'is of a question whose script says little',
    'Zxcvb qwertz?',
    textAnswer('de: qwertyuiop'),
    'Die Dokumentation beantwortet das nicht.',
  ],
  ['is of a language without a translation', 'Zxcvb qwertz?', textAnswer('tlh: qwertyuiop'), 'The docs do not answer this.'],
])('a translation that %s ends in the text for no answer, in the language of the reader', async (_, question, play, expected) => {
  await site.configure({ model: settings(), tools: false });
  model.play(play);
  expect(await site.ask(question)).toMatchObject({ text: expected, end: 'stop by quotes', sources: [] });
});

test('the text for no answer is in the language of the reader without a model, too', async () => {
  await site.configure();
  expect(await site.ask(japanese)).toMatchObject({ text: refusal, end: 'stop by quotes' });
});

test('a second model translates when the first one fails, and the docs are quoted when neither answers', async () => {
  await site.configure({ tools: false, model: settings(), fallback: settings({ model: 'second' }) });
  const before = model.requests.length;
  model.play(({ body }) => {
    const isTranslation = body.messages[0]!.content.includes('search queries');
    return isTranslation && body.model === 'second' ? textAnswer('ja: server port') : errorAnswer(500, 'no');
  });
  const { text, end, events } = await site.ask(japanese);
  expect(text).toContain('7700');
  expect(end).toBe('stop by quotes');
  expect(events.at(-1)).toEqual({ type: 'end', reason: 'stop', by: 'quotes', why: 'ModelBroken' });
  expect(model.requests.slice(before).map(({ body }) => body.model)).toEqual(['scripted', 'second', 'scripted', 'second']);
});

test('a reader who leaves ends the translation', async () => {
  await site.configure({ model: settings(), tools: false });
  model.play({ before: ['hang'], steps: [] });
  const leaving = new AbortController();
  const next = model.next();
  const asked = site.ask(japanese, { signal: leaving.signal });
  const request = await next;
  leaving.abort();
  expect(await request.left).toBe(true);
  expect((await asked).events).toEqual([]);
});

test('a translation has a timeout of its own', async () => {
  await site.configure({ model: settings({ timeouts: { firstChunkMs: 300 } }), tools: false });
  model.play({ before: ['hang'], steps: [] });
  const { text, events } = await site.ask(japanese);
  expect(text).toBe(refusal);
  expect(events.at(-1)).toMatchObject({ by: 'quotes', why: 'ModelTimeout' });
});

test('with tools the question is translated first, too, and a model is asked even when nothing is found', async () => {
  await site.configure({ model: settings() });
  const before = model.requests.length;
  model.play(textAnswer('ja: ', 'server port setting'), textAnswer('7700 です [1]。'));
  expect(await site.ask(japanese)).toMatchObject({ text: '7700 です [1]。', end: 'stop by model' });
  const [translation, answer] = model.requests.slice(before);
  expect(translation!.body).not.toHaveProperty('tools');
  expect(answer!.body.tools).toHaveLength(3);
  expect(answer!.body.messages.at(-1)!.content).toContain('harbourPort');
  expect(answer!.body.messages[0]!.content).toContain('it is written in English (en)');

  const searched = toolAnswer({ name: 'search', input: { query: 'server port' } });
  model.play(textAnswer('ja: qwertyuiop'), searched, textAnswer('7700 です [1]。'));
  const { text, sources } = await site.ask(japanese);
  expect([text, sources.map(({ id }) => id)]).toEqual(['7700 です [1]。', [expect.stringContaining('guides/configure')]]);
});

test('twenty languages in one question are asked once', async () => {
  await site.configure({ model: settings() });
  const text =
    'How do I install? Wie installiere ich? Comment installer ? ¿Cómo se instala? Como instalar? Come si installa? Hoe installeer ik? Hur installerar jag? Jak zainstalować? Как установить? Πώς να εγκαταστήσω; איך מתקינים? كيف أثبت؟ कैसे स्थापित करें? ติดตั้งอย่างไร? どうやってインストールしますか？ 어떻게 설치하나요? 如何安装？ Nasıl kurulur? Làm sao cài đặt?';
  const before = model.requests.length;
  model.play(textAnswer('So.'));
  expect(await site.ask(text)).toMatchObject({ text: 'So.', end: 'stop by model' });
  expect(model.requests.length).toBe(before + 1);
  expect(model.requests.at(-1)!.body.messages.at(-1)!.content).toContain(text);
});
