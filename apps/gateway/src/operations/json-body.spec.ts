import { DomainError } from '@tollbridge/rpc';
import { processorMsOf } from '@tollbridge/testing';
import fc from 'fast-check';
import { readJsonObject } from './json-body';

const read = (text: string): unknown => readJsonObject(Buffer.from(text));

function rejectionOf(body: string | Buffer): DomainError {
  try {
    readJsonObject(Buffer.from(body));
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  throw new Error(`accepted: ${body.toString().slice(0, 100)}`);
}

const nested = (depth: number, open: string, close: string): string =>
  `{"a":${open.repeat(depth - 1)}${close.repeat(depth - 1)}}`;

describe('readJsonObject', () => {
  it('reads an object', () => {
    expect(read(' {"a":[1,-2.5,"x",null,true],"b":{"a":"\\u00e9\\n"}} ')).toEqual({
      a: [1, -2.5, 'x', null, true],
      b: { a: 'é\n' },
    });
  });

  it('equals JSON.parse for every JSON object', () => {
    const json = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue({ stringUnit: 'grapheme' }));
    fc.assert(
      fc.property(json, fc.constantFrom(0, 2, '\t'), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        // NUL is the only JSON character that this reader rejects.
        fc.pre(!text.includes('\\u0000'));
        expect(read(text)).toEqual(JSON.parse(text));
      }),
      { numRuns: 500 },
    );
  });

  it('accepts no text that JSON.parse rejects or parses differently', () => {
    const pieces = [
      '{',
      '}',
      '[',
      ']',
      ':',
      ',',
      '"a"',
      '"',
      '\\',
      '1',
      '-',
      'e9',
      '0.5',
      'null',
      ' ',
      '\\u0061',
    ];
    const text = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, (given) => {
        let value: unknown;
        try {
          value = read(given);
        } catch (error) {
          expect(error).toBeInstanceOf(DomainError);
          return;
        }
        const parsed: unknown = JSON.parse(given);
        // An empty list counts as an empty object.
        expect(value).toEqual(Array.isArray(parsed) && parsed.length === 0 ? {} : parsed);
      }),
      { numRuns: 3_000 },
    );
  });

  it.each([
    '',
    ' ',
    '{',
    '{"a":1',
    '{"a":1}}',
    "{'a':1}",
    '{"a":01}',
    '{"a":1.}',
    '{"a":NaN}',
    ' \ufeff{}',
    '{}\ufeff',
    '{"a":"\\x"}',
  ])('rejects %j, which is not JSON', (text) => {
    expect(rejectionOf(text)).toMatchObject({ code: 'MALFORMED_JSON', status: 400 });
  });

  it.each(['[[]]', '[{}]', 'null', '1', '"{}"', 'true'])('rejects %s, which is not an object', (text) => {
    expect(rejectionOf(text)).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ field: 'body', message: 'must be a JSON object' }],
    });
  });

  it.each(['\ufeff{"a":1}', '\ufeff[]', '[]', ' [ ] '])('accepts %j of common clients', (text) => {
    expect(readJsonObject(Buffer.from(text))).toEqual(text.includes('a') ? { a: 1 } : {});
  });

  it.each([
    ['a lone continuation byte', [0x80]],
    ['an overlong slash', [0xc0, 0xaf]],
    ['half a surrogate pair', [0xed, 0xa0, 0x80]],
    ['a truncated character', [0xe2, 0x82]],
    ['UTF-16', [0xff, 0xfe]],
  ])('rejects %s, which is not UTF-8', (_name, bytes) => {
    const body = Buffer.concat([Buffer.from('{"a":"'), Buffer.from(bytes), Buffer.from('"}')]);
    expect(rejectionOf(body)).toMatchObject({
      code: 'MALFORMED_JSON',
      message: 'The body is not valid UTF-8. Encode it as UTF-8.',
    });
  });

  it.each([
    ['{"a":1,"a":1}', '"a"'],
    ['{"a":1,"\\u0061":2}', '"a"'],
    ['{"\\u00e9":1,"é":2}', '"é"'],
    ['{"\\ud83d\\ude00":1,"😀":2}', '"😀"'],
    ['{"a\\/b":1,"a/b":2}', '"a/b"'],
    ['{"":1,"":2}', '""'],
    ['{"__proto__":1,"__proto__":2}', '"__proto__"'],
    ['{"x":{"y":[1,{"deep":1 , "deep":2}]}}', '"deep"'],
    ['{"a":{"b":1},"c":"}","a":2}', '"a"'],
    ['{"a":"\\\\\\"","b":1,"a":2}', '"a"'],
  ])('rejects a duplicate key: %s', (text, key) => {
    expect(rejectionOf(text)).toMatchObject({
      code: 'MALFORMED_JSON',
      message: `The key ${key} appears twice in one object. Remove one of the two.`,
    });
  });

  it.each([
    '{"a":{"a":{"a":1}},"b":{"a":1}}',
    '{"a":["a","a"],"b":"a"}',
    '{"a":"{\\"a\\":1,\\"a\\":2}"}',
    '{"A":1,"a":2}',
  ])('accepts the same name in different objects: %s', (text) => {
    expect(read(text)).toEqual(JSON.parse(text));
  });

  it('reads __proto__ as a plain key', () => {
    const value = read('{"__proto__":{"isAdmin":true}}') as Record<string, unknown>;
    expect(Object.keys(value)).toEqual(['__proto__']);
    expect(value['isAdmin']).toBeUndefined();
  });

  it('accepts 32 levels and rejects 33', () => {
    expect(read(nested(32, '[', ']'))).toHaveProperty('a');
    expect(rejectionOf(nested(33, '[', ']')).message).toBe(
      'The body is nested deeper than 32 levels. Send a flatter object.',
    );
    expect(rejectionOf(nested(33, '{"a":', '')).message).toBe(
      'The body is nested deeper than 32 levels. Send a flatter object.',
    );
    expect(rejectionOf('['.repeat(10_000)).message).toBe(
      'The body is nested deeper than 32 levels. Send a flatter object.',
    );
    expect(read(`{"a":[${'[],'.repeat(1_000)}[]]}`)).toHaveProperty('a.1000', []);
  });

  it.each([
    '9007199254740993',
    '-9007199254740993',
    '1e309',
    '-1e999999',
    '1e-400',
    '0.1234567890123456789',
    '12345678901234567890',
  ])('rejects the number %s, which a double cannot represent', (literal) => {
    const { code, message } = rejectionOf(`{"a":[${literal}]}`);
    expect(code).toBe('MALFORMED_JSON');
    expect(message).toBe(`The number ${literal} cannot be stored exactly. Send it as a string.`);
  });

  it.each([
    '0',
    '-0',
    '1.50',
    '1e2',
    '1E+2',
    '0.1e1',
    '-0.10e1',
    '9007199254740992',
    '0.30000000000000004',
    '1e308',
    '5e-324',
    '0e999',
  ])('accepts the number %s', (literal) => {
    expect(read(`{"a":${literal}}`)).toEqual(JSON.parse(`{"a":${literal}}`));
  });

  it("accepts every finite number in JavaScript's format", () => {
    const finite = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(finite, (number) => {
        expect(read(JSON.stringify({ a: number }))).toEqual({ a: Object.is(number, -0) ? 0 : number });
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    '{"a":"\\ud800"}',
    '{"a":"\\udc00\\ud800"}',
    '{"\\ud83d":1}',
    '{"a":"x\\u0000y"}',
    '{"\\u0000":1}',
  ])('rejects %s, which no text column can store', (text) => {
    expect(rejectionOf(text).message).toMatch(/NUL character or an unpaired surrogate/);
  });

  it('reads the largest hostile body in linear time', () => {
    const size = 256 * 1024;
    const fill = (piece: (index: number) => string, separator: string): string => {
      const parts: string[] = [];
      for (let length = 0; length < size - 64; length += parts.at(-1)!.length + separator.length)
        parts.push(piece(parts.length));
      return parts.join(separator);
    };
    const hostile = {
      'many keys': `{${fill((index) => `"${index}":1`, ',')}}`,
      'keys that share the low bits': `{${fill((index) => `"${index * 65_536}":1`, ',')}}`,
      'escaped keys': `{${fill((index) => `"\\u0061${index}":1`, ',')}}`,
      'one long key': `{"${'k'.repeat(size - 64)}":1}`,
      backslashes: `{"a":"${'\\\\'.repeat(size / 2 - 16)}"}`,
      'an open string': `{"a":"${'x'.repeat(size - 16)}`,
      'many open strings': `{${'"\\'.repeat(size / 2 - 8)}`,
      'one long number': `{"a":1${'0'.repeat(size - 32)}1}`,
      'numbers with exponents': `{"a":[${fill(() => '1.5e10', ',')}]}`,
      'brackets that open and close': `{"a":[${fill(() => '[]', ',')}]}`,
      commas: `{${','.repeat(size - 8)}`,
      signs: `{"a":${'-'.repeat(size - 8)}`,
    };
    for (const [name, text] of Object.entries(hostile)) {
      const tookMs = processorMsOf(() => {
        try {
          read(text);
        } catch (error) {
          if (!(error instanceof DomainError)) throw error;
        }
      });
      // A quadratic reader needs seconds for each body, this one a few tens of milliseconds on a slow machine.
      expect([name, tookMs < 1_000]).toEqual([name, true]);
    }
  });
});
