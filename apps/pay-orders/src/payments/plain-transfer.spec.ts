import type { MinedTransfers, ReceivedTransfer } from '@tollbridge/chain-port';
import { aReceivedTransfer, minedTransfers } from '@tollbridge/chain-port/testing';
import { findChain } from '@tollbridge/chains';
import { anOrder } from '../orders/testing/order.builder';
import { plainTransfersOf, symbolOf, transfersElsewhere, verdictOnTransfers } from './plain-transfer';

const base = findChain('eip155:8453')!;
const order = anOrder({ merchantAmount: 1_000n, feeAmount: 0n });
const stranger = '0x90F79bf6EB2c4f870365E785982E1f101E93b906';

const received = (amountAtomic: bigint, from = order.payerAddress, logIndex = 0) =>
  aReceivedTransfer({ logIndex, from: from.toLowerCase(), amountAtomic });
const mined = (changes: Partial<MinedTransfers> = {}) =>
  minedTransfers({
    block: { height: 100, hash: '0xb', timeMs: order.createdAtMs + 5_000 },
    confirmations: base.confirmations,
    transfers: [received(1_000n)],
    ...changes,
  });

describe('plainTransfersOf', () => {
  it('returns transfers to the merchant with the required confirmations', () => {
    expect(plainTransfersOf(order, mined(), base)).toEqual({
      kind: 'received',
      received: { transfers: [received(1_000n)], others: [], namesOrder: false },
    });
  });

  it.each<[string, Partial<MinedTransfers>]>([
    ['transfers nothing', { transfers: [] }],
    ['transfers an amount of 0', { transfers: [received(0n)] }],
    ['failed', { isSuccessful: false }],
    ['pays an order by the contract', { paysOrder: true }],
    ['references another id', { reference: '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6e' }],
    ['is older than the order', { block: { height: 1, hash: '0xa', timeMs: order.createdAtMs - 1_000 } }],
  ])('returns nothing for a transaction that %s', (_name, changes) => {
    expect(plainTransfersOf(order, mined(changes), base)).toEqual({ kind: 'none' });
  });

  it('returns transfers of other tokens, and all transfers on another chain, as transfers that cannot pay', () => {
    const other = { ...received(7n), tokenAddress: '0xfde4C96c8593536E31F229EA8f37b2ADa2699bb2' };
    const read = mined({ transfers: [], otherTransfers: [other] });
    expect(plainTransfersOf(order, read, base)).toMatchObject({
      received: { transfers: [], others: [other] },
    });
    const there = mined({ otherTransfers: [other] });
    const coin = { ...received(1_000n), tokenAddress: null };
    expect(transfersElsewhere(order, there, base)).toMatchObject({
      received: { transfers: [], others: [coin, other] },
    });
    expect(symbolOf(base, other.tokenAddress)).toBe('USDT');
    expect(symbolOf(base, stranger)).toBe(stranger);
  });

  it('waits while the transaction lacks a block or confirmations', () => {
    const wait = { kind: 'wait' };
    expect(plainTransfersOf(order, { kind: 'unavailable' }, base)).toEqual(wait);
    expect(plainTransfersOf(order, { kind: 'unmined', chainTimeMs: 0 }, base)).toEqual(wait);
    const early = mined({ confirmations: base.confirmations - 1 });
    expect(plainTransfersOf(order, early, base)).toEqual(wait);
  });
});

describe('verdictOnTransfers', () => {
  const verdictOn = (
    transfers: ReceivedTransfer[],
    {
      of = order,
      totalAtomic = 1_000n,
      namesOrder = false,
      maker = order.payerAddress as string | null,
    } = {},
  ) => verdictOnTransfers(of, base, { transfers, namesOrder, totalAtomic, maker });

  it('completes an order if its creator paid in full, in one or two parts, or if the transfer references the order', () => {
    const complete = { isComplete: true, reason: null };
    expect(verdictOn([received(1_000n)])).toEqual(complete);
    expect(verdictOn([received(500n)])).toEqual(complete);
    expect(verdictOn([received(1_000n, stranger)], { namesOrder: true, maker: null })).toEqual(complete);
  });

  it.each<[RegExp, ReceivedTransfer[], Parameters<typeof verdictOn>[1]]>([
    [/^PARTIAL_TRANSFER: the merchant received 999 of 1000 /, [received(999n)], { totalAtomic: 999n }],
    [/^UNKNOWN_SENDER: /, [received(1_000n, stranger)], {}],
    // Any client may state any payer of an order, so without a proof the sender could be another customer.
    [/^UNKNOWN_SENDER: /, [received(1_000n)], { maker: null }],
    [/^UNKNOWN_SENDER: /, [received(1_000n)], { maker: stranger }],
    [/^UNKNOWN_SENDER: /, [received(500n), received(500n, stranger, 1)], {}],
    [
      /^FEE_NOT_PAID: /,
      [received(1_005n)],
      { of: anOrder({ ...order, feeAmount: 5n }), totalAtomic: 1_005n },
    ],
  ])('leaves the order waiting with %s', (reason, transfers, facts) => {
    expect(verdictOn(transfers, facts)).toEqual({
      isComplete: false,
      reason: expect.stringMatching(reason),
    });
  });
});
