import type { CheckoutOption, QuoteReply } from '@tollbridge/contracts';
import { findChain, findToken } from '@tollbridge/chains';
import { maxAmount } from '@tollbridge/money';
import fc from 'fast-check';
import { optionOf, sortOptions, type OptionParts } from './checkout-option';

const chain = findChain('eip155:8453')!;
const token = findToken(chain, 'USDC')!;
const quote: QuoteReply = {
  method: 'CrossChain',
  pay_amount: '1000000',
  pay_amount_formatted: '1',
  pay_amount_usd: '1.00',
  receive_amount: '990000',
  receive_amount_formatted: '0.99',
  receive_amount_usd: '0.99',
  estimated_time: 42,
  exchange_rate: '0.99',
  slippage_bps: 50,
  expires_at: '2026-11-20T12:01:00.000Z',
};

const option = (amountAtomic: bigint, parts: Partial<OptionParts> = {}) =>
  optionOf({
    chain,
    holding: { token, amountAtomic, lockedAtomic: 0n },
    outcome: { quote },
    reserve: 0n,
    balanceUsd: '2.00',
    isDirect: false,
    ...parts,
  });

describe('optionOf', () => {
  it('returns the balance of the wallet and the price', () => {
    expect(option(2_500_000n)).toEqual({
      blockchain: 'eip155:8453',
      token: 'USDC',
      chain_name: 'Base',
      is_direct: false,
      balance: '2.5',
      balance_usd: '2.00',
      sufficient: true,
      estimated_time: 42,
      method: 'CrossChain',
      pay_amount: '1000000',
      pay_amount_formatted: '1',
      pay_amount_usd: '1.00',
      logo: token.logo,
      chain_logo: chain.logo,
      error: null,
      min_amount_usd: null,
    });
  });

  it('returns the error for a missing price, and the minimum', () => {
    const outcome = { error: 'The least that can be paid this way is $10.', minUsd: '10.50' };
    expect(option(maxAmount, { outcome, balanceUsd: null })).toMatchObject({
      sufficient: false,
      pay_amount: null,
      pay_amount_formatted: null,
      pay_amount_usd: null,
      estimated_time: null,
      method: 'CrossChain',
      error: outcome.error,
      min_amount_usd: 10.5,
      balance_usd: null,
    });
    expect(option(1n, { outcome: { error: 'x', minUsd: null }, isDirect: true })).toMatchObject({
      min_amount_usd: null,
      method: 'Direct',
      is_direct: true,
    });
  });

  it.each<[string, bigint, bigint | undefined, boolean]>([
    ['is sufficient with exactly the price', 1_000_000n, 0n, true],
    ['is not sufficient with one unit less', 999_999n, 0n, false],
    ['is sufficient with the price and the reserve', 1_000_021n, 21n, true],
    ['is not sufficient with one unit less than the price and the reserve', 1_000_020n, 21n, false],
    ['is sufficient with the price when the reserve is unknown', 1_000_000n, undefined, true],
    ['is not sufficient with less when the reserve is unknown', 999_999n, undefined, false],
  ])('%s', (_case, amountAtomic, reserve, sufficient) => {
    expect(option(amountAtomic, { reserve }).sufficient).toBe(sufficient);
  });

  it('subtracts locked amounts also when the fee is unknown', () => {
    const holding = { token, amountAtomic: 1_000_005n, lockedAtomic: 6n };
    expect(option(0n, { holding, reserve: undefined }).sufficient).toBe(false);
    expect(option(0n, { holding: { ...holding, lockedAtomic: 5n }, reserve: undefined }).sufficient).toBe(
      true,
    );
  });

  it('marks an option as sufficient exactly when the balance covers price and reserve', () => {
    const amount = fc.bigInt({ min: 0n, max: maxAmount });
    fc.assert(
      fc.property(amount, amount, amount, (held, price, reserve) => {
        const outcome = { quote: { ...quote, pay_amount: String(price) } };
        expect(option(held, { outcome, reserve }).sufficient).toBe(held >= price + reserve);
      }),
    );
  });
});

describe('sortOptions', () => {
  const named = (name: string, sufficient: boolean, is_direct: boolean, estimated_time: number | null) => ({
    ...option(1n),
    token: name,
    sufficient,
    is_direct,
    estimated_time,
  });
  const inOrder = [
    named('sufficient, direct, fast', true, true, 5),
    named('sufficient, direct, slow', true, true, 600),
    named('sufficient, across, fast', true, false, 10),
    named('sufficient, across, slow', true, false, 700),
    named('short, direct, fast', false, true, 1),
    named('short, direct, of unknown time', false, true, null),
    named('short, across, at once', false, false, 0),
    named('short, across, of unknown time', false, false, null),
  ];

  it('returns sufficient options first, then direct ones, then the fastest, for any input order', () => {
    const shuffled = fc.shuffledSubarray(inOrder, { minLength: inOrder.length });
    fc.assert(
      fc.property(shuffled, (options) => {
        expect(sortOptions(options)).toEqual(inOrder);
      }),
    );
  });

  it('sorts stably, and does not change its input', () => {
    const equal = ['a', 'b', 'c', 'd'].map((name) => named(name, true, false, 5));
    const given: readonly CheckoutOption[] = Object.freeze([...equal]);
    expect(sortOptions(given).map(({ token: name }) => name)).toEqual(['a', 'b', 'c', 'd']);
    expect(sortOptions([])).toEqual([]);
  });
});
