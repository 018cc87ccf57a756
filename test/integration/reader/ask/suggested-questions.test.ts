import { expect, test } from 'vitest';
import { questionAbout } from '../../../../integration/reader/ask/suggested-questions.ts';

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
  ['安装', 'About “安装”?'],
])('%s is asked about as: %s', (heading, question) => {
  expect(questionAbout(heading, 'About “{heading}”?', 'en')).toBe(question);
});

test('in other languages the words of a heading are not changed', () => {
  expect(questionAbout('Create a key', 'Zu „{heading}“?', 'de')).toBe('Zu „Create a key“?');
});
