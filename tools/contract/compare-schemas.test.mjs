import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compareSchemas } from './compare-schemas.mjs';

const text = { type: 'string' };
/** @param {object} properties @param {string[]} [required] */
const object = (properties, required = []) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

/**
 * @param {'in' | 'out'} direction @param {object} before @param {object} after
 * @param {{ hasClosedEnums?: boolean, documents?: [object, object] }} [options]
 */
function rulesOf(direction, before, after, { hasClosedEnums = false, documents = [{}, {}] } = {}) {
  const [old, next] = documents;
  const comparison = { before: old, after: next, findings: /** @type {any[]} */ ([]), hasClosedEnums };
  compareSchemas(comparison, before, after, { direction, at: 'x' });
  return comparison.findings.map(({ rule, at, isBreaking }) => `${isBreaking ? '' : '(warn) '}${rule} ${at}`);
}

/** @type {[string, object, object, string[], string[]][]} what, before, after, findings for `in`, findings for `out` */
const cases = [
  ['nothing', object({ a: text }, ['a']), object({ a: text }, ['a']), [], []],
  ['an optional field is added', object({}), object({ a: text }), [], []],
  ['a required field is added', object({}), object({ a: text }, ['a']), ['in-field-required x.a'], []],
  [
    'a field is removed',
    object({ a: text }),
    object({}),
    ['in-field-removed x.a'],
    ['out-field-removed x.a'],
  ],
  [
    'a field becomes required',
    object({ a: text }),
    object({ a: text }, ['a']),
    ['in-field-required x.a'],
    [],
  ],
  [
    'a field becomes optional',
    object({ a: text }, ['a']),
    object({ a: text }),
    [],
    ['out-field-optional x.a'],
  ],
  ['another type', text, { type: 'integer' }, ['in-type x'], ['out-type x']],
  ['a type is added', text, { type: ['string', 'null'] }, [], ['out-type x']],
  ['a type is removed', { type: ['string', 'null'] }, text, ['in-type x'], []],
  ['an integer becomes a number', { type: 'integer' }, { type: 'number' }, [], ['out-type x']],
  ['a number becomes an integer', { type: 'number' }, { type: 'integer' }, ['in-type x'], []],
  ['any type becomes text', {}, text, ['in-type x'], []],
  ['an enum value is added', { enum: ['a'] }, { enum: ['a', 'b'] }, [], ['(warn) out-enum x']],
  ['an enum value is removed', { enum: ['a', 'b'] }, { enum: ['a'] }, ['in-enum x'], []],
  ['text gets an enum', text, { ...text, enum: ['a'] }, ['in-enum x'], []],
  ['text loses its enum', { ...text, enum: ['a'] }, text, [], ['out-enum x']],
  ['a constant changes', { const: 'a' }, { const: 'b' }, ['in-enum x'], ['(warn) out-enum x']],
  ['a maximum falls', { maxLength: 9 }, { maxLength: 8 }, ['in-bound x'], []],
  ['a maximum rises', { maxLength: 8 }, { maxLength: 9 }, [], ['(warn) out-bound x']],
  ['a maximum is added', {}, { maxItems: 9 }, ['in-bound x'], []],
  ['a maximum is removed', { maximum: 9 }, {}, [], ['(warn) out-bound x']],
  ['a minimum rises', { minimum: 1 }, { minimum: 2 }, ['in-bound x'], []],
  ['a minimum falls', { minimum: 1 }, { minimum: 0 }, [], ['(warn) out-bound x']],
  ['a pattern changes', { pattern: '^a$' }, { pattern: '^b$' }, ['in-pattern x'], ['(warn) out-pattern x']],
  ['a pattern is removed', { pattern: '^a$' }, {}, [], ['(warn) out-pattern x']],
  ['a format changes', { format: 'date' }, { format: 'uuid' }, ['in-format x'], ['out-format x']],
  ['a default changes', { default: 1 }, { default: 2 }, ['in-default x'], []],
  ['items change', { items: text }, { items: { type: 'integer' } }, ['in-type x[]'], ['out-type x[]']],
  ['an object is closed', { ...object({}), additionalProperties: true }, object({}), ['in-closed x'], []],
  [
    'the values of free names change',
    { additionalProperties: text },
    { additionalProperties: { type: 'integer' } },
    ['in-type x.*'],
    ['out-type x.*'],
  ],
  ['an alternative is added', { oneOf: [text] }, { oneOf: [text, { type: 'null' }] }, [], ['out-type x<1>']],
  ['an alternative is removed', { anyOf: [text, { type: 'null' }] }, { anyOf: [text] }, ['in-type x<1>'], []],
  [
    'alternatives change places',
    { oneOf: [text, { type: 'null' }] },
    { oneOf: [{ type: 'null' }, text] },
    [],
    [],
  ],
];

describe('compareSchemas', () => {
  for (const [what, before, after, forWriters, forReaders] of cases) {
    it(`finds for clients that write the data: ${what}`, () => {
      assert.deepEqual(rulesOf('in', before, after), forWriters);
    });
    it(`finds for clients that read the data: ${what}`, () => {
      assert.deepEqual(rulesOf('out', before, after), forReaders);
    });
  }

  it('reports a breaking change for a new value if readers have closed enums', () => {
    const options = { hasClosedEnums: true };
    assert.deepEqual(rulesOf('out', { enum: ['a'] }, { enum: ['a', 'b'] }, options), ['out-enum x']);
  });

  it('follows references, including recursive ones, and merges allOf', () => {
    /** @param {object} leaf */
    const documentOf = (leaf) => ({
      defs: { Tree: object({ leaf, next: { allOf: [{ $ref: '#/defs/Tree' }] } }) },
    });
    const documents = /** @type {[object, object]} */ ([documentOf(text), documentOf({ type: 'integer' })]);
    const ref = { $ref: '#/defs/Tree' };
    assert.deepEqual(rulesOf('out', ref, ref, { documents }), ['out-type x.leaf']);
    assert.throws(
      () => rulesOf('out', { $ref: '#/defs/None' }, ref, { documents }),
      /no schema #\/defs\/None/,
    );
  });
});
