import { findChain, findToken } from '@tollbridge/chains';
import { maxAmount } from '@tollbridge/money';
import { ProviderError, type ProviderErrorKind } from '@tollbridge/http';
import { RouteRejection, type RejectionReason } from '@tollbridge/routing';
import type { CrossChainRoute } from '../chains/deployments';
import { failureOf, requireCarried } from './route-failure';

const [payChain, settleChain] = [findChain('btc')!, findChain('eip155:8453')!];
const route: CrossChainRoute = {
  method: 'CrossChain',
  payChain,
  payToken: findToken(payChain, 'BTC')!,
  settleChain,
  settleToken: findToken(settleChain, 'USDC')!,
};

it.each<[RejectionReason, string]>([
  ['noRoute', 'There is no route from BTC on Bitcoin to USDC on Base.'],
  ['noLiquidity', 'The liquidity is too low for this amount at present. Send less, or retry later.'],
  ['priceMoved', 'The rate has moved since the quote. Request a new quote.'],
  ['badRecipient', "The merchant's address cannot be paid on Base."],
  ['badRefundAddress', "The payer's address cannot take a refund on Bitcoin."],
  [
    'aboveMaximum',
    'The payment would be more than a transfer of BTC on Bitcoin carries. Ask for a smaller amount, or pay in another token.',
  ],
  ['belowMinimum', 'The amount is below the minimum of this route. Pay more.'],
])('explains the rejection reason %s', (reason, sentence) => {
  expect(failureOf(new RouteRejection(reason), route, '1')).toEqual({
    sentence,
    minUsd: null,
    minSettleAtomic: null,
    isRejected: true,
  });
});

it.each([
  ['btc', 'BTC', 2_100_000_000_000_000n],
  ['solana', 'SOL', 2n ** 64n - 1n],
  ['sui', 'USDC', 2n ** 64n - 1n],
  ['ton', 'USDT', 2n ** 120n - 1n],
  ['tron', 'TRX', 2n ** 63n - 1n],
  ['tron', 'USDT', 2n ** 256n - 1n],
  ['base', 'USDC', 2n ** 256n - 1n],
])('rejects an amount of a provider that %s cannot transfer in %s', (name, symbol, most) => {
  const chain = findChain(name)!;
  const place = { payChain: chain, payToken: findToken(chain, symbol)! };
  expect(() => requireCarried(place, { amountInAtomic: most })).not.toThrow();
  expect(() => requireCarried(place, { amountInAtomic: most + 1n })).toThrow('aboveMaximum');
});

describe('the minimum of a route', () => {
  const least = (minimum: RouteRejection['minimum'], price?: string) =>
    failureOf(new RouteRejection('belowMinimum', minimum), route, price);

  it('appears in the token and in dollars', () => {
    expect(least({ amountOutAtomic: 2_500_000n }, '0.9998')).toEqual({
      sentence: 'The amount is below the minimum of 2.5 USDC. Pay at least that.',
      minUsd: '2.4995',
      minSettleAtomic: 2_500_000n,
      isRejected: true,
    });
  });

  it('appears in the token only without a price', () => {
    expect(least({ amountOutAtomic: 1n })).toEqual({
      sentence: 'The amount is below the minimum of 0.000001 USDC. Pay at least that.',
      minUsd: null,
      minSettleAtomic: 1n,
      isRejected: true,
    });
  });

  it('appears in dollars when the provider returns dollars', () => {
    expect(least({ usd: '1000' }, '0.9998')).toEqual({
      sentence: 'The amount is below the minimum of $1000. Pay at least that.',
      minUsd: '1000',
      minSettleAtomic: null,
      isRejected: true,
    });
  });

  it('may be as large as the maximum amount', () => {
    expect(least({ amountOutAtomic: maxAmount }, '1')).toMatchObject({ minSettleAtomic: maxAmount });
  });
});

const kinds: ProviderErrorKind[] = ['unavailable', 'rejected', 'rateLimited', 'badReply', 'unknownOutcome'];
it.each([
  ...kinds.map((kind) => [kind, new ProviderError('secretive', { kind, message: 'key=1' })] as const),
  ['a time-out', new DOMException('The operation timed out', 'TimeoutError')] as const,
])('allows a retry after %s, and does not reveal the provider', (_case, error) => {
  expect(failureOf(error, route, '1')).toEqual({
    sentence: 'The provider returns no rate at present. Retry in a few seconds.',
    minUsd: null,
    minSettleAtomic: null,
    isRejected: false,
  });
});

it.each([[new TypeError('ours')], ['text'], [null], [undefined]])(
  'does not convert %p, which is not a failure of a quote',
  (error) => {
    let thrown: unknown = 'nothing';
    try {
      failureOf(error, route, '1');
    } catch (caught) {
      thrown = caught;
    }
    expect(thrown).toBe(error);
  },
);
