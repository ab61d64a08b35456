import { findChain, type Chain } from '@tollbridge/chains';
import {
  encodeTonOrder,
  hashTonOrder,
  jettonWalletAddress,
  tonPayOps,
  tonSettlementAddress,
  tonTransferId,
  usdtOnTon,
  type TonOrder,
} from '@tollbridge/onchain/ton';
import { Address, beginCell } from '@ton/core';
import type { AccountTransaction } from '../account-reader';
import { noAccount } from './addresses';
import type { IndexedTransaction } from './indexed';
import { PaymentReader } from './payments';
import { receiptBody, transactionOf, type TestReceipt } from './testing/cells';
import { blockAt, IndexedNode, transactionsIn } from './testing/indexed-chain';
import type { IndexQuery } from './ton-node';

const chain: Chain = findChain('ton')!;
const usdt = chain.tokens.find(({ symbol }) => symbol === 'USDT')!;
const contract = `0:${'c0'.repeat(32)}`;
const payer = `0:${'0a'.repeat(32)}`;
const merchant = `0:${'0b'.repeat(32)}`;
const order: TonOrder = {
  orderId: '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d',
  deadline: 1_900_000_000n,
  tokenIn: 'USDT',
  tokenOut: 'USDT',
  amountIn: 1_005_000n,
  jetton: usdtOnTon,
  merchant,
  merchantAmount: 1_000_000n,
  feeReceiver: null,
  feeAmount: 5_000n,
};
const indexed: IndexedTransaction = {
  ...transactionsIn([42])[0]!,
  account: contract,
  lt: 2n ** 40n + 5n,
  opcode: tonPayOps.orderPaid,
};
const reader = new PaymentReader(chain, [{ token: usdt, jetton: usdtOnTon }]);

const payersTrace = 'ee'.repeat(32);
/** Logical time when the payment contract accepted the payment. */
const nonce = 9n;

/** The record of an order at the payment contract. */
async function recordOf(of: TonOrder, changes: { from?: string; isExecuted?: boolean } = {}) {
  const cell = await encodeTonOrder(of);
  const from = changes.from ?? (await tonSettlementAddress(await hashTonOrder(of), contract));
  const body = beginCell()
    .storeUint(tonPayOps.orderPaid, 32)
    .storeUint(nonce, 64)
    .storeAddress(Address.parseRaw(payer))
    .storeRef(cell)
    .endCell();
  return transactionOf({ ...changes, from, to: contract, body });
}

interface Receipt extends Partial<TestReceipt> {
  isFailed?: boolean;
  isExecuted?: boolean;
  source?: string;
}

/** A node with this receipt of the merchant's wallet in the record's trace. Null means no receipt. */
async function nodeWith(receipt: Receipt | null) {
  const orderHash = await hashTonOrder(order);
  const settlement = await tonSettlementAddress(orderHash, contract);
  const [wallet, source] = [
    await jettonWalletAddress(usdtOnTon, merchant),
    await jettonWalletAddress(usdtOnTon, settlement),
  ];
  const right = { queryId: tonTransferId(orderHash), amountAtomic: 1_000_000n, from: settlement };
  const place = {
    ...indexed,
    account: wallet,
    opcode: 0x178d4519,
    source: receipt?.source ?? source,
    isFailed: receipt?.isFailed ?? false,
    traceId: payersTrace,
  };
  const body = receiptBody({ ...right, ...receipt });
  const transaction = transactionOf({
    from: source,
    to: wallet,
    body,
    isExecuted: receipt?.isExecuted ?? true,
  });
  return {
    transactions: async ({ account, startLt }: IndexQuery) => {
      expect({ account, startLt }).toEqual({ account: wallet, startLt: nonce });
      return receipt ? [place] : [];
    },
    chain: async (): Promise<AccountTransaction[]> => [transaction],
  };
}

const view = { blockHash: blockAt(42).hash, headTimeMs: (indexed.timeS + 61) * 1_000 };
const read = async (receipt: Receipt | null, transaction?: AccountTransaction, seen = view) =>
  reader.read(
    await nodeWith(receipt),
    { indexed, transaction: transaction ?? (await recordOf(order)) },
    seen,
  );

describe('PaymentReader', () => {
  it('returns a payment that the merchant received', async () => {
    expect(await read({})).toEqual({
      kind: 'payment',
      payment: {
        orderId: order.orderId,
        orderHash: await hashTonOrder(order),
        payer: expect.stringMatching(/^UQ/),
        fields: {
          token_in: 'USDT',
          token_out: 'USDT',
          amount_in: '1005000',
          token_in_address: usdt.address,
          merchant: expect.stringMatching(/^UQ/),
          merchant_amount: '1000000',
          fee_receiver: noAccount,
          fee_amount: '5000',
          deadline: '1900000000',
        },
        height: 42,
        blockHash: blockAt(42).hash,
        // The trace of the jettons, because a third party may have confirmed them in another trace.
        txHash: payersTrace,
        logIndex: 1_029 - 1_024,
      },
    });
  });

  it.each<[string, Receipt | null]>([
    ['without a receipt of the merchant', null],
    ['with a receipt of another amount', { amountAtomic: 999_999n }],
    ['with a receipt of another transfer', { queryId: 1n }],
    ['with a receipt from another owner', { from: payer }],
    ['with a receipt that another wallet sent', { source: payer }],
    ['with a receipt that failed according to the index', { isFailed: true }],
    ['with a receipt that failed', { isExecuted: false }],
  ])('skips a payment %s', async (_name, receipt) => {
    expect(await read(receipt)).toEqual({ kind: 'none' });
  });

  it.each([
    ['another sender', { from: payer }],
    ['a failed transaction', { isExecuted: false }],
  ])('skips a record with %s', async (_name, changes) => {
    expect(await read({}, await recordOf(order, changes))).toEqual({ kind: 'none' });
  });

  it('skips a message that is not a record', async () => {
    const body = beginCell().storeUint(tonPayOps.claim, 32).endCell();
    expect(await read({}, transactionOf({ from: payer, to: contract, body }))).toEqual({ kind: 'none' });
  });

  it('returns a payment in coins without a receipt', async () => {
    const inCoins = { ...order, jetton: null };
    expect(await read(null, await recordOf(inCoins))).toMatchObject({
      payment: { fields: { token_in_address: noAccount } },
    });
  });

  it.each([
    ['another master', { master: payer }],
    ['wallets with another code', { walletCodeHash: '12'.repeat(32) }],
  ])('does not recognise a jetton with %s as a token', async (_name, changes) => {
    const foreign = { ...order, jetton: { ...usdtOnTon, ...changes } };
    expect(await read(null, await recordOf(foreign))).toMatchObject({
      payment: { fields: { token_in_address: expect.stringMatching(/^unknown jetton/) } },
    });
  });

  it('waits a minute for jettons after a third party imitated their confirmation', async () => {
    const early = { ...view, headTimeMs: (indexed.timeS + 60) * 1_000 };
    expect(await read(null, undefined, early)).toEqual({ kind: 'unknown' });
    expect(await read({ from: payer }, undefined, early)).toEqual({ kind: 'unknown' });
    expect(await read({}, undefined, early)).toMatchObject({ payment: { orderId: order.orderId } });
    expect(await read(null)).toEqual({ kind: 'none' });
  });

  it('finds the receipt after other transactions of the wallet, as long as they are from the same period', async () => {
    const node = await nodeWith({});
    const [right] = await node.transactions({
      account: await jettonWalletAddress(usdtOnTon, merchant),
      startLt: nonce,
    } as IndexQuery);
    const others = transactionsIn(Array<number>(250).fill(42)).map((it) => ({ ...it, source: payer }));
    const wallet = new IndexedNode([...others, { ...right!, lt: 251n }]);
    const busy = { ...node, transactions: (query: IndexQuery) => wallet.transactions(query) };
    const record = { indexed, transaction: await recordOf(order) };
    expect(await reader.read(busy, record, view)).toMatchObject({ payment: { orderId: order.orderId } });
    expect(wallet.queries.map(({ startLt }) => startLt)).toEqual([nonce, 109n, 209n]);
    const later = new IndexedNode(others.map((it) => ({ ...it, timeS: indexed.timeS + 61 })));
    const without = { ...node, transactions: (query: IndexQuery) => later.transactions(query) };
    expect(await reader.read(without, record, view)).toEqual({ kind: 'none' });
    expect(later.queries).toHaveLength(1);
  });
});
