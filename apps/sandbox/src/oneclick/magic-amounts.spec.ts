import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { magicAmounts, outcomeOf } from './magic-amounts';

it('outcomeOf depends on the last four digits only', () => {
  expect(outcomeOf('10006401')).toBe('noLiquidity');
  expect(outcomeOf('6401')).toBe('noLiquidity');
  expect(outcomeOf('64010')).toBe('normal');
  expect(outcomeOf('1')).toBe('normal');
});

it('matches the table in the README', () => {
  const readme = readFileSync(join(__dirname, '../../README.md'), 'utf8');
  const rows = [...readme.matchAll(/^\| `…(64\d{2})` +\| (.+?) +\|$/gm)].map(([, digits, text]) => [
    digits,
    text,
  ]);
  expect(rows).toEqual(Object.entries(magicAmounts).map(([digits, { meaning }]) => [digits, meaning]));
});
