import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { configSchema } from '../../../src/source/config-schema.ts';
import { parseConfig } from '../../../src/source/parse-config.ts';

const repository = join(import.meta.dirname, '../../..');
// `format` and the like are hints for editors.
const validate = new Ajv2020({ strict: false, allErrors: true }).compile(configSchema());

test.each(['src/manual', 'src/example', 'fixtures/docs-json-site', 'fixtures/versions-languages', 'fixtures/playground'])(
  'accepts the docs.json of %s',
  (folder) => {
    const config: unknown = JSON.parse(readFileSync(join(repository, folder, 'docs.json'), 'utf8'));
    expect([validate(config), validate.errors]).toEqual([true, null]);
  },
);

test.each([
  { navigaton: {} },
  { colors: { primary: 'teal' } },
  { navigation: { pages: 'index' } },
  { navigation: { groups: [{ group: 'A', pages: ['a', { group: 'B', pages: [1] }] }] } },
  { navigation: [{ group: 'A', page: [] }] },
  { navigation: { tabs: [{ tab: 'A', groups: [{ group: 'B', icon: {} }] }] } },
  { logo: { light: '/a.svg' } },
  { appearance: { default: 'blue' } },
])('refuses %j, as the export does', (config) => {
  expect(validate(config)).toBe(false);
  expect(parseConfig(config, 'docs.json').problems).not.toEqual([]);
});

test('every key of docs.json has a description for editors', () => {
  const { properties = {}, $defs = {} } = configSchema() as Record<
    string,
    Record<string, { description?: string; properties?: object }>
  >;
  const keys = { ...properties, ...($defs.entry!.properties as typeof properties) };
  expect(Object.keys(keys).length).toBeGreaterThan(50);
  expect(Object.entries(keys).flatMap(([key, { description }]) => (description === undefined ? [key] : []))).toEqual([]);
});
