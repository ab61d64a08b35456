import { affordablePerGas, feesFor, raisedFees } from './relay-fees';

const price = { baseFeePerGas: 100n, tipPerGas: 10n };
const bounds = { maxWeiPerGas: 1_000n, worthWei: undefined, gasUnits: 1_000n, tipPerGas: undefined };

it('relay fees cover a doubled base fee and the tip', () => {
  expect(feesFor(price, bounds)).toEqual({ maxFeePerGas: 210n, maxPriorityFeePerGas: 10n });
  expect(feesFor(price, { ...bounds, tipPerGas: 3n })).toEqual({
    maxFeePerGas: 203n,
    maxPriorityFeePerGas: 3n,
  });
  expect(feesFor({ baseFeePerGas: null, tipPerGas: 10n }, bounds)?.maxFeePerGas).toBe(10n);
});

it("relay fees never exceed four fifths of the fee's value", () => {
  expect(affordablePerGas({ ...bounds, worthWei: 200_000n })).toBe(160n);
  expect(feesFor(price, { ...bounds, worthWei: 200_000n })?.maxFeePerGas).toBe(160n);
  expect(feesFor(price, { ...bounds, worthWei: 137_500n })?.maxFeePerGas).toBe(110n);
  expect(feesFor(price, { ...bounds, worthWei: 137_000n })).toBeUndefined();
  expect(feesFor(price, { ...bounds, worthWei: 0n })).toBeUndefined();
});

it('relay fees never exceed the cap, whatever the value of the fee is', () => {
  expect(feesFor(price, { ...bounds, maxWeiPerGas: 150n, worthWei: 10n ** 18n })?.maxFeePerGas).toBe(150n);
  expect(feesFor(price, { ...bounds, maxWeiPerGas: 109n })).toBeUndefined();
});

describe('raisedFees', () => {
  const last = { maxFeePerGas: 200n, maxPriorityFeePerGas: 10n };
  it('offers at least an eighth more of both fees, or the current fees of the chain', () => {
    expect(raisedFees(last, price, bounds)).toEqual({ maxFeePerGas: 225n, maxPriorityFeePerGas: 12n });
    expect(raisedFees(last, { ...price, baseFeePerGas: 300n }, bounds)).toEqual({
      maxFeePerGas: 610n,
      maxPriorityFeePerGas: 12n,
    });
  });

  it('offers no replacement when the fee does not cover it', () => {
    expect(raisedFees(last, price, { ...bounds, worthWei: 280_000n })).toBeUndefined();
    expect(raisedFees(last, price, { ...bounds, worthWei: 281_250n })).toBeDefined();
  });
});
