import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { magicAmounts, outcomeOf } from './magic-amounts';
import { isLuhnValid, testBins, testCardNumber } from './test-number';

describe('Test card number', () => {
  it.each(Object.values(testBins))('creates valid numbers that begin with %s', (bin) => {
    for (let id = 0; id < 200; id++) {
      const { number, cvv } = testCardNumber(bin, String(id));
      expect(number).toMatch(new RegExp(`^${bin}\\d{10}$`));
      expect(isLuhnValid(number)).toBe(true);
      expect(cvv).toMatch(/^\d{3}$/);
    }
  });

  it('derives the number from the card id, so that it never changes', () => {
    expect(testCardNumber('411111', 'a')).toEqual(testCardNumber('411111', 'a'));
    expect(testCardNumber('411111', 'a')).not.toEqual(testCardNumber('411111', 'b'));
    expect(testCardNumber('411111', 'a').number.slice(6)).not.toBe(
      testCardNumber('424242', 'a').number.slice(6),
    );
  });

  it('accepts only a valid check digit', () => {
    for (const number of ['4111111111111111', '4242424242424242', '378282246310005'])
      expect(isLuhnValid(number)).toBe(true);
    for (const number of ['4111111111111112', '4242424242424224', '', '0'])
      expect(isLuhnValid(number)).toBe(false);
  });
});

describe('Magic amounts of cards', () => {
  it('select an outcome by the cents only', () => {
    expect(outcomeOf(2_571)).toBe('declined');
    expect(outcomeOf(99_972)).toBe('outOfFunds');
    expect(outcomeOf(7_100)).toBe('normal');
    expect(outcomeOf(2_500)).toBe('normal');
  });

  it('matches the table in the README', () => {
    const readme = readFileSync(join(__dirname, '../../README.md'), 'utf8');
    const own = readme.slice(readme.indexOf('At Lithic and Laso'));
    const rows = [...own.matchAll(/^\| `…\.(7\d)` +\| (.+?) +\|$/gm)].map(([, cents, text]) => [cents, text]);
    expect(rows).toEqual(Object.entries(magicAmounts).map(([cents, { meaning }]) => [cents, meaning]));
  });
});
