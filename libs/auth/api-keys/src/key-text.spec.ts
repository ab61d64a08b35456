import { digestOfKey, isSessionText, modeOf, newKeyText, readKeyText } from '.';

const modes = ['test', 'live'] as const;
const kinds = ['publishable', 'secret', 'session'] as const;
const marks = { publishable: 'pk', secret: 'sk', session: 'ws' };
const every = modes.flatMap((mode) => kinds.map((kind) => [mode, kind] as const));

describe('readKeyText', () => {
  it.each(every)('returns the mode and kind of a new key: %s %s', (mode, kind) => {
    const key = newKeyText(mode, kind);
    expect(key).toMatch(/^tb_(test|live)_(pk|sk|ws)_[0-9A-Za-z]{39}$/);
    expect(key.startsWith(`tb_${mode}_${marks[kind]}_`)).toBe(true);
    expect(readKeyText(key)).toEqual({ mode, kind });
    expect(isSessionText(key)).toBe(kind === 'session');
  });

  it('newKeyText never repeats a key', () => {
    expect(new Set(Array.from({ length: 1_000 }, () => newKeyText('test', 'secret'))).size).toBe(1_000);
  });

  it('rejects a key with a changed, missing, added or swapped character', () => {
    const key = newKeyText('live', 'secret');
    for (let at = 0; at < key.length; at++) {
      const other = key[at] === 'a' ? 'b' : 'a';
      expect(readKeyText(key.slice(0, at) + other + key.slice(at + 1))).toBeUndefined();
      expect(readKeyText(key.slice(0, at) + key.slice(at + 1))).toBeUndefined();
      expect(readKeyText(key.slice(0, at) + other + key.slice(at))).toBeUndefined();
    }
    const swapped = [...key];
    const at = swapped.findIndex((letter, index) => index > 12 && letter !== swapped[index + 1]);
    [swapped[at], swapped[at + 1]] = [swapped[at + 1]!, swapped[at]!];
    expect(readKeyText(swapped.join(''))).toBeUndefined();
  });

  it.each([
    '',
    ' ',
    'tb_test_sk_',
    'TB_TEST_SK_',
    'sk_test_1234',
    `${newKeyText('test', 'secret')}\n`,
    ` ${newKeyText('test', 'secret')}`,
    newKeyText('test', 'secret').toUpperCase(),
    newKeyText('test', 'secret').replace('sk', 'pk'),
    newKeyText('test', 'secret').replace('test', 'live'),
    newKeyText('test', 'secret').replace('t', 'ｔ'),
    newKeyText('test', 'secret').repeat(300),
    '\u0000',
  ])('rejects %j', (text) => {
    expect(readKeyText(text)).toBeUndefined();
  });
});

it('digestOfKey returns the SHA-256 digest in hexadecimal', () => {
  expect(digestOfKey('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

it.each([
  ['sandbox', 'test'],
  ['test', 'test'],
  ['production', 'live'],
] as const)('modeOf maps the environment %s to the mode %s', (environment, mode) => {
  expect(modeOf(environment)).toBe(mode);
});
