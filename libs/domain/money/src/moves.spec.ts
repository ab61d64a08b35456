import { hasMoved } from '.';

it.each([
  ['100', '110', false],
  ['100', '110.0000001', true],
  ['100', '90', false],
  ['100', '89.9999999', true],
  ['0.00000001', '0.000000011', false],
  ['0.00000001', '0.0000000111', true],
])('hasMoved compares %s and %s with a bound of 10 %%: %s', (from, to, isAbove) => {
  expect(hasMoved(from, to, 1_000)).toBe(isAbove);
});
