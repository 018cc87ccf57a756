import { expect, test } from 'vitest';
import { completes, parseQuery, resolved, tolerance } from '../../../integration/search/query.ts';

test.each([
  ['Install the tasks', ['install', 'task']],
  ['how to', ['how', 'to']],
  ['tasks Task TASK', ['task']],
  ['useEff', ['useeff', 'use', 'eff']],
  ['命令行', ['命令', '令行']],
  ['max-width', ['max-width', 'max', 'width']],
  ['sendToServer', ['sendtoserver', 'send', 'server']],
  ['client.Run', ['client.run', 'client', 'run']],
  ['use --no-cache', ['--no-cache', 'use', 'cache']],
  [`install ${'x'.repeat(41)}`, ['install']],
  ['get way', ['get', 'way']],
  ['Why can I not get the server to restart after an upgrade?', ['server', 'restart', 'after', 'upgrade']],
  ['$? … ', []],
])('%j has the terms %j', (query, terms) => {
  expect(parseQuery(query).terms.map(({ term }) => term)).toEqual(terms);
});

test.each([
  ['restart server after upgrade', false],
  ['my server hangs after the upgrade', true],
  ['we moved the disk', true],
  ['my server', false],
  ['What is sharding?', false],
  ['What is a shard of the index?', true],
  ['is it on', false],
  ['Migrate from Create React App to another framework', false],
  ['How do I restart the server after an upgrade', true],
  ['the server hangs after upgrade, restart?', true],
  ['how to install', false],
  ['server hangs after upgrade restart fails disk full permission denied', true],
])('%j is a question: %j', (query, isQuestion) => {
  expect(parseQuery(query).isQuestion).toBe(isQuestion);
});

test.each([
  ['one that the index has', 'call client.run now', ['client.run', 'call', '(client)', '(run)', 'now']],
  ['one that is being typed', 'client.ru', ['client.ru', '(client)', '(ru)']],
  ['a short one that the index does not have', 'call run.it', ['call', 'run']],
  ['one that may be a misspelling', 'call client.stop', ['client.stop', 'call', 'client', 'stop']],
  ['a version', 'call client-1.4.2', ['call', 'client', '1', '4', '2']],
  ['a name', 'call sendNow', ['call', 'sendnow', '(send)', '(now)']],
  ['a name that the index does not have', 'call sendLater', ['call', 'sendlater', 'send', 'later']],
])('of a compound, its words count less: %s', (_, query, terms) => {
  const known = {
    has: (term: string) => ['client.run', 'sendnow'].includes(term),
    hasPrefix: (prefix: string) => 'client.run'.startsWith(prefix),
  };
  expect(resolved(parseQuery(query), known).terms.map(({ term, isPart }) => (isPart ? `(${term})` : term))).toEqual(terms);
});

test.each([
  ['const { data } = await client.run(id);', true],
  ['console.log("done")', true],
  ['"has_more": true,', true],
  ['npm install --save-dev vitest', true],
  ['std::vector<int> found', true],
  ['Error: listen EADDRINUSE: address already in use', true],
  ['12:30:05 worker: job 7 lost', true],
  ['Could not find module: react', true],
  ['How do I fix "TypeError: x is not a function"?', false],
  ['I get Error: listen EADDRINUSE when it starts', false],
  ['Why does console.log("done") print nothing', false],
  ['Single-File Components (SFCs)', false],
  ['setup() option', false],
  ['Guide: Async Components', false],
  ['client.run()', false],
  ['<Suspense> reference', false],
  ['max-width', false],
])('%j is pasted: %j', (query, isPasted) => {
  expect(parseQuery(query).isPasted).toBe(isPasted);
});

test('a pasted page becomes forty terms', () => {
  const pasted = Array.from({ length: 500 }, (_, i) => `word${i}`).join(' ');
  expect(parseQuery(pasted).terms).toHaveLength(40);
  expect(parseQuery(pasted.replaceAll(' ', '.x ')).terms).toHaveLength(40);
});

test.each([
  ['last word of two letters', 'install np', 'np', true],
  ['last word of one letter', 'install n', 'n', false],
  ['one character of a script without spaces', '安', '安', true],
  ['last word before what is not a word yet', 'install np _', 'np', true],
  ['word that is there twice', 'npm install npm', 'npm', true],
  ['word before the last', 'install npm', 'install', false],
  ['part of the last word', 'useEff', 'eff', true],
])('completion: %s', (_, query, term, expected) => {
  expect(completes(parseQuery(query).terms.find((found) => found.term === term)!)).toBe(expected);
});

test.each([
  ['install', 0],
  ['insta', 0],
  ['abc', 0],
  ['abcd wrong', 1],
  ['abcdefg wrong', 1],
  ['abcdefgh wrong', 2],
  ['instal wrong', 1],
  ['instalation wrong', 2],
])('the first term of %j may have %i typos', (query, letters) => {
  const known = { has: (term: string) => term === 'install', hasPrefix: (prefix: string) => 'install'.startsWith(prefix) };
  expect(tolerance(parseQuery(query).terms[0]!, known)).toBe(letters);
});
