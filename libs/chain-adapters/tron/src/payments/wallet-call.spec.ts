import type { DirectOrder, WalletCall } from '@tollbridge/chain-port';
import { decodeRawData, tronPaymentCalls } from '@tollbridge/onchain/tron';
import { hashOf } from '../testing/fake-node';
import { chainOf, contract, feeReceiver, merchant, order as tronOrder, payer } from '../testing/fixtures';
import { tronWalletCall, type CallFacts } from './wallet-call';

const token = (symbol: string) => chainOf([]).tokens.find((it) => it.symbol === symbol)!;
const headMs = 1_800_000_000_000;
const facts: CallFacts = {
  head: {
    height: 0x12345678,
    hash: `0x${hashOf(0x12345678)}`,
    parentHash: `0x${hashOf(1)}`,
    timestamp: headMs / 1_000,
  },
  prices: { energyAtomic: 100n, byteAtomic: 1_000n, maxFeeLimitAtomic: 15_000_000_000n },
  energyFactor: 0n,
  contract,
};
const order: DirectOrder = {
  id: tronOrder.orderId,
  token: token('USDT'),
  merchantAddress: merchant,
  merchantAmountAtomic: 97_000_000n,
  feeReceiver,
  feeAmountAtomic: 3_000_000n,
  expiresAtMs: headMs + 900_000,
};

function callOf(changes: Partial<DirectOrder> = {}, other: Partial<CallFacts> = {}) {
  const call = tronWalletCall({ ...order, ...changes }, payer, { ...facts, ...other });
  return call as WalletCall & { family: 'tron' };
}
const rawOf = ({ raw_data_hex }: { raw_data_hex: string }) => decodeRawData(Buffer.from(raw_data_hex, 'hex'));

describe('tronWalletCall', () => {
  it('approves the amount and pays the order', () => {
    const { approval, transaction } = callOf();
    const expected = tronPaymentCalls(
      { ...tronOrder, deadline: BigInt(order.expiresAtMs / 1_000) },
      payer,
      contract,
    );
    expect(rawOf(approval!).contract).toEqual({ ...expected.approval, data: expected.approval!.data });
    expect(rawOf(transaction).contract).toEqual(expected.payment);
  });

  it('names the head, and expires with the order', () => {
    expect(rawOf(callOf().transaction)).toMatchObject({
      refBlockBytes: '5678',
      refBlockHash: hashOf(0x12345678).slice(16, 32),
      timestampMs: headMs,
      expirationMs: order.expiresAtMs,
    });
  });

  it('expires within a day, which nodes demand', () => {
    const { expirationMs } = rawOf(callOf({ expiresAtMs: headMs + 7 * 86_400_000 }).transaction);
    expect(expirationMs).toBeLessThan(headMs + 86_400_000);
  });

  it('sends coins without an approval', () => {
    const { approval, transaction } = callOf({ token: token('TRX') });
    expect(approval).toBeNull();
    expect(rawOf(transaction).contract).toMatchObject({ callValue: 100_000_000n });
  });

  it('allows more energy for a token that is busy, up to the limit of the network', () => {
    const limitAt = (energyFactor: bigint) => rawOf(callOf({}, { energyFactor }).transaction).feeLimit;
    expect(limitAt(0n)).toBe(14_300_000n);
    expect(limitAt(34_000n)).toBe(62_920_000n);
    const prices = { ...facts.prices, maxFeeLimitAtomic: 1_000_000n };
    expect(rawOf(callOf({}, { prices }).transaction).feeLimit).toBe(1_000_000n);
  });
});
