import { SharedSchemas, type SchemaObject } from './open-api';
import { SchemaFields } from './schema-fields';

const node: SchemaObject = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    children: { type: 'array', items: { $ref: '#/components/schemas/Node' } },
  },
};
const components = {
  schemas: {
    Node: node,
    Card: { type: 'object', properties: { number: { type: 'string' } }, required: ['number'] },
    BankTransfer: { type: 'object', properties: { iban: { type: 'string' } } },
  },
};
const fields = new SchemaFields(new SharedSchemas({ components }));
const fieldOf = (schema: SchemaObject) => fields.field({ name: 'it', isRequired: false }, schema);

describe('SchemaFields', () => {
  it.each<[SchemaObject, string]>([
    [{ type: 'string' }, 'string'],
    [{ type: ['string', 'null'] }, 'string or null'],
    [{ type: 'string', format: 'uuid' }, 'string (uuid)'],
    [{ type: 'number', format: 'double' }, 'number'],
    [{ type: 'array', items: { type: 'string' } }, 'list of string'],
    [{ type: 'array', items: { $ref: '#/components/schemas/Card' } }, 'list of object'],
    [{ type: 'object', additionalProperties: { type: 'integer' } }, 'object of integer'],
    [{ oneOf: [{ type: 'string' }, { type: 'integer' }] }, 'string or integer'],
    [{ anyOf: [{ $ref: '#/components/schemas/Card' }, { type: 'null' }] }, 'object or null'],
    [{ enum: ['a'] }, 'string'],
    [{}, 'any JSON'],
  ])('returns the type of %j as text', (schema, type) => {
    expect(fieldOf(schema).type).toBe(type);
  });

  it.each<[SchemaObject, string[]]>([
    [{ minLength: 1, maxLength: 64 }, ['1 to 64 characters']],
    [{ minLength: 0, maxLength: 1 }, ['at most 1 character']],
    [{ minLength: 2, maxLength: 2 }, ['exactly 2 characters']],
    [{ minimum: 0 }, ['at least 0']],
    [{ minimum: 1, maximum: 100 }, ['1 to 100']],
    [{ exclusiveMinimum: 0, maximum: 5 }, ['at most 5', 'above 0']],
    [{ 'x-minimum': '1', 'x-maximum': '99' }, ['1 to 99']],
    [{ 'x-maximum': '99', description: 'At most 99 of them' }, []],
    [{ minItems: 1, maxItems: 50 }, ['1 to 50 items']],
    [{ maxProperties: 16 }, ['at most 16 members']],
    [{ default: 'base' }, ['default base']],
    [{ default: false }, ['default false']],
  ])('returns the bounds of %j as text', (schema, bounds) => {
    expect(fieldOf(schema).bounds).toEqual(bounds);
  });

  it('lists the allowed values of a field or of its items, without null', () => {
    expect(fieldOf({ type: ['string', 'null'], enum: ['a', 'b', null] }).values).toEqual(['a', 'b']);
    expect(fieldOf({ type: 'array', items: { enum: ['x'] } }).values).toEqual(['x']);
    expect(fieldOf({ const: 'Direct' }).values).toEqual(['Direct']);
  });

  it('retains the description of a field with a shared type', () => {
    const shared = { description: 'Where the money goes', allOf: [{ $ref: '#/components/schemas/Card' }] };
    const { description, forms } = fieldOf(shared);
    expect([description, forms[0]!.fields.map(({ name, isRequired }) => [name, isRequired])]).toEqual([
      'Where the money goes',
      [['number', true]],
    ]);
  });

  it('uses the name of each form as its title', () => {
    const forms = fields.formsOf({
      oneOf: ['Card', 'BankTransfer'].map((name) => ({ $ref: `#/components/schemas/${name}` })),
    });
    expect(forms.map(({ title }) => title)).toEqual(['Card', 'Bank transfer']);
  });

  it('describes a recursive schema once', () => {
    const [{ fields: own } = { fields: [] }] = fields.formsOf({ $ref: '#/components/schemas/Node' });
    expect(own.map(({ name, forms }) => [name, forms.length])).toEqual([
      ['name', 0],
      ['children', 0],
    ]);
  });

  it('rejects a reference to a part that does not exist', () => {
    expect(() => fields.formsOf({ $ref: '#/components/schemas/None' })).toThrow(
      'no #/components/schemas/None',
    );
  });
});
