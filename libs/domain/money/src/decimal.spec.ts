import { decimalText, isDecimalText } from './decimal';

it.each([
  [1, '1'],
  [0, '0'],
  [1.5, '1.5'],
  [96_500.25, '96500.25'],
  [6.2e-7, '0.00000062'],
  [1e21, '1000000000000000000000'],
])('writes %p as %s', (value, text) => {
  expect(decimalText(value)).toBe(text);
});

it.each([[Number.NaN], [Number.POSITIVE_INFINITY], [-1], ['1'], [null], [undefined], [1e40]])(
  'finds no decimal in %p',
  (value) => expect(decimalText(value)).toBeUndefined(),
);

it.each(['', '.5', '1.', '01', '-1', '+1', '1e3', ' 1', '1,000'])('refuses the text %j', (text) => {
  expect(isDecimalText(text)).toBe(false);
});
