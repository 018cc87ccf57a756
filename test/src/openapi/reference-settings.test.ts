import { expect, test } from 'vitest';
import { component } from '../../../src/openapi/nodes.ts';
import { settingsKey, withSettings } from '../../../src/openapi/reference-settings.ts';

const sample = (language: string) => component('CodeBlock', { language }, []);
const nodes = [
  component('RequestExample', { generated: true }, [sample('bash'), sample('js'), sample('python')]),
  component('ResponseField', { name: 'a' }, [
    component('Expandable', { title: 'a' }, [component('Expandable', { title: 'b' }, [])]),
  ]),
];

test('samples are in the wanted languages and their order, whatever they are called', () => {
  const [example] = withSettings(nodes, { examples: { languages: ['python', 'curl', 'cobol'] } });
  expect(example?.children?.map(({ props }) => props?.language)).toEqual(['python', 'bash']);
});

test('all samples stay if none is in a wanted language', () => {
  expect(withSettings(nodes, { examples: { languages: ['cobol'] } })).toEqual(nodes);
});

test('all fields are open, also those in fields', () => {
  const text = JSON.stringify(withSettings(nodes, { params: { expanded: 'all' } }));
  expect(text.match(/"title":"[ab]","defaultOpen":true/g)).toHaveLength(2);
});

test.each([undefined, null, 'x', {}, { params: { expanded: 'closed' } }, { examples: { languages: 'python' } }, { params: 7 }])(
  'the settings %j change nothing',
  (api) => {
    expect(withSettings(nodes, api)).toBe(nodes);
    expect(settingsKey(api)).toBe('');
  },
);
