import { parseFlags, type FlagInfo } from './parse-flags';
import { nearest } from './suggestion';

const flags: FlagInfo[] = [
  { name: 'merchant_amount', value: '<string>', description: '' },
  { name: 'tag', value: '<string>', description: '', isRepeatable: true },
  { name: 'metadata', value: '<json>', description: '' },
  { name: 'open', value: '[true|false]', description: '', isBoolean: true },
  { name: 'scheme', value: '<a|b>', values: ['exact', 'nano'], description: '' },
  { name: 'json', description: '' },
  { name: 'help', description: '' },
];
const read = (line: string, options = {}) => {
  const { positionals, flags: found } = parseFlags(line.split(' ').filter(Boolean), flags, options);
  return { positionals, ...Object.fromEntries(found) };
};

describe('parseFlags', () => {
  it.each([
    ['--merchant-amount 5', { positionals: [], merchant_amount: ['5'] }],
    ['--merchantAmount=5', { positionals: [], merchant_amount: ['5'] }],
    ['--merchant_amount -5 x', { positionals: ['x'], merchant_amount: ['-5'] }],
    ['--tag a --tag b', { positionals: [], tag: ['a', 'b'] }],
    ['--json x -- --json -y', { positionals: ['x', '--json', '-y'], json: ['true'] }],
    ['--open --json', { positionals: [], open: ['true'], json: ['true'] }],
    ['--open false x', { positionals: ['x'], open: ['false'] }],
    ['- -5 0x1', { positionals: ['-', '-5', '0x1'] }],
    ['-h', { positionals: [], help: ['true'] }],
    ['--merchant-amount=a=b', { positionals: [], merchant_amount: ['a=b'] }],
  ])('reads %s', (line, wanted) => {
    expect(read(line)).toEqual(wanted);
  });

  it('reads members of fields only with allowsPaths', () => {
    expect(read('--metadata.cart.id 7', { allowsPaths: true })).toEqual({
      positionals: [],
      'metadata.cart.id': ['7'],
    });
    expect(() => read('--metadata.cart 7')).toThrow('Unknown option --metadata.cart.');
  });

  it.each([
    ['--merchant-amont 5', 'Unknown option --merchant-amont.'],
    ['--merchant-amount', '--merchant-amount needs a value: <string>.'],
    ['--merchant-amount 5 --merchantAmount 6', '--merchant_amount is set twice.'],
    ['--json=maybe', '--json takes no value.'],
    ['--scheme exat', '--scheme cannot be exat.'],
    ['--constructor x', 'Unknown option --constructor.'],
  ])('rejects %s', (line, message) => {
    expect(() => read(line)).toThrow(message);
  });

  it('suggests the nearest option', () => {
    expect.assertions(2);
    for (const line of ['--merchant-amont 5', '--scheme exat'])
      try {
        read(line);
      } catch (error) {
        expect((error as { hint: string }).hint).toMatch(/^Did you mean (--merchant-amount|exact)\?$/);
      }
  });
});

describe('nearest', () => {
  it.each([
    ['oders', 'orders'],
    ['lsiten', 'listen'],
    ['Listen', 'listen'],
    ['webhook', undefined],
    ['', undefined],
  ])('finds for %j the nearest word %j', (given, wanted) => {
    expect(nearest(given, ['orders', 'listen', 'pay'])).toBe(wanted);
  });
});
