import { expect, test } from 'vitest';
import { suggestionFor } from '../../../../integration/reader/ask/questions.ts';

test.each([
  ['Create a key', 'How do I create a key?'],
  ['Install', 'How do I install?'],
  ['Configuring TLS', 'How do I configure TLS?'],
  ['Running in a container', 'How do I run in a container?'],
  ['Test your setup', 'How do I test your setup?'],
  ['Test results', 'About “Test results”?'],
  ['Export folder', 'About “Export folder”?'],
  ['Pricing', 'About “Pricing”?'],
  ['Dead letters', 'About “Dead letters”?'],
  ['What is logged?', 'What is logged?'],
  ['Can I run it twice?', 'Can I run it twice?'],
  ['安装', 'About “安装”?'],
])('%s is asked about as: %s', (heading, question) => {
  expect(suggestionFor(heading, 'About “{heading}”?', 'en').question).toBe(question);
});

test('in other languages a heading is shown as a topic', () => {
  const topic = { label: 'Create a key', question: 'Zu „Create a key“?' };
  expect(suggestionFor('Create a key', 'Zu „{heading}“?', 'de')).toEqual(topic);
});
