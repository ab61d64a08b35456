import { DomainError } from '@tollbridge/rpc';
import { feesOf, maxWeiPerGas, validateGasSettings, rejectOutbid } from './gas-fees';

const price = { baseFeePerGas: 10n, tipPerGas: 2n };
const beforeEip1559 = { baseFeePerGas: null, tipPerGas: 7n };
const thrown = (work: () => unknown): DomainError => {
  try {
    work();
  } catch (error) {
    return error as DomainError;
  }
  throw new Error('nothing was thrown');
};

it.each([
  ['nothing', undefined, { isLegacy: false, maxFeePerGas: 22n, maxPriorityFeePerGas: 2n }],
  ['a fee', { maxFeePerGas: '15' }, { isLegacy: false, maxFeePerGas: 15n, maxPriorityFeePerGas: 2n }],
  [
    'a fee below base and tip',
    { maxFeePerGas: '10' },
    { isLegacy: false, maxFeePerGas: 10n, maxPriorityFeePerGas: 2n },
  ],
  ['a tip', { maxPriorityFeePerGas: '5' }, { isLegacy: false, maxFeePerGas: 25n, maxPriorityFeePerGas: 5n }],
  ['no tip', { maxPriorityFeePerGas: '0' }, { isLegacy: false, maxFeePerGas: 20n, maxPriorityFeePerGas: 0n }],
  [
    'a gas price beside a fee',
    { gasPrice: '12', maxFeePerGas: '15' },
    { isLegacy: false, maxFeePerGas: 15n, maxPriorityFeePerGas: 2n },
  ],
  [
    'a gas price beside a tip',
    { gasPrice: '12', maxPriorityFeePerGas: '5' },
    { isLegacy: false, maxFeePerGas: 25n, maxPriorityFeePerGas: 5n },
  ],
  ['a gas price', { gasPrice: '12' }, { isLegacy: true, maxFeePerGas: 12n, maxPriorityFeePerGas: 12n }],
])('offers the fees with %s set', (_name, settings, fees) => {
  expect(feesOf(settings, price)).toEqual(fees);
});

it('offers the gas price on a chain without EIP-1559', () => {
  expect(feesOf(undefined, beforeEip1559)).toEqual({
    isLegacy: true,
    maxFeePerGas: 7n,
    maxPriorityFeePerGas: 7n,
  });
});

it.each([
  ['a gas price beside the fees', { gasPrice: '12', maxFeePerGas: '15', maxPriorityFeePerGas: '1' }, 12n],
  ['a fee alone', { maxFeePerGas: '15' }, 15n],
])('offers %s on a chain without EIP-1559', (_name, settings, wei) => {
  expect(feesOf(settings, beforeEip1559)).toEqual({
    isLegacy: true,
    maxFeePerGas: wei,
    maxPriorityFeePerGas: wei,
  });
});

it.each([
  ['maxFeePerGas', { maxFeePerGas: '9' }],
  ['gasPrice', { gasPrice: '9' }],
])('rejects %s below the base fee, with both figures', (name, settings) => {
  const error = thrown(() => feesOf(settings, price));
  expect(error).toMatchObject({
    code: 'GAS_LIMIT_EXCEEDED',
    message: `The fee is too low: the chain asks for 10 wei per gas and ${name} is 9. Build again with a higher fee.`,
    details: { [name]: '9', baseFeePerGas: '10' },
  });
});

it.each([
  ['maxFeePerGas', { maxFeePerGas: '10', maxPriorityFeePerGas: '0' }],
  ['gasPrice', { gasPrice: '10' }],
])('accepts %s equal to the base fee', (_name, settings) => {
  expect(feesOf(settings, price).maxFeePerGas).toBe(10n);
});

it("limits the chain's tip to the caller's maximum fee", () => {
  expect(feesOf({ maxFeePerGas: '15' }, { baseFeePerGas: 10n, tipPerGas: 16n })).toEqual({
    isLegacy: false,
    maxFeePerGas: 15n,
    maxPriorityFeePerGas: 15n,
  });
});

it('rejects a built transaction with an offer below the base fee', () => {
  const fees = feesOf(undefined, price);
  expect(() => rejectOutbid(fees, { baseFeePerGas: 22n, tipPerGas: 2n })).not.toThrow();
  const error = thrown(() => rejectOutbid(fees, { baseFeePerGas: 23n, tipPerGas: 2n }));
  expect(error).toMatchObject({
    code: 'GAS_LIMIT_EXCEEDED',
    details: { maxFeePerGas: '22', baseFeePerGas: '23' },
  });
});

it('rejects a built legacy transaction by its gas price, and none on a chain without a base fee', () => {
  const fees = feesOf(undefined, beforeEip1559);
  const error = thrown(() => rejectOutbid(fees, { baseFeePerGas: 8n, tipPerGas: 2n }));
  expect(error.details).toEqual({ gasPrice: '7', baseFeePerGas: '8' });
  expect(() => rejectOutbid(fees, beforeEip1559)).not.toThrow();
});

it.each(['maxFeePerGas', 'maxPriorityFeePerGas', 'gasPrice'])(
  'accepts %s alone up to the bound and rejects one wei more',
  (name) => {
    expect(validateGasSettings({ [name]: String(maxWeiPerGas) })).toEqual([]);
    expect(validateGasSettings({ [name]: String(maxWeiPerGas + 1n) })).toEqual([
      { field: `gasSettings.${name}`, message: 'must be at most 100000000000000 wei' },
    ]);
  },
);

it('lists all contradictory settings', () => {
  const tooMuch = String(maxWeiPerGas + 1n);
  expect(
    validateGasSettings({ gasPrice: tooMuch, maxFeePerGas: '1', maxPriorityFeePerGas: '2' }),
  ).toMatchObject([
    { field: 'gasSettings.gasPrice', message: expect.stringContaining('at most') },
    { field: 'gasSettings.maxPriorityFeePerGas', message: expect.stringContaining('above maxFeePerGas') },
  ]);
  expect(validateGasSettings(undefined)).toEqual([]);
  expect(validateGasSettings({ gasLimit: '1', maxFeePerGas: '2', maxPriorityFeePerGas: '2' })).toEqual([]);
});
