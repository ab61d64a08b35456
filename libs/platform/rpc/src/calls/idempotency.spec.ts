import { callContext } from './call-context';
import {
  digestOfInput,
  idempotencyKeyForm,
  idempotencyKeyOf,
  withDerivedKey,
  type Claim,
} from './idempotency';

describe('idempotencyKeyForm', () => {
  it.each(['a', '!', '~', '"5f0c1a52"', 'x'.repeat(255)])('accepts %s', (text) => {
    expect(idempotencyKeyForm.test(text)).toBe(true);
  });

  it.each(['', ' ', 'a b', 'a, a', 'é', 'a\n', '\t', 'a\0', 'x'.repeat(256)])('rejects %j', (text) => {
    expect(idempotencyKeyForm.test(text)).toBe(false);
  });
});

describe('idempotencyKeyOf', () => {
  it('returns the same opaque key for the same caller and text, in a form that fits a header', () => {
    const key = idempotencyKeyOf('key:1', 'order-1');
    expect(idempotencyKeyOf('key:1', 'order-1')).toBe(key);
    expect(key).toMatch(/^[A-Za-z0-9_-]{43}$/);
  });

  it.each([
    ['another caller', 'key:2', 'order-1'],
    ['another text', 'key:1', 'order-2'],
    ['another split between caller and text', 'key:1order', '-1'],
    ['a separator within', 'key:1","order', '1'],
  ])('returns another key for %s', (_case, caller, text) => {
    expect(idempotencyKeyOf(caller, text)).not.toBe(idempotencyKeyOf('key:1', 'order-1'));
  });
});

describe('digestOfInput', () => {
  const digest = (json: string, key = 'k') => digestOfInput(key, JSON.parse(json)).toString('hex');

  it.each([
    ['{"a":1,"b":{"c":2,"d":[1]}}', '{"b":{"d":[1],"c":2},"a":1}'],
    ['{"10":1,"9":2,"b":3}', '{"b":3,"9":2,"10":1}'],
    ['{"n":1.0}', '{"n":1}'],
    ['{"é":"\\u00e9"}', '{"\\u00e9":"é"}'],
  ])('returns equal digests for %s and %s', (one, other) => {
    expect(digest(one)).toBe(digest(other));
  });

  it.each([
    ['{"a":1}', '{"a":"1"}'],
    ['{"a":null}', '{}'],
    ['{"a":[]}', '{"a":{}}'],
    ['[["a",1]]', '{"a":1}'],
    ['{"fields":[["a",1]]}', '{"a":1}'],
    ['[1,2]', '[2,1]'],
    ['{"__proto__":{"a":1}}', '{"__proto__":{"a":2}}'],
    ['{"__proto__":{"a":1}}', '{}'],
    ['"9007199254740993"', '"9007199254740992"'],
  ])('returns different digests for %s and %s', (one, other) => {
    expect(digest(one)).not.toBe(digest(other));
  });

  it('ignores undefined fields', () => {
    class Sale {
      good = 'tea';
      count: number | undefined = undefined;
    }
    expect(digestOfInput('k', new Sale())).toEqual(digestOfInput('k', { good: 'tea' }));
  });

  it('depends on the key', () => {
    expect(digest('{}', 'one')).not.toBe(digest('{}', 'two'));
  });
});

describe('withDerivedKey', () => {
  const plain = callContext({ principal: 'key:1:0xowner' });
  const serving = (idempotencyKey: string) => ({ ...plain, claim: { idempotencyKey } as Claim });

  it('derives a stable key for each purpose', () => {
    const [first, again] = [withDerivedKey(serving('one'), 'order'), withDerivedKey(serving('one'), 'order')];
    expect(first).toEqual(again);
    expect(first).toEqual({ ...plain, idempotencyKey: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/) });
    const others = [withDerivedKey(serving('one'), 'refund'), withDerivedKey(serving('two'), 'order')];
    expect(new Set([first, ...others].map(({ idempotencyKey }) => idempotencyKey)).size).toBe(3);
  });

  it('derives no key from a call without a key', () => {
    expect(withDerivedKey(plain, 'order')).toEqual(plain);
  });
});
