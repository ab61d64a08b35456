import { UnreadableReply } from '@tollbridge/http';
import { readChainPrices, readEnergyFactor } from './chain-prices';

const parameters = [
  { key: 'getMaintenanceTimeInterval', value: 21_600_000 },
  { key: 'getAllowMultiSign' },
  { key: 'getEnergyFee', value: 100 },
  { key: 'getTransactionFee', value: 1_000 },
  { key: 'getMaxFeeLimit', value: 15_000_000_000 },
];
const withEnergyFee = (value: unknown) =>
  parameters.map((it) => (it.key === 'getEnergyFee' ? { key: it.key, value } : it));

describe('readChainPrices', () => {
  it('returns the prices of energy and bandwidth', () => {
    expect(readChainPrices({ chainParameter: parameters })).toEqual({
      energyAtomic: 100n,
      byteAtomic: 1_000n,
      maxFeeLimitAtomic: 15_000_000_000n,
    });
  });

  it.each([
    ['a missing list', undefined],
    ['a list of numbers', [1]],
    ['a missing price', parameters.slice(0, 2)],
    ['a price of zero', withEnergyFee(0)],
    ['a negative price', withEnergyFee(-1)],
    ['a price as a string', withEnergyFee('100')],
    ['a price above 2^53', withEnergyFee(1e300)],
  ])('rejects %s', (_name, chainParameter) => {
    expect(() => readChainPrices({ chainParameter })).toThrow(UnreadableReply);
  });
});

describe('readEnergyFactor', () => {
  it.each([
    [{ contract_state: { energy_factor: 34_000 } }, 34_000n],
    [{ contract_state: {} }, 0n],
    [{}, 0n],
  ])('parses %j', (reply, factor) => {
    expect(readEnergyFactor(reply)).toBe(factor);
  });

  it.each([-1, 1.5, '34000', 1e12])('rejects the factor %p', (factor) => {
    expect(() => readEnergyFactor({ contract_state: { energy_factor: factor } })).toThrow(UnreadableReply);
  });
});
