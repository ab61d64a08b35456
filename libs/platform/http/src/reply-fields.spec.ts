import {
  parseExactJson,
  readAmount,
  readAmountNumber,
  readBoolean,
  readCount,
  readFields,
  readList,
  readOptional,
  readText,
  readTextLike,
  UnreadableReply,
} from './reply-fields';

type Read = (value: unknown, path: string) => unknown;

const limited =
  (read: (value: unknown, path: string, max: never) => unknown, max: unknown): Read =>
  (value, path) =>
    read(value, path, max as never);
const digits: Read = (value, path) => readTextLike(value, path, /^\d+$/, 'a row of digits');

describe('a reader', () => {
  it.each<[string, Read, unknown, unknown]>([
    ['an object', readFields, { a: 1 }, { a: 1 }],
    ['a list', readList, [1, null], [1, null]],
    ['a list at its limit', limited(readList, 2), [1, 2], [1, 2]],
    ['a string', readText, '', ''],
    ['a string at its limit', limited(readText, 2), 'ab', 'ab'],
    ['a string of a form', digits, '012', '012'],
    ['a boolean', readBoolean, false, false],
    ['a count', readCount, 0, 0],
    ['the largest count', readCount, 2 ** 53 - 1, 2 ** 53 - 1],
    ['a count of exact JSON', readCount, 80n, 80],
    ['a count at its limit', limited(readCount, 5), 5n, 5],
    ['an amount', readAmount, '18446744073709551616', 2n ** 64n],
    ['the largest amount', readAmount, String(2n ** 256n - 1n), 2n ** 256n - 1n],
    ['an amount at its limit', limited(readAmount, 7n), '7', 7n],
    ['an amount of exact JSON', readAmountNumber, 2n ** 64n, 2n ** 64n],
    ['an amount of exact JSON at its limit', limited(readAmountNumber, 7n), 7n, 7n],
  ])('returns %s', (_name, read, value, result) => {
    expect(read(value, 'a.b')).toEqual(result);
  });

  it.each<[string, Read, unknown[]]>([
    ['a.b is not an object', readFields, [undefined, null, [], 'x', 5, 5n, true]],
    ['a.b is not a list', readList, [undefined, null, {}, 'x', { length: 0 }]],
    ['a.b is not a list of at most 2', limited(readList, 2), [[1, 2, 3], null]],
    ['a.b is not a string', readText, [undefined, null, 5, 5n, ['x'], {}]],
    ['a.b is not a string of at most 2 characters', limited(readText, 2), ['abc', null]],
    ['a.b is not a row of digits', digits, ['', '1a', '1\n', ' 1', 1, ['1'], null, undefined]],
    ['a.b is not a boolean', readBoolean, [undefined, null, 'true', 1, 0]],
    [
      'a.b is not a whole number',
      readCount,
      [undefined, null, '5', -1, -1n, 1.5, NaN, Infinity, 2 ** 53, 2n ** 53n, [5], true],
    ],
    ['a.b is not a whole number from 0 to 5', limited(readCount, 5), [6, 6n, 2n ** 60n, -1]],
    [
      'a.b is not an amount',
      readAmount,
      [undefined, null, '', '-1', '+1', '01', '1.0', '0x1', ' 1', '1\n', 5, 5n, ['5'], String(2n ** 256n)],
    ],
    ['a.b is not an amount', limited(readAmount, 7n), ['8', '-0', 7]],
    ['a.b is not an amount', readAmountNumber, [undefined, null, 5, '5', -1n, 2n ** 256n, [5n]]],
    ['a.b is not an amount', limited(readAmountNumber, 7n), [8n, 7]],
  ])('throws "%s" and never quotes the value', (message, read, values) => {
    for (const value of values) expect(() => read(value, 'a.b')).toThrow(new UnreadableReply(message));
  });

  it('returns null for an optional field that is null or missing', () => {
    expect(readOptional(null, 'a.b', readText)).toBeNull();
    expect(readOptional(undefined, 'a.b', readText)).toBeNull();
    expect(readOptional('', 'a.b', readText)).toBe('');
    expect(() => readOptional(false, 'a.b', readText)).toThrow('a.b is not a string');
  });
});

describe('parseExactJson', () => {
  it('keeps whole numbers above 2^53 exact', () => {
    expect(parseExactJson('{"lamports": 18446744073709551615, "list": [0, -1, 9007199254740993]}')).toEqual({
      lamports: 2n ** 64n - 1n,
      list: [0n, -1n, 2n ** 53n + 1n],
    });
  });

  it('returns fractions as numbers', () => {
    expect(parseExactJson('[1.5, 2e3]')).toEqual([1.5, 2000]);
  });

  it.each(['', '{', '[1,]', 'x', '1 2', '{"a":1,"a":2}'])('throws for %j', (text) => {
    expect(() => parseExactJson(text)).toThrow();
  });
});
