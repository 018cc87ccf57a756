import { expect, test } from 'vitest';
import { checkValue } from '../../../../integration/reader/playground/check-value.ts';
import type { Schema } from '../../../../integration/reader/playground/operation.ts';
import { Texts } from '../../../../integration/reader/playground/texts.ts';
import { english, playgroundLabels } from '../../../../integration/texts/index.ts';

const texts = new Texts(playgroundLabels(english), 'en');

const parcel: Schema = {
  type: 'object',
  required: ['to'],
  properties: { to: { type: 'string', minLength: 2 }, tags: { type: 'array', items: { enum: ['new', 'sent'] }, maxItems: 2 } },
};

test.each<[Schema, unknown, string[]]>([
  [parcel, { to: 'Ada', tags: ['new'] }, []],
  [parcel, {}, ['to: A value is required.']],
  [parcel, [], ['Must be of type object.']],
  [parcel, { to: 'A' }, ['to: Too short: the minimum length is 2.']],
  [parcel, { to: 'Ada', tags: ['new', 'old'] }, ['tags[1]: Must be one of: new, sent']],
  [{ ...parcel, additionalProperties: false }, { to: 'Ada', from: 'Bob' }, ['from: Is not in the specification.']],
  [{ type: ['integer', 'null'] }, null, []],
  [{ type: 'integer' }, 1.5, ['Must be of type integer.']],
  [{ type: 'number', exclusiveMinimum: 0, maximum: 5 }, 0, ['Must be greater than 0.']],
  [{ allOf: [parcel, { required: ['id'] }] }, { to: 'Ada' }, ['id: A value is required.']],
  [{ oneOf: [{ type: 'string' }, parcel] }, { to: 1 }, ['Must be of type string.']],
  [{ anyOf: [{ type: 'string' }, { type: 'boolean' }] }, true, []],
  [{}, { anything: [1] }, []],
])('%j checks %j', (schema, value, faults) => {
  expect(checkValue(schema, value).map((fault) => texts.ofFault(fault))).toEqual(faults);
});
