import type { DepositTransfer, DirectOrder, WalletCall } from '@tollbridge/chain-port';
import { decodeRawData, tronPaymentCalls, tronToHexAddress } from '@tollbridge/onchain/tron';
import { hashOf } from '../testing/fake-node';
import { chainOf, contract, feeReceiver, merchant, order as tronOrder, payer } from '../testing/fixtures';
import { tronTransferCall, tronWalletCall, type CallFacts } from './wallet-call';

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

  it('refers to the head, and expires with the order', () => {
    expect(rawOf(callOf().transaction)).toMatchObject({
      refBlockBytes: '5678',
      refBlockHash: hashOf(0x12345678).slice(16, 32),
      timestampMs: headMs,
      expirationMs: order.expiresAtMs,
    });
  });

  it('expires within a day, as nodes require', () => {
    const { expirationMs } = rawOf(callOf({ expiresAtMs: headMs + 7 * 86_400_000 }).transaction);
    expect(expirationMs).toBeLessThan(headMs + 86_400_000);
  });

  it('sends coins without an approval', () => {
    const { approval, transaction } = callOf({ token: token('TRX') });
    expect(approval).toBeNull();
    expect(rawOf(transaction).contract).toMatchObject({ callValue: 100_000_000n });
  });

  it('allows more energy for a busy token, up to the limit of the network', () => {
    const limitAt = (energyFactor: bigint) => rawOf(callOf({}, { energyFactor }).transaction).feeLimit;
    expect(limitAt(0n)).toBe(14_300_000n);
    expect(limitAt(34_000n)).toBe(62_920_000n);
    const prices = { ...facts.prices, maxFeeLimitAtomic: 1_000_000n };
    expect(rawOf(callOf({}, { prices }).transaction).feeLimit).toBe(1_000_000n);
  });
});

describe('tronTransferCall', () => {
  const transfer: DepositTransfer = {
    token: token('USDT'),
    receiver: merchant,
    amountAtomic: 97_000_000n,
    memo: null,
    expiresAtMs: headMs + 900_000,
  };
  const transferOf = (changes: Partial<DepositTransfer> = {}, other: Partial<CallFacts> = {}) => {
    const call = tronTransferCall({ ...transfer, ...changes }, payer, { ...facts, ...other });
    const { approval, transaction } = call as WalletCall & { family: 'tron' };
    expect(approval).toBeNull();
    return rawOf(transaction);
  };

  it('transfers the token by a call of its contract, without an approval', () => {
    const { contract: call, memo } = transferOf();
    const [receiverWord, amountWord] = [tronToHexAddress(merchant).slice(2), (97_000_000).toString(16)];
    expect(call).toEqual({
      type: 'TriggerSmartContract',
      owner: payer,
      contract: token('USDT').address,
      callValue: 0n,
      data: `0xa9059cbb${receiverWord.padStart(64, '0')}${amountWord.padStart(64, '0')}`,
    });
    expect(memo).toBeUndefined();
  });

  it('transfers the coin itself, which burns no energy', () => {
    const { contract: call, feeLimit } = transferOf({ token: token('TRX') });
    expect(call).toEqual({ type: 'TransferContract', owner: payer, to: merchant, amount: 97_000_000n });
    expect(feeLimit).toBe(0n);
  });

  it('includes the memo as data that the payer signs', () => {
    expect(transferOf({ memo: 'Nº 4711' }).memo).toBe(Buffer.from('Nº 4711').toString('hex'));
  });

  it('refers to the head, and expires when the receiver stops crediting transfers', () => {
    expect(transferOf()).toMatchObject({
      refBlockBytes: '5678',
      timestampMs: headMs,
      expirationMs: transfer.expiresAtMs,
    });
    const { expirationMs } = transferOf({ expiresAtMs: headMs + 7 * 86_400_000 });
    expect(expirationMs).toBeLessThan(headMs + 86_400_000);
  });

  it('allows more energy for a busy token', () => {
    expect(transferOf().feeLimit).toBe(4_550_000n);
    expect(transferOf({}, { energyFactor: 34_000n }).feeLimit).toBe(20_020_000n);
  });
});
