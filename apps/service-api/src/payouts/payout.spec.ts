import { findChain, findToken, sampleAddress } from '@tollbridge/chains';
import { formatUnits } from '@tollbridge/money';
import fc from 'fast-check';
import { getAddress } from 'ethers';
import { lookOf, planOf, validateRecipients, warningsOfList } from './payout';

const chain = findChain('base')!;
const usdc = findToken(chain, 'USDC')!;
const wallet = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const addressOf = (number: number | bigint): string =>
  getAddress(`0x${(0xa000_0000_0000n + BigInt(number)).toString(16).padStart(12, '0').padEnd(40, '7')}`);
const rules = { chain, token: usdc, allowDuplicates: false };

describe('planOf', () => {
  it.each([
    [[1], '1000000', '5000'],
    [[0.000001], '1', '1'],
    [[0.1, 0.2], '300000', '1500'],
    [[1.000001], '1000001', '5001'],
    [Array.from({ length: 200 }, () => 0.000001), '200', '1'],
    [[1e15, 1e15], '2000000000000000000000', '10000000000000000000'],
  ])('computes exact totals of %p', (amounts, total, fee) => {
    const recipients = amounts.map((amount, at) => ({ address: addressOf(at), amount }));
    const plan = planOf({ recipients }, chain, usdc);
    expect([String(plan.totalAtomic), String(plan.feeAtomic)]).toEqual([total, fee]);
  });

  it('reads amounts of up to 15 digits exactly', () => {
    const atomic = fc.bigInt({ min: 1n, max: 10n ** 15n - 1n });
    fc.assert(
      fc.property(fc.array(atomic, { minLength: 1, maxLength: 20 }), (amounts) => {
        const recipients = amounts.map((amount, at) => {
          const digits = String(amount).padStart(7, '0');
          return { address: addressOf(at), amount: Number(`${digits.slice(0, -6)}.${digits.slice(-6)}`) };
        });
        expect(validateRecipients(recipients, rules)).toEqual([]);
        const { lines, totalAtomic, feeAtomic } = planOf({ recipients }, chain, usdc);
        expect(lines.map(({ amountAtomic }) => amountAtomic)).toEqual(amounts);
        expect(totalAtomic).toBe(amounts.reduce((sum, amount) => sum + amount));
        // The fee is the smallest integer that is at least half a percent.
        expect(feeAtomic * 200n).toBeGreaterThanOrEqual(totalAtomic);
        expect((feeAtomic - 1n) * 200n).toBeLessThan(totalAtomic);
      }),
    );
  });
});

describe('Validation', () => {
  it('limits the number of errors', () => {
    const recipients = Array.from({ length: 1_000 }, () => ({ address: 'x', amount: 0.0000001 }));
    expect(validateRecipients(recipients, rules)).toHaveLength(50);
  });

  it.each(['solana', 'sui', 'ton', 'tron', 'btc'])(
    'rejects a sum with its fee above the maximum of %s',
    (name) => {
      const place = findChain(name)!;
      const [token] = place.tokens;
      // Two amounts reach the limit, and the fee exceeds it.
      const amount = Number(formatUnits(BigInt(token!.maxAmountAtomic) / 2n, token!.decimals).split('.')[0]);
      const list = (size: number) =>
        Array.from({ length: size }, () => ({ address: sampleAddress(place), amount }));
      const placed = { chain: place, token, allowDuplicates: true };
      expect(validateRecipients(list(1), placed)).toEqual([]);
      expect(validateRecipients(list(2), placed)).toEqual([
        {
          field: 'recipients',
          message: expect.stringMatching(/^the sum with the fee is above what a transfer/),
        },
      ]);
      expect(validateRecipients(list(3), placed)).toHaveLength(1);
    },
  );

  it('validates the well-formed recipients of a list with malformed ones', () => {
    const given = [undefined, {}, { amount: 0.0000001 }, { address: sampleAddress(findChain('ton')!) }];
    expect(validateRecipients(given, rules).map(({ field }) => field)).toEqual([
      'recipients[2].amount',
      'recipients[3].address',
    ]);
  });

  it('validates only addresses when the token is unknown', () => {
    const given = [{ address: '0x12', amount: 0.0000001 }];
    expect(validateRecipients(given, { ...rules, token: undefined }).map(({ field }) => field)).toEqual([
      'recipients[0].address',
    ]);
  });
});

describe('lookOf', () => {
  it('returns the first and last four digits in lower case', () => {
    expect(lookOf(wallet)).toBe('709979c8');
    expect(lookOf(wallet.toLowerCase())).toBe('709979c8');
  });

  it('warns of a lookalike, but not of the same address', () => {
    const lines = [{ address: wallet, amountAtomic: 1n }];
    const other = getAddress(`0x7099${'5'.repeat(32)}79c8`);
    const warnings = (own: string, paidBefore: string[]) =>
      warningsOfList(lines, { wallet: own, paidBefore }).map(({ code }) => code);
    expect(warnings(addressOf(1), [])).toEqual([]);
    expect(warnings(addressOf(1), [other])).toEqual(['LOOK_ALIKE']);
    expect(warnings(other, [])).toEqual(['LOOK_ALIKE']);
    expect(warnings(wallet, [])).toEqual(['OWN_WALLET']);
  });
});
