import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { magicAmounts, outcomeOf } from './magic-amounts';

it('outcomeOf depends on the last four digits only', () => {
  expect(outcomeOf(10_006_501n)).toBe('tooLow');
  expect(outcomeOf(6_501n)).toBe('tooLow');
  expect(outcomeOf(65_010n)).toBe('normal');
  expect(outcomeOf(1n)).toBe('normal');
});

it('matches the table in the README', () => {
  const readme = readFileSync(join(__dirname, '../../README.md'), 'utf8');
  const rows = [...readme.matchAll(/^\| `…(65\d{2})` +\| (.+?) +\|$/gm)].map(([, digits, text]) => [
    digits,
    text,
  ]);
  expect(rows).toEqual(Object.entries(magicAmounts).map(([digits, { meaning }]) => [digits, meaning]));
});
