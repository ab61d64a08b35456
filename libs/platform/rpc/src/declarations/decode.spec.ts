import { IsEmail, IsIn, Max, ValidateBy } from 'class-validator';
import { decode, type DecodeOptions } from './decode';
import {
  AnyObject,
  Amount,
  AmountNumber,
  Decimal,
  fieldsOf,
  Figure,
  Flag,
  FreeForm,
  Integer,
  IntegerOrText,
  ListOf,
  ListOrJson,
  Nested,
  OneOf,
  Text,
  TextMap,
  Timestamp,
} from './fields';
import type { Class } from './class';
import { Schemas } from './schemas';

const described = { description: 'A field' };

/** Returns the error message of the only field `value`, or the decoded value. */
function read(declare: PropertyDecorator, value: unknown, options?: DecodeOptions): unknown {
  class Holder {
    value: unknown;
  }
  declare(Holder.prototype, 'value');
  const decoded = decode(Holder, { value }, options);
  if (decoded.ok) return { value: decoded.value.value };
  expect(decoded.errors.map(({ field }) => field)).toEqual(['value']);
  return decoded.errors[0]!.message;
}

describe('IntegerOrText', () => {
  const message = 'must be a code or letters';
  const declare = IntegerOrText({ ...described, min: 1, max: 999, pattern: /^[A-Z]{2}$/, message });

  it.each([1, 44, 999, 'GB'])('accepts %j', (value) => {
    expect(read(declare, value)).toEqual({ value });
  });

  it.each([0, 1_000, 1.5, NaN, '44', 'gb', 'GBR', '', true, null, [44], {}])('rejects %j', (value) => {
    expect(read(declare, value)).toBe(message);
  });

  it('declares both types in the schema', () => {
    class Holder {}
    declare(Holder.prototype, 'value');
    expect(fieldsOf(Holder)[0]!.schema).toMatchObject({
      oneOf: [
        { type: 'integer', minimum: 1, maximum: 999 },
        { type: 'string', pattern: '^[A-Z]{2}$' },
      ],
    });
  });
});

describe('Amount', () => {
  const maxAmount = (2n ** 256n - 1n).toString();
  it.each(['1', '10', '9007199254740993', maxAmount])('accepts %s', (amount) => {
    expect(read(Amount(described), amount)).toEqual({ value: amount });
  });

  const bad: [string, unknown][] = [
    ['empty text', ''],
    ['a leading space', ' 1'],
    ['a trailing space', '1 '],
    ['a trailing line break', '1\n'],
    ['a plus sign', '+1'],
    ['an exponent', '1e18'],
    ['hexadecimal', '0x10'],
    ['a minus sign', '-1'],
    ['a fraction', '1.5'],
    ['a leading zero', '01'],
    ['79 digits', '1'.repeat(79)],
    ['2^256', (2n ** 256n).toString()],
    ['Arabic digits', '١٢'],
    ['a number', 1],
    ['a large number', 1e18],
    ['true', true],
    ['null', null],
    ['a list', ['1']],
    ['an object', {}],
  ];
  it.each(bad)('rejects %s', (_case, value) => {
    const expected =
      'must be a string of an integer in the smallest unit of the token: digits only, no sign, no leading zero';
    expect(read(Amount(described), value)).toBe(expected);
    expect(read(Amount({ ...described, allowZero: true }), value)).toBe(expected);
    // Text of a query is not converted, because an amount is already a string.
    expect(read(Amount(described), value, { fromText: true })).toBe(expected);
  });

  it('accepts zero only with allowZero', () => {
    expect(read(Amount(described), '0')).toBe('must be greater than 0');
    expect(read(Amount({ ...described, allowZero: true }), '0')).toEqual({ value: '0' });
  });

  it('rejects an amount above max', () => {
    const most = Amount({ ...described, max: 2n ** 63n - 1n });
    expect(read(most, '9223372036854775807')).toEqual({ value: '9223372036854775807' });
    expect(read(most, '9223372036854775808')).toBe('must be at most 9223372036854775807');
  });
});

describe('AmountNumber', () => {
  const amount = AmountNumber({ ...described, max: 1e15 });
  it.each([1, 0.1, 12.5, 0.000001, 1e-18, 123456789.012345, 1e15, 999_999_999_999_999])(
    'accepts %p',
    (value) => {
      expect(read(amount, value)).toEqual({ value });
    },
  );

  const tooExact = 'must have at most 15 digits, as many as a number holds exactly';
  it.each<[unknown, string]>([
    ['1', 'must be a number'],
    [Number.NaN, 'must be a number'],
    [null, 'must be a number'],
    [[1], 'must be a number'],
    [true, 'must be a number'],
    [0, 'must be greater than 0'],
    [-0, 'must be greater than 0'],
    [-1, 'must be greater than 0'],
    [1e21, 'must be 1000000000000000 or less'],
    [Number.POSITIVE_INFINITY, 'must be a number'],
    [0.1 + 0.2, tooExact],
    [1234567890.123456, tooExact],
    [5e-324, tooExact],
  ])('rejects %p', (value, message) => {
    expect(read(amount, value)).toBe(message);
  });
});

describe('ListOrJson', () => {
  class Item {
    @Text(described)
    name: string;
    @AmountNumber({ ...described, max: 1_000 })
    amount: number;
  }
  class Holder {
    @ListOrJson(() => Item, { ...described, maxItems: 2 })
    items: Item[];
  }
  const item = { name: 'a', amount: 1.5 };
  const errorsOf = (items: unknown) => {
    const decoded = decode(Holder, { items });
    return decoded.ok ? [] : decoded.errors.map(({ field, message }) => `${field} ${message}`);
  };

  it('decodes a list and its JSON text to the same value', () => {
    for (const items of [[item], JSON.stringify([item]), ' [{"amount": 1.50, "name": "\\u0061"}] ']) {
      const decoded = decode(Holder, { items });
      expect(decoded).toEqual({ ok: true, value: { items: [item] } });
      if (decoded.ok) expect(decoded.value.items[0]).toBeInstanceOf(Item);
    }
  });

  it.each<[string, unknown, string]>([
    ['nothing', undefined, 'is missing'],
    ['null', null, 'must be a list, or the JSON text of one'],
    ['an object', item, 'must be a list, or the JSON text of one'],
    ['the text of an object', JSON.stringify(item), 'must be a list, or the JSON text of one'],
    ['no JSON', '[', 'must be a list, or the JSON text of one'],
    ['a duplicate key', '[{"amount": 1, "amount": 2}]', 'must be a list, or the JSON text of one'],
    ['a list that is nested too deeply', '['.repeat(100_000), 'must be a list, or the JSON text of one'],
    ['an empty list', [], 'must not be empty'],
    ['too many items', '[1,2,3]', 'must have at most 2 items'],
  ])('rejects %s', (_case, items, message) => {
    expect(errorsOf(items)).toEqual([`items ${message}`]);
  });

  it('rejects numbers in text that a double cannot represent', () => {
    for (const amount of ['1.00000000000000001', '1e400', '9007199254740993'])
      expect(errorsOf(`[{"name": "a", "amount": ${amount}}]`)).toHaveLength(1);
  });

  it('passes the valid part of an invalid list to validators', () => {
    const decoded = decode(Holder, { items: [{ name: 'a', amount: 'x' }, 'b'] });
    expect(decoded).toMatchObject({ ok: false, partial: { items: [{ name: 'a' }, undefined] } });
    expect(errorsOf([{ name: 'a', amount: 'x' }, 'b'])).toEqual([
      'items[0].amount must be a number',
      'items[1] must be an object',
    ]);
  });

  it('declares both forms in the schema', () => {
    const schemas = new Schemas();
    schemas.of(Holder);
    expect(schemas.named['Holder']).toMatchObject({
      properties: {
        items: {
          description: 'A field',
          anyOf: [
            { type: 'array', minItems: 1, maxItems: 2, items: { $ref: '#/components/schemas/Item' } },
            { type: 'string', contentMediaType: 'application/json' },
          ],
        },
      },
      required: ['items'],
    });
  });
});

describe('Text', () => {
  const text = Text({
    ...described,
    minLength: 2,
    maxLength: 5,
    pattern: /^[a-z]+$/,
    patternMessage: 'must be a-z',
  });
  it.each([
    ['abc', { value: 'abc' }],
    ['a', 'must have at least 2 characters'],
    ['abcdef', 'must have at most 5 characters'],
    ['AB', 'must be a-z'],
    [12, 'must be a string'],
    [null, 'must be a string'],
    [['ab'], 'must be a string'],
  ])('decodes %p with the result %p', (value, expected) => {
    expect(read(text, value)).toEqual(expected);
  });

  it('rejects an empty text, and by default more than 256 characters', () => {
    expect(read(Text(described), '')).toBe('must not be empty');
    expect(read(Text({ ...described, minLength: 0 }), '')).toEqual({ value: '' });
    expect(read(Text(described), 'a'.repeat(256))).toEqual({ value: 'a'.repeat(256) });
    expect(read(Text(described), 'a'.repeat(257))).toBe('must have at most 256 characters');
  });

  it.each([
    ['NUL', 'a\0b'],
    ['a line break', 'a\nb'],
    ['DEL', 'a\x7fb'],
    ['a C1 control', 'a\x85b'],
    ['a lone high surrogate', 'a\ud83d'],
    ['a lone low surrogate', '\ude00a'],
  ])('rejects %s', (_case, value) => {
    expect(read(Text(described), value)).toBe('must not contain control characters');
  });

  it('accepts line breaks with isMultiline, but no other control characters', () => {
    const multiline = Text({ ...described, isMultiline: true });
    expect(read(multiline, 'a\n\nb\n')).toEqual({ value: 'a\n\nb\n' });
    for (const value of ['a\r\nb', 'a\0b', 'a\tb', '\ud83d\n\ude00'])
      expect(read(multiline, value)).toBe('must not contain control characters');
  });

  it.each(['\u061c', '\u200e', '\u200f', '\u202a', '\u202e', '\u2066', '\u2069'])(
    'rejects characters that change the direction of text, except with isProse: %j',
    (character) => {
      const value = `invoice${character}fdp.exe`;
      const message = 'must not contain characters that change the direction of text';
      expect(read(Text(described), value)).toBe(message);
      expect(read(Text({ ...described, isMultiline: true }), value)).toBe(message);
      expect(read(Text({ ...described, isProse: true }), value)).toEqual({ value });
    },
  );

  it('accepts every script and surrogate pairs', () => {
    expect(read(Text(described), 'שלום، مرحبا')).toEqual({ value: 'שלום، مرحبا' });
    expect(read(Text(described), 'Žluťoučký 馬 😀')).toEqual({ value: 'Žluťoučký 馬 😀' });
  });

  it('counts code points, like JSON Schema', () => {
    const text = Text({ ...described, minLength: 2, maxLength: 3 });
    expect(read(text, '😀😀😀')).toEqual({ value: '😀😀😀' });
    expect(read(text, '😀😀😀a')).toBe('must have at most 3 characters');
    expect(read(text, '😀')).toBe('must have at least 2 characters');
  });

  it('throws for a global or sticky pattern', () => {
    expect(() => Text({ ...described, pattern: /a/g })).toThrow('must not be global');
    expect(() => Text({ ...described, pattern: /a/y })).toThrow('must not be global');
  });
});

describe('Integer', () => {
  const integer = Integer({ ...described, min: -5, max: 10 });
  it.each([
    [0, { value: 0 }],
    [-5, { value: -5 }],
    [10, { value: 10 }],
    [-6, 'must be from -5 to 10'],
    [11, 'must be from -5 to 10'],
    [1.5, 'must be an integer'],
    [NaN, 'must be an integer'],
    [Infinity, 'must be an integer'],
    [2 ** 53, 'must be an integer'],
    ['1', 'must be an integer'],
    [true, 'must be an integer'],
    [null, 'must be an integer'],
    [[1], 'must be an integer'],
  ])('decodes %p with the result %p', (value, expected) => {
    expect(read(integer, value)).toEqual(expected);
  });

  it.each([
    ['7', { value: 7 }],
    ['-5', { value: -5 }],
    ['11', 'must be from -5 to 10'],
    ['', 'must be an integer'],
    [' 7', 'must be an integer'],
    ['+7', 'must be an integer'],
    ['07', 'must be an integer'],
    ['7.0', 'must be an integer'],
    ['7e0', 'must be an integer'],
    ['0x7', 'must be an integer'],
    ['9007199254740993', 'must be an integer'],
    [['7', '8'], 'must be an integer'],
  ])('decodes the query text %p with the result %p', (value, expected) => {
    expect(read(integer, value, { fromText: true })).toEqual(expected);
  });
});

describe('Flag', () => {
  it.each([
    [true, { value: true }],
    [false, { value: false }],
    ['false', 'must be true or false'],
    [0, 'must be true or false'],
    [null, 'must be true or false'],
  ])('decodes %p with the result %p', (value, expected) => {
    expect(read(Flag(described), value)).toEqual(expected);
  });

  it.each([
    ['true', { value: true }],
    ['false', { value: false }],
    ['TRUE', 'must be true or false'],
    ['1', 'must be true or false'],
    ['', 'must be true or false'],
  ])('decodes the query text %p with the result %p', (value, expected) => {
    expect(read(Flag(described), value, { fromText: true })).toEqual(expected);
  });
});

describe('OneOf', () => {
  const oneOf = OneOf(['Direct', 'CrossChain'], described);
  it.each([
    ['Direct', { value: 'Direct' }],
    ['direct', 'must be one of Direct, CrossChain'],
    ['constructor', 'must be one of Direct, CrossChain'],
    [['Direct'], 'must be one of Direct, CrossChain'],
  ])('decodes %p with the result %p', (value, expected) => {
    expect(read(oneOf, value)).toEqual(expected);
  });
});

describe('Timestamp', () => {
  const message = 'must be a time in UTC, such as 2026-01-31T12:00:00Z';
  it.each([
    ['2026-01-31T12:00:00Z', { value: '2026-01-31T12:00:00Z' }],
    ['2028-02-29T23:59:59.123Z', { value: '2028-02-29T23:59:59.123Z' }],
    ['2026-02-29T12:00:00Z', message],
    ['2026-13-01T12:00:00Z', message],
    ['2026-01-31T25:00:00Z', message],
    ['2026-01-31T12:00:00', message],
    ['2026-01-31T12:00:00+02:00', message],
    ['2026-01-31', message],
    ['tomorrow', message],
    [1_800_000_000, message],
  ])('decodes %p with the result %p', (value, expected) => {
    expect(read(Timestamp(described), value)).toEqual(expected);
  });
});

/** Returns the OpenAPI schema of a field. */
function schemaOf(declare: PropertyDecorator): unknown {
  class Holder {
    value: unknown;
  }
  declare(Holder.prototype, 'value');
  return fieldsOf(Holder)[0]!.schema;
}

describe('Decimal', () => {
  const decimal = Decimal(described);
  const message = 'must be a decimal as text, such as 12.50';
  const longest = `${'9'.repeat(31)}.${'9'.repeat(30)}`;
  it.each(['0', '0.0', '12.50', '1000000', longest])('accepts %s', (text) => {
    expect(read(decimal, text)).toEqual({ value: text });
    expect(text).toMatch(new RegExp((schemaOf(decimal) as { pattern: string }).pattern));
  });

  it.each(
    [
      ['', '.5', '1.', '01', '+1', '-1', '-0', '1e3', '1,5', ' 1', '1 ', '1\n', '0x1', 'NaN', '١'],
      ['9'.repeat(32), `0.${'1'.repeat(31)}`, '9'.repeat(100_000), 12.5, 1n, null, true, ['1'], {}],
    ].flat(),
  )('rejects %p', (value) => {
    expect(read(decimal, value)).toBe(message);
    expect(read(decimal, value, { fromText: true })).toBe(message);
  });

  it('declares text with a pattern in the schema', () => {
    expect(schemaOf(decimal)).toEqual({
      type: 'string',
      pattern: '^(0|[1-9][0-9]{0,30})(\\.[0-9]{1,30})?$',
      description: 'A field',
    });
    expect(schemaOf(Decimal({ ...described, nullable: true }))).toMatchObject({ type: ['string', 'null'] });
  });
});

describe('AmountNumber with min and maxDecimals', () => {
  const dollars = AmountNumber({ ...described, min: 5, max: 1_000, maxDecimals: 2 });
  it.each([5, 5.01, 8.29, 25, 25.5, 79.99, 1_000])('accepts %p', (value) => {
    expect(read(dollars, value)).toEqual({ value });
  });

  it.each<[unknown, string]>([
    [4.99, 'must be from 5 to 1000'],
    [0, 'must be from 5 to 1000'],
    [-25, 'must be from 5 to 1000'],
    [1_000.01, 'must be from 5 to 1000'],
    [1e21, 'must be from 5 to 1000'],
    [1e-7, 'must be from 5 to 1000'],
    [25.005, 'must have at most 2 digits after the point'],
    [8.1 + 0.2, 'must have at most 2 digits after the point'],
    [NaN, 'must be a number'],
    [Infinity, 'must be a number'],
    ['25', 'must be a number'],
    [25n, 'must be a number'],
    [true, 'must be a number'],
    [[25], 'must be a number'],
    [{}, 'must be a number'],
  ])('rejects %p', (value, message) => {
    expect(read(dollars, value)).toBe(message);
  });

  it('declares its bounds in the schema', () => {
    const bounds = { type: 'number', format: 'double', minimum: 5, maximum: 1_000 };
    const description = 'A field; a JSON number with at most 15 digits and 2 decimals';
    expect(schemaOf(dollars)).toEqual({ ...bounds, description });
    const open = AmountNumber({ ...described, max: 1_000 });
    expect(schemaOf(open)).toMatchObject({ type: 'number', exclusiveMinimum: 0, maximum: 1_000 });
  });
});

describe('Figure', () => {
  const figure = Figure(described);
  it.each([0, 1, 12.5, 1e-9, Number.MAX_VALUE])('accepts %p', (value) => {
    expect(read(figure, value)).toEqual({ value });
  });

  it.each([[-1], [-1e-9], [NaN], [Infinity], [-Infinity], ['1'], [1n], [null], [true], [[1]], [{}]])(
    'rejects %p',
    (value) => {
      expect(read(figure, value)).toBe('must be a number of 0 or more');
      expect(read(figure, value, { fromText: true })).toBe('must be a number of 0 or more');
    },
  );

  it('declares a non-negative number in the schema', () => {
    const description = 'A field; a JSON number';
    expect(schemaOf(figure)).toEqual({ type: 'number', format: 'double', minimum: 0, description });
    expect(schemaOf(Figure({ ...described, nullable: true }))).toMatchObject({ type: ['number', 'null'] });
  });
});

describe('TextMap', () => {
  const map = TextMap({ ...described, maxEntries: 2, maxLength: 5 });
  const badText = 'must hold texts of at most 5 characters, without control characters';
  it.each([[{ a: 'x' }], [{ a: 'x', b: '' }], [{ ['12345']: '12345' }], [{ '': 'x' }], [{ a: '😀' }]])(
    'accepts %j',
    (value) => expect(read(map, value)).toEqual({ value }),
  );

  it.each<[unknown, string]>([
    [{}, 'must not be empty'],
    [{ a: '1', b: '2', c: '3' }, 'must have at most 2 entries'],
    [{ a: '123456' }, badText],
    [{ '123456': 'a' }, badText],
    [{ a: 1 }, badText],
    [{ a: null }, badText],
    [{ a: ['x'] }, badText],
    [{ a: { b: 'x' } }, badText],
    [{ a: 'x\n' }, badText],
    [{ 'a\0': 'x' }, badText],
    // The two halves of a surrogate pair, at the end of the name and at the start of the text.
    [{ 'a\ud83d': '\ude00b' }, badText],
    [[], 'must be an object'],
    [['a'], 'must be an object'],
    [null, 'must be an object'],
    ['a', 'must be an object'],
    [1, 'must be an object'],
  ])('rejects %j', (value, message) => expect(read(map, value)).toBe(message));

  it('treats prototype names like other names, and ignores inherited entries', () => {
    const named = JSON.parse('{"__proto__":"x","constructor":"y"}') as object;
    const longer = TextMap({ ...described, maxEntries: 2, maxLength: 11 });
    expect(read(longer, named)).toEqual({ value: named });
    expect(read(longer, JSON.parse('{"__proto__":{"a":"x"}}'))).toContain('must hold texts');
    expect(read(map, Object.create({ a: 'x' }))).toBe('must not be empty');
  });

  it('checks the number of entries before their texts', () => {
    const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`k${index}`, 'x']));
    expect(read(map, many)).toBe('must have at most 2 entries');
  });

  it('declares all its bounds in the schema', () => {
    expect(schemaOf(map)).toEqual({
      type: 'object',
      minProperties: 1,
      maxProperties: 2,
      propertyNames: { maxLength: 5 },
      additionalProperties: { type: 'string', maxLength: 5 },
      description: 'A field',
    });
  });
});

describe('ListOf', () => {
  const list = ListOf('string', { ...described, maxItems: 2 });
  it.each([
    [[], { value: [] }],
    [['a', 'b'], { value: ['a', 'b'] }],
    [['a', 'b', 'c'], 'must have at most 2 items'],
    [['a', 1], 'must contain only strings'],
    ['a', 'must be a list'],
    [{ length: 1, 0: 'a' }, 'must be a list'],
  ])('decodes %p with the result %p', (value, expected) => {
    expect(read(list, value)).toEqual(expected);
  });

  it.each([
    [['a'], { value: ['a'] }],
    [[], 'must have at least one item'],
    [['a', 'a'], 'must not contain duplicates'],
    [['c'], 'must be among a, b'],
  ])('decodes %p with a list of allowed values: %p', (value, expected) => {
    const options = { ...described, maxItems: 2, isFilled: true, isUnique: true, values: ['a', 'b'] };
    expect(read(ListOf('string', options), value)).toEqual(expected);
    expect(schemaOf(ListOf('string', options))).toMatchObject({ minItems: 1, uniqueItems: true });
  });

  it('accepts a single text in a query as a list of one item', () => {
    expect(read(list, 'a', { fromText: true })).toEqual({ value: ['a'] });
  });
});

class Inner {
  @Integer({ ...described, min: 1 })
  count: number;
  @Text({ ...described, optional: true })
  note?: string;
}

class Outer {
  @Nested(() => Inner, described)
  one: Inner;
  @ListOf(() => Inner, { ...described, maxItems: 3 })
  many: Inner[];
}

const errorsOf = <T>(source: Class<T>, input: unknown, options?: DecodeOptions) => {
  const decoded = decode(source, input, options);
  return decoded.ok ? [] : decoded.errors;
};

describe('Nested and ListOf objects', () => {
  it('decodes to instances of the class', () => {
    const decoded = decode(Outer, { one: { count: 1 }, many: [{ count: 2, note: 'two' }] });
    expect(decoded).toEqual({ ok: true, value: { one: { count: 1 }, many: [{ count: 2, note: 'two' }] } });
    const { value } = decoded as { value: Outer };
    expect(value.one).toBeInstanceOf(Inner);
    expect(value.many[0]).toBeInstanceOf(Inner);
  });

  it('reports invalid fields by their path', () => {
    const input = { one: { count: 0, colour: 1 }, many: [{ count: 1 }, { note: 5 }, 'x'] };
    expect(errorsOf(Outer, input)).toEqual([
      { field: 'one.colour', message: 'is not a known field' },
      { field: 'one.count', message: 'must be 1 or more' },
      { field: 'many[1].count', message: 'is missing' },
      { field: 'many[1].note', message: 'must be a string' },
      { field: 'many[2]', message: 'must be an object' },
    ]);
  });

  it.each([['text'], [null], [[1]], [5]])('rejects %p, which is not an object', (one) => {
    expect(errorsOf(Outer, { one, many: [] })).toEqual([{ field: 'one', message: 'must be an object' }]);
  });

  it('applies names in fromText only to the top level', () => {
    const input = { one: { count: '1' }, many: [] };
    expect(errorsOf(Outer, input, { fromText: ['count', 'one'] })).toEqual([
      { field: 'one.count', message: 'must be an integer' },
    ]);
    expect(errorsOf(Outer, input, { fromText: true })).toEqual([]);
  });
});

class Optional {
  @Integer({ ...described, optional: true })
  optional?: number;
  @Integer({ ...described, default: 20 })
  withDefault: number;
  @Integer({ ...described, nullable: true })
  nullable: number | null;
  @OneOf(['a'], { ...described, optional: true, nullable: true })
  both?: string | null;
}

describe('decode with optional fields', () => {
  it('omits a missing field, or sets its default', () => {
    const decoded = decode(Optional, { nullable: 1 });
    expect(decoded).toEqual({ ok: true, value: { nullable: 1, withDefault: 20 } });
    expect(Object.keys((decoded as { value: object }).value).sort()).toEqual(['nullable', 'withDefault']);
  });

  it('treats null as missing, unless the field is nullable', () => {
    expect(decode(Optional, { optional: null, withDefault: null, nullable: null, both: null })).toEqual({
      ok: true,
      value: { withDefault: 20, nullable: null, both: null },
    });
  });

  it('validates an optional field that is given', () => {
    const input = { optional: 'x', withDefault: 'x', nullable: 'x', both: 'x' };
    expect(errorsOf(Optional, input).map(({ field }) => field)).toEqual(Object.keys(input));
  });

  it('requires a nullable field that is not optional', () => {
    expect(errorsOf(Optional, {})).toEqual([{ field: 'nullable', message: 'is missing' }]);
  });

  it('declares optional and nullable fields in the schema', () => {
    const schemas = Object.fromEntries(fieldsOf(Optional).map((field) => [field.name, field]));
    expect(schemas['withDefault']).toMatchObject({ isOptional: true, schema: { default: 20 } });
    expect(schemas['nullable']).toMatchObject({
      isOptional: false,
      schema: { type: ['integer', 'null'] },
    });
    expect(schemas['both']).toMatchObject({ schema: { type: ['string', 'null'], enum: ['a', null] } });
  });
});

class Addressed {
  @Text({ ...described, optional: true })
  imageUrl?: string;
  @Text({ ...described, optional: true, nullable: true })
  note?: string | null;
  @Text({ ...described, optional: true, minLength: 0 })
  label?: string;
  @OneOf(['a'], { ...described, default: 'a' })
  kind: string;
  @Timestamp({ ...described, optional: true })
  until?: string;
  @AnyObject({ ...described, optional: true, maxBytes: 100, maxDepth: 2 })
  metadata?: Record<string, unknown>;
  @Nested(() => Optional, { ...described, optional: true })
  gas?: Optional;
}

class Forms {
  @Integer({ ...described, optional: true })
  count?: number;
  @AmountNumber({ ...described, optional: true, max: 10 })
  price?: number;
  @AnyObject({ ...described, optional: true, maxBytes: 100, maxDepth: 2 })
  extra?: object;
  @IntegerOrText({
    ...described,
    optional: true,
    min: 1,
    max: 9,
    pattern: /^[A-Z]{2}$/,
    message: 'must be one',
  })
  country?: number | string;
  @Flag({ ...described, optional: true })
  isLocal?: boolean;
  @ListOf('string', { ...described, optional: true, maxItems: 2 })
  items?: string[];
}

it('documents the bounds of a free-form object', () => {
  expect(schemaOf(AnyObject({ ...described, maxBytes: 4_096, maxDepth: 5 }))).toMatchObject({
    description: 'A field; at most 4,096 bytes as JSON and 5 levels',
  });
});

describe('decode of input from common clients', () => {
  it('reads an empty text as null for a nullable field that cannot be empty', () => {
    const empty = { imageUrl: '', note: '', label: '', kind: '', until: '' };
    expect(decode(Addressed, empty)).toEqual({ ok: true, value: { note: null, label: '', kind: 'a' } });
    expect(errorsOf(Inner, { count: 1, note: ' ' })).toEqual([]);
    expect(errorsOf(Addressed, { imageUrl: '' }, { fromText: true })).toEqual([
      { field: 'imageUrl', message: 'must not be empty' },
    ]);
  });

  it('reads an empty list as an empty object, but rejects other lists', () => {
    expect(decode(Addressed, { metadata: [] })).toEqual({ ok: true, value: { kind: 'a', metadata: {} } });
    expect(decode(Addressed, [])).toEqual({ ok: true, value: { kind: 'a' } });
    expect(errorsOf(Addressed, { gas: [] })).toEqual([{ field: 'gas.nullable', message: 'is missing' }]);
    expect(errorsOf(Addressed, { metadata: [1] })).toEqual([
      { field: 'metadata', message: 'must be an object' },
    ]);
  });

  it('reads a space in a query as an unencoded plus for a field without spaces', () => {
    const address = Text({ ...described, hasNoSpaces: true });
    expect(read(address, 'EQ a/b ', { fromText: true })).toEqual({ value: 'EQ+a/b+' });
    expect(read(address, 'EQ a', {})).toEqual({ value: 'EQ a' });
    expect(read(Text(described), 'a b', { fromText: true })).toEqual({ value: 'a b' });
  });

  it('reads a space in a query as a plus if the pattern accepts only the plus', () => {
    const token = Text({ ...described, pattern: /^[a-z+/=]+$/ });
    expect(read(token, 'a b ', { fromText: true })).toEqual({ value: 'a+b+' });
    expect(read(token, 'a b', {})).toBe('has an invalid format');
    const spaced = Text({ ...described, pattern: /^[a-z +]+$/ });
    expect(read(spaced, 'a b', { fromText: true })).toEqual({ value: 'a b' });
  });

  it('reads an empty text as an absent number or object, but not as an absent flag or list', () => {
    expect(decode(Forms, { count: '', price: '', extra: '', country: '' })).toEqual({ ok: true, value: {} });
    expect(errorsOf(Forms, { isLocal: '', items: '' })).toEqual([
      { field: 'isLocal', message: 'must be true or false' },
      { field: 'items', message: expect.stringContaining('must') },
    ]);
  });
});

describe('decode of hostile input', () => {
  it.each([['text'], [null], [[1]], [5], [true]])('rejects %p, which is not an object', (input) => {
    expect(errorsOf(Inner, input)).toEqual([{ field: 'body', message: 'must be an object' }]);
  });

  it('reports every invalid field at once', () => {
    expect(errorsOf(Inner, { note: 5, status: 'paid', merchant_id: 'me' })).toEqual([
      { field: 'status', message: 'is not a known field' },
      { field: 'merchant_id', message: 'is not a known field' },
      { field: 'count', message: 'is missing' },
      { field: 'note', message: 'must be a string' },
    ]);
  });

  it('limits the number of errors and the length of names', () => {
    const input = Object.fromEntries(
      Array.from({ length: 5_000 }, (_, index) => [`${index}${'x'.repeat(500)}`, 1]),
    );
    const errors = errorsOf(Inner, input);
    expect(errors).toHaveLength(50);
    expect(errors.every(({ field }) => field.length <= 64)).toBe(true);
  });

  it.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'])(
    'rejects the prototype name %s',
    (name) => {
      const input = JSON.parse(`{"count":1,"${name}":{"isAdmin":true,"note":"polluted"}}`) as object;
      expect(errorsOf(Inner, input)).toEqual([{ field: name, message: 'is not a known field' }]);
      expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
    },
  );

  it('ignores inherited fields', () => {
    const input = Object.create({ count: 1 }) as object;
    expect(errorsOf(Inner, input)).toEqual([{ field: 'count', message: 'is missing' }]);
  });

  it('does not mix values of an invalid input into the next result', () => {
    errorsOf(Inner, { count: 1, note: 5 });
    expect(decode(Inner, { count: 1 })).toEqual({ ok: true, value: { count: 1 } });
  });
});

describe('decode with inherited fields', () => {
  class Base {
    @Text({ ...described, maxLength: 3 })
    name: string;
    @Text(described)
    shared: string;
  }
  class Derived extends Base {
    @Text({ ...described, maxLength: 5 })
    override name: string;
    @Integer(described)
    added: number;
  }

  it('reads the fields of both classes, each once', () => {
    expect(fieldsOf(Derived).map(({ name }) => name)).toEqual(['name', 'shared', 'added']);
    expect(fieldsOf(Base).map(({ name }) => name)).toEqual(['name', 'shared']);
  });

  it('validates a redeclared field by its last declaration', () => {
    expect(errorsOf(Derived, { name: 'abcd', shared: 'k', added: 1 })).toEqual([]);
    expect(errorsOf(Derived, { name: 'abcdef', shared: 'k', added: 1 })).toEqual([
      { field: 'name', message: 'must have at most 5 characters' },
    ]);
    expect(errorsOf(Base, { name: 'abcd', shared: 'k' })).toHaveLength(1);
  });
});

describe('decode with a partial result', () => {
  const partialOf = <T>(source: Class<T>, input: unknown, options?: DecodeOptions) => {
    const decoded = decode(source, input, options);
    return decoded.ok ? 'valid' : decoded.partial;
  };

  class Mixed extends Optional {
    @Text(described)
    name: string;
    @Nested(() => Inner, { ...described, optional: true })
    one?: Inner;
    @ListOf(() => Inner, { ...described, optional: true, maxItems: 100 })
    many?: Inner[];
  }

  it.each<[string, object, object]>([
    ['a missing field', { nullable: 1 }, { nullable: 1, withDefault: 20 }],
    ['a field of the wrong type', { name: 5, nullable: null }, { nullable: null, withDefault: 20 }],
    [
      'a bad field that has a default',
      { name: 'n', withDefault: 'x', nullable: 1 },
      { name: 'n', nullable: 1 },
    ],
    ['an unknown field', { name: 'n', nullable: 1, more: 1 }, { name: 'n', nullable: 1, withDefault: 20 }],
    [
      'an object with a missing field',
      { name: 'n', nullable: 1, one: { note: 'x' } },
      { name: 'n', nullable: 1, withDefault: 20 },
    ],
    [
      'a list with a wrong item',
      { nullable: 1, one: { count: 1 }, many: [{ count: 1 }, { count: 0 }] },
      { nullable: 1, withDefault: 20, one: { count: 1 } },
    ],
  ])('contains the valid fields without %s', (_case, input, left) => {
    expect(partialOf(Mixed, input)).toEqual(left);
  });

  it('omits an invalid list even beyond the limit of reported errors', () => {
    const many = Array.from({ length: 100 }, () => ({ count: 0 }));
    const filled = { ...Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`x${at}`, 1])), many };
    expect(partialOf(Mixed, { name: 'n', nullable: 1, ...filled })).toEqual({
      name: 'n',
      nullable: 1,
      withDefault: 20,
    });
  });

  it.each([['text'], [null], [[1]], [5]])('contains nothing for %p', (input) => {
    expect(partialOf(Mixed, input)).toEqual({});
  });

  it('contains converted values, not the text of a query', () => {
    expect(partialOf(Mixed, { nullable: '5', name: '' }, { fromText: true })).toEqual({
      nullable: 5,
      withDefault: 20,
    });
  });
});

describe('decode with class-validator decorators', () => {
  class Mixed {
    @IsEmail()
    @Text(described)
    email: string;
    @Max(5)
    @Integer(described)
    count: number;
    @IsIn(['red', 'blue'], { each: true, message: 'must be colours' })
    @ListOf('string', { ...described, maxItems: 5 })
    colours: string[];
  }

  it('applies the decorators with their arguments and messages', () => {
    expect(errorsOf(Mixed, { email: 'a@b.example', count: 5, colours: ['red'] })).toEqual([]);
    expect(errorsOf(Mixed, { email: 'x', count: 6, colours: ['red', 'green'] })).toEqual([
      { field: 'email', message: 'must be an email' },
      { field: 'count', message: 'must not be greater than 5' },
      { field: 'colours', message: 'must be colours' },
    ]);
  });

  it('rejects asynchronous validators', () => {
    class Slow {
      @ValidateBy({ name: 'slow', validator: { validate: () => Promise.resolve(true) } })
      @Text(described)
      name: string;
    }
    expect(errorsOf(Slow, { name: 'x' })).toEqual([{ field: 'name', message: 'is not valid' }]);
  });

  it('throws for a decorator without a declared field', () => {
    class Undeclared {
      @IsEmail()
      email: string;
    }
    expect(() => decode(Undeclared, { email: 'a@b.example' })).toThrow(
      'Undeclared.email is checked but not declared as a field',
    );
  });
});

describe('FreeForm', () => {
  it('passes any value unchanged', () => {
    const free = { any: [{ thing: null }] };
    expect(read(FreeForm({ type: 'object' }, described), free)).toEqual({ value: free });
  });
});

describe('AmountNumber with maxDecimals', () => {
  const amount = AmountNumber({ ...described, max: 1_000_000, maxDecimals: 5 });
  it.each([25, 0.00001, 1e6, 10.61, 123_456.78901])('accepts %s', (value) => {
    expect(read(amount, value)).toEqual({ value });
  });

  it.each([
    [1_000_000.01, 'must be 1000000 or less'],
    [0.1 + 0.2, 'must have at most 5 digits after the point'],
    [0.000001, 'must have at most 5 digits after the point'],
    [1e-7, 'must have at most 5 digits after the point'],
  ])('rejects %s', (value, message) => {
    expect(read(amount, value)).toBe(message);
  });

  it('rejects more digits than a double can represent', () => {
    const large = AmountNumber({ ...described, max: 1e15, maxDecimals: 5 });
    expect(read(large, 9_876_543_210.12345)).toEqual({ value: 9_876_543_210.12345 });
    expect(read(large, 98_765_432_101.12345)).toBe(
      'must have at most 15 digits, as many as a number holds exactly',
    );
  });
});
