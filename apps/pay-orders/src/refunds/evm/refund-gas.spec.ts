import { coinsToForward, offerWithin, type ForwardCosts } from './refund-gas';

const costs: ForwardCosts = {
  gasLimit: 100n,
  fees: { maxFeePerGas: 20n, maxPriorityFeePerGas: 2n },
  leastPerGas: 12n,
  dataFee: 50n,
};

describe('coinsToForward', () => {
  it('subtracts the gas and the data fee from the received amount', () => {
    expect(coinsToForward(10_000n, costs)).toBe(10_000n - 2_000n - 50n);
    expect(coinsToForward(2_051n, costs)).toBe(1n);
  });

  it.each([2_050n, 1n, 0n])('returns undefined for %s', (arrived) => {
    expect(coinsToForward(arrived, costs)).toBeUndefined();
  });
});

describe('offerWithin', () => {
  it('offers the wanted price when the coins suffice', () => {
    expect(offerWithin(2_050n, costs)).toEqual({ fees: costs.fees });
  });

  it('offers a lower price that is still mined at present', () => {
    expect(offerWithin(1_250n, costs)).toEqual({ fees: { maxFeePerGas: 12n, maxPriorityFeePerGas: 2n } });
  });

  it('returns the missing coins below that price', () => {
    expect(offerWithin(1_249n, costs)).toEqual({ lacking: 801n });
    expect(offerWithin(0n, costs)).toEqual({ lacking: 2_050n });
  });

  it('never offers a tip above the total', () => {
    const tipped = { ...costs, leastPerGas: 1n, fees: { maxFeePerGas: 20n, maxPriorityFeePerGas: 9n } };
    expect(offerWithin(550n, tipped)).toEqual({ fees: { maxFeePerGas: 5n, maxPriorityFeePerGas: 5n } });
  });
});
