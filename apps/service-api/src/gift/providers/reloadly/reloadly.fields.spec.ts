import { UnreadableReply } from '@tollbridge/http';
import { parse } from 'lossless-json';
import {
  decimalOf,
  integerOf,
  optionalDecimal,
  optionalText,
  secretOf,
  statusOf,
  timeOf,
} from './reloadly.fields';

const number = (text: string) => (parse(`{"n":${text}}`) as { n: unknown }).n;

describe('decimalOf and integerOf', () => {
  it.each([
    ['0.19785', '0.19785'],
    ['3.8E-5', '0.000038'],
    ['1E+3', '1000'],
    ['1.5e2', '150'],
    ['12.340e1', '123.4'],
    ['0', '0'],
    ['0.0', '0'],
    ['10.00', '10'],
    ['1500', '1500'],
    ['1.0865412345678901234', '1.0865412345678901234'],
    ['"25.5"', '25.5'],
  ])('reads %s as %s', (written, text) => {
    expect(decimalOf(number(written), 'n').text).toBe(text);
  });

  it.each(['-1', '1e99', '1e-40', '"1,5"', '"x"', 'true', '{}', '[]', '"-0"'])(
    'rejects the number %s',
    (written) => {
      expect(() => optionalDecimal(number(written), 'n')).toThrow(UnreadableReply);
    },
  );

  it('reads an absent number as null, and rejects a required one', () => {
    expect([optionalDecimal(null, 'n'), optionalDecimal(undefined, 'n')]).toEqual([null, null]);
    expect(() => decimalOf(null, 'n')).toThrow('n does not match the protocol');
  });

  it.each([
    ['17', 17],
    ['"17"', 17],
    ['9007199254740991', 9_007_199_254_740_991],
  ])('reads the id %s', (written, id) => expect(integerOf(number(written), 'n')).toBe(id));

  it.each(['1.5', '-1', '9007199254740993', '01x', 'null', '""'])('rejects the id %s', (written) => {
    const value = written === '01x' ? '01x' : number(written);
    expect(() => integerOf(value, 'n')).toThrow(UnreadableReply);
  });
});

describe('timeOf', () => {
  it.each([
    ['2026-03-01 10:20:30', '2026-03-01T10:20:30.000Z'],
    ['2026-03-01T10:20:30Z', '2026-03-01T10:20:30.000Z'],
    ['2026-03-01T10:20:30.5', '2026-03-01T10:20:30.500Z'],
    ['2026-03-01T10:20:30-04:00', '2026-03-01T14:20:30.000Z'],
  ])('reads %s', (written, iso) => expect(timeOf(written, 't')).toBe(iso));

  it.each(['', 'yesterday', '2026-13-01 10:20:30', 17, null])('rejects %j', (written) => {
    expect(() => timeOf(written, 't')).toThrow(UnreadableReply);
  });
});

describe('optionalText and secretOf', () => {
  it('shortens text and removes line breaks', () => {
    expect(optionalText('a\r\nb')).toBe('a  b');
    expect(optionalText('x'.repeat(300))).toHaveLength(256);
    expect([optionalText('  '), optionalText(7), optionalText(null)]).toEqual([null, null, null]);
  });

  it('returns a code unchanged, or rejects it', () => {
    expect(secretOf('1234 5678', 'code')).toBe('1234 5678');
    expect(secretOf(number('00'.replace('00', '12345678901234567890')), 'code')).toBe('12345678901234567890');
    expect([secretOf(null, 'code'), secretOf('', 'code')]).toEqual([null, null]);
    for (const value of ['x'.repeat(513), 'a\nb', {}, true])
      expect(() => secretOf(value, 'code')).toThrow(UnreadableReply);
  });
});

describe('statusOf', () => {
  it.each([
    ['SUCCESSFUL', 'completed'],
    ['REFUNDED', 'refunded'],
    ['FAILED', 'failed'],
    ['PROCESSING', 'pending'],
    ['toString', 'pending'],
    [null, 'pending'],
  ])('maps %s to %s', (status, expected) => expect(statusOf(status)).toBe(expected));
});
