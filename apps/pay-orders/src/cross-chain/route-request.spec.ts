import { canonicalAddress, chains, findChain, findToken, sampleAddress } from '@tollbridge/chains';
import { maxAmount } from '@tollbridge/money';
import fc from 'fast-check';
import type { CrossChainRoute } from '../chains/deployments';
import { anOrder } from '../orders/testing/order.builder';
import { depositDeadline, feeBps, feeOf, orderRequest, previewRequest } from './route-request';

function routeOf(pay: string, payToken: string, settle: string, settleToken: string): CrossChainRoute {
  const [payChain, settleChain] = [findChain(pay)!, findChain(settle)!];
  const tokens = {
    payToken: findToken(payChain, payToken)!,
    settleToken: findToken(settleChain, settleToken)!,
  };
  return { method: 'CrossChain', payChain, settleChain, ...tokens };
}

const route = routeOf('btc', 'BTC', 'eip155:8453', 'USDC');
const settings = { slippageBps: 50 };

describe('feeBps', () => {
  it.each<[bigint, bigint, number]>([
    [0n, 1n, 0],
    [1n, 1n, 10_000],
    [5n, 1_000n, 50],
    [1n, 10_001n, 1],
    [10_001n, 100_000_000n, 2],
    [1n, maxAmount, 1],
    [maxAmount, maxAmount, 10_000],
  ])('converts a fee of %s on %s to %i', (feeAmount, merchantAmount, bps) => {
    expect(feeBps({ feeAmount, merchantAmount })).toBe(bps);
  });

  it('never pays the receiver less than the fee, or a whole basis point more', () => {
    const pair = fc
      .bigInt({ min: 1n, max: maxAmount })
      .chain((merchant) => fc.tuple(fc.constant(merchant), fc.bigInt({ min: 0n, max: merchant })));
    fc.assert(
      fc.property(pair, ([merchantAmount, feeAmount]) => {
        const bps = feeBps({ feeAmount, merchantAmount });
        expect(Number.isInteger(bps) && bps >= 0 && bps <= 10_000).toBe(true);
        expect(merchantAmount * BigInt(bps) >= feeAmount * 10_000n).toBe(true);
        expect(merchantAmount * BigInt(bps - 1) < feeAmount * 10_000n).toBe(true);
      }),
    );
  });
});

describe('depositDeadline', () => {
  it.each(chains.map(({ id }) => id))('returns a time hours after the expiry of the order on %s', (id) => {
    const hoursMs = depositDeadline(0, findChain(id)!).getTime();
    expect(hoursMs).toBeGreaterThanOrEqual(2 * 3_600_000);
    expect(hoursMs).toBeLessThanOrEqual(4 * 3_600_000);
  });

  it('returns a later time on chains with slow blocks', () => {
    expect(depositDeadline(0, findChain('btc')!)).toEqual(new Date(4 * 3_600_000));
    expect(depositDeadline(0, findChain('eip155:8453')!)).toEqual(new Date(2 * 3_600_000));
  });
});

describe('orderRequest', () => {
  const merchantAddress = '0x1111111111111111111111111111111111111111';
  const feeReceiver = '0x2222222222222222222222222222222222222222';
  const terms = anOrder({
    merchantAddress,
    feeReceiver,
    payerAddress: 'bc1qpayer',
    merchantAmount: 1_000n,
  });

  it('delivers exactly the merchant amount, and refunds to the payer', () => {
    expect(orderRequest({ ...terms, feeAmount: 0n }, route, settings, null)).toEqual({
      from: { chain: 'btc', symbol: 'BTC', address: null, decimals: 8 },
      to: expect.objectContaining({ chain: 'eip155:8453', symbol: 'USDC', decimals: 6 }),
      amountOutAtomic: 1_000n,
      slippageBps: 50,
      recipient: merchantAddress,
      refundTo: 'bc1qpayer',
      deadline: new Date(terms.expiresAtMs + 4 * 3_600_000),
    });
  });

  it('adds the fee for the account of its receiver', () => {
    const withFee = { ...terms, feeAmount: 5n };
    const fee = feeOf(withFee, route, 'ours.near')!;
    expect(fee).toMatchObject({ amount: '5', paid_to: 'fee_receiver', account: feeReceiver });
    expect(fee.reason).toContain('withdraws');
    expect(orderRequest(withFee, route, settings, fee)).toMatchObject({
      fee: { account: feeReceiver, bps: 50 },
      amountOutAtomic: 1_000n,
    });
  });

  it.each(['ton', 'sui', 'btc'])(
    "adds the fee on %s for the operator's account with the reason, and for no account without one",
    (chain) => {
      const to = routeOf('eip155:42161', 'WETH', chain, findChain(chain)!.tokens[0]!.symbol);
      const given = { ...terms, feeAmount: 5n, feeReceiver: sampleAddress(findChain(chain)!) };
      const fee = feeOf(given, to, 'ours.near')!;
      expect(fee).toMatchObject({ amount: '5', paid_to: 'operator', account: 'ours.near' });
      expect(fee.reason).toContain(findChain(chain)!.name);
      expect(orderRequest(given, to, settings, fee)).toMatchObject({
        fee: { account: 'ours.near', bps: 50 },
      });
      expect(feeOf(given, to, '')).toBeUndefined();
      expect(feeOf({ ...given, feeAmount: 0n }, to, '')).toBeNull();
    },
  );
});

it.each(chains.filter(({ isTestnet }) => !isTestnet).map(({ id }) => id))(
  'a preview from and to %s contains valid addresses of the chain and no fee',
  (id) => {
    const chain = findChain(id)!;
    const token = chain.tokens[0]!;
    const same = {
      method: 'CrossChain',
      payChain: chain,
      payToken: token,
      settleChain: chain,
      settleToken: token,
    } as const;
    const request = previewRequest(same, 7n, new Date(0), settings);
    expect(canonicalAddress(chain, request.recipient).ok).toBe(true);
    expect(canonicalAddress(chain, request.refundTo).ok).toBe(true);
    expect(request).toMatchObject({ amountOutAtomic: 7n, slippageBps: 50, deadline: new Date(0) });
    expect(request).not.toHaveProperty('fee');
  },
);
