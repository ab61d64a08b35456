import { energyByAccount, type TraceStep } from './energy';

const from = `0x${'0'.repeat(36)}aaaa`;
const to = `0x${'0'.repeat(36)}bbbb`;
const token = `0x${'0'.repeat(36)}cccc`;

const step = (op: string, gas: number, gasCost: number, stack: string[] = [], depth = 1): TraceStep => ({
  op,
  gas,
  gasCost,
  depth,
  stack,
});

const total = (steps: TraceStep[]): bigint =>
  [...energyByAccount(steps, from, to).values()].reduce((sum, units) => sum + units, 0n);

describe('energyByAccount', () => {
  it('charges nothing without code', () => {
    expect(total([])).toBe(0n);
  });

  it('charges the EVM price for steps with equal prices', () => {
    expect(
      total([step('PUSH1', 100, 3), step('PUSH1', 97, 3), step('ADD', 94, 3), step('STOP', 91, 0)]),
    ).toBe(9n);
  });

  it.each<[string, TraceStep, bigint]>([
    ['the first load of a slot', step('SLOAD', 9_000, 2_100, ['0x1']), 50n],
    ['another load of a slot', step('SLOAD', 9_000, 100, ['0x1']), 50n],
    ['a balance', step('BALANCE', 9_000, 2_600, [token]), 20n],
    ['a code size', step('EXTCODESIZE', 9_000, 2_600, [token]), 20n],
    ['a code hash', step('EXTCODEHASH', 9_000, 2_600, [token]), 400n],
    ['an exponent of two bytes', step('EXP', 9_000, 110, ['0x100', '0x2']), 30n],
    ['an exponent of zero', step('EXP', 9_000, 10, ['0x0', '0x2']), 10n],
    ['a slot that was zero', step('SSTORE', 90_000, 22_100, ['0x5', '0x1']), 20_000n],
    ['a slot that changes', step('SSTORE', 90_000, 5_000, ['0x5', '0x1']), 5_000n],
    ['a slot that is cleared', step('SSTORE', 90_000, 5_000, ['0x0', '0x1']), 5_000n],
    ['a slot that stays as it is', step('SSTORE', 90_000, 2_200, ['0x5', '0x1']), 5_000n],
  ])('charges the flat price of the TVM for %s', (_, priced, energy) => {
    expect(total([priced, step('STOP', priced.gas - priced.gasCost, 0)])).toBe(energy);
  });

  it('charges for a slot by its earlier value, which a load has shown', () => {
    const steps = [
      step('SLOAD', 90_000, 2_100, ['0x1']),
      step('PUSH1', 87_900, 3, ['0x0']),
      step('SSTORE', 87_897, 20_000, ['0x5', '0x1']),
      // The EVM charges 100 for a slot that this transaction has already changed. The TVM always charges for a write.
      step('SSTORE', 67_897, 100, ['0x0', '0x1']),
      step('SSTORE', 67_797, 100, ['0x7', '0x1']),
      step('STOP', 67_697, 0),
    ];

    expect(total(steps)).toBe(BigInt(50 + 3 + 20_000 + 5_000 + 20_000));
  });

  it('attributes the energy of a call to the called account', () => {
    const steps = [
      step('CALL', 50_000, 2_600, ['0x0', '0x0', '0x0', '0x0', '0x0', token, '0x9c40']),
      step('SLOAD', 40_000, 2_100, ['0x1'], 2),
      step('RETURN', 37_900, 0, [], 2),
      step('STOP', 45_300, 0),
    ];

    expect(energyByAccount(steps, from, to)).toEqual(
      new Map([
        [token, 50n],
        [to, 40n],
      ]),
    );
  });

  it('does not charge the caller for the stipend that comes with coins', () => {
    const steps = [
      step('CALL', 50_000, 9_100, ['0x0', '0x0', '0x0', '0x0', '0x1', to, '0x0']),
      step('PUSH1', 2_300, 3, [], 2),
      step('STOP', 2_297, 0, [], 2),
      // 40,900 gas and the remaining stipend.
      step('STOP', 43_197, 0),
    ];

    expect(total(steps)).toBe(BigInt(40 + 9_000 - 2_300 + 3));
  });

  it('charges all gas of a frame that failed', () => {
    const steps = [
      step('CALL', 50_000, 2_600, ['0x0', '0x0', '0x0', '0x0', '0x0', token, '0x3e8']),
      step('INVALID', 1_000, 0, [], 2),
      step('STOP', 46_400, 0),
    ];

    expect(energyByAccount(steps, from, to).get(token)).toBe(1_000n);
  });
});
