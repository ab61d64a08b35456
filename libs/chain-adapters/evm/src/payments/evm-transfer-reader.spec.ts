import type { MinedTransfers, TransferRead, WantedTransfers } from '@tollbridge/chain-port';
import { findChain, transferReference, type EvmChain } from '@tollbridge/chains';
import { getAddress } from 'ethers';
import type { EvmReads } from '../evm-reads';
import type { BlockRef, EvmLog, EvmReceipt, EvmTransaction } from '../evm-types';
import type { EvmRpc } from '../rpc-pool';
import { EvmTransferReader, referenceIn } from './evm-transfer-reader';
import { orderPaidTopic } from './order-paid';

const usdc = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const receiver = '0x1111111111111111111111111111111111111111';
const payer = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const otherContract = `0x${'b'.repeat(40)}`;
const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const txHash = `0x${'a'.repeat(64)}`;
const blockAt = (height: number, hash = `block ${height}`): BlockRef => ({
  height,
  hash,
  parentHash: 'parent',
  timestamp: 1_000 + height,
});

const topic = (address: string) => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;
const log = (changes: Partial<EvmLog> & { amount?: bigint; to?: string; from?: string } = {}): EvmLog => {
  const { amount = 100n, to = receiver, from = payer, ...rest } = changes;
  return {
    address: usdc.toLowerCase(),
    topics: [transferTopic, topic(from), topic(to)],
    data: `0x${amount.toString(16).padStart(64, '0')}`,
    blockHash: 'block 10',
    height: 10,
    txHash,
    logIndex: 4,
    ...rest,
  };
};
const otherTransfer = { txHash, from: payer, amountAtomic: 100n, tokenAddress: getAddress(otherContract) };
const transaction: EvmTransaction = {
  hash: txHash,
  from: payer.toLowerCase(),
  to: usdc.toLowerCase(),
  nonce: 1,
  valueAtomic: 0n,
  data: '0x',
  blockHash: 'block 10',
  height: 10,
};
const receipt: EvmReceipt = {
  txHash,
  blockHash: 'block 10',
  height: 10,
  succeeded: true,
  from: payer.toLowerCase(),
  to: usdc.toLowerCase(),
  gasUsed: 1n,
  gasPriceAtomic: 1n,
  logs: [log()],
};

interface View {
  receipt?: EvmReceipt | null;
  transaction?: EvmTransaction | null;
  blocks?: (BlockRef | null)[];
}

/** A node with block 12 as its head. */
function nodeWith(view: View): EvmRpc {
  const reads: Partial<EvmReads> = {
    headAndReceipts: () =>
      Promise.resolve({ head: blockAt(12), receipts: [view.receipt === undefined ? receipt : view.receipt] }),
    blocksAt: (heights) => Promise.resolve(view.blocks ?? heights.map((height) => blockAt(height))),
    transaction: () => Promise.resolve(view.transaction === undefined ? transaction : view.transaction),
  };
  const pinned = <T>(work: (reads: EvmReads) => Promise<T>) => work(reads as EvmReads);
  return { pinned } as EvmRpc;
}

const wanted: WantedTransfers = { txHash, token: { address: usdc }, receiver, seenIn: null };

async function read(view: View, changes: Partial<WantedTransfers> = {}): Promise<TransferRead> {
  const reader = new EvmTransferReader(findChain('base') as EvmChain, nodeWith(view));
  const [found] = await reader.readTransfers([{ ...wanted, ...changes }]);
  return found!;
}

const withLogs = (logs: EvmLog[]): View => ({ receipt: { ...receipt, logs } });

describe('EvmTransferReader', () => {
  it('reads the block, the confirmations and the transfers of a transaction', async () => {
    expect(await read({})).toEqual({
      kind: 'mined',
      block: { height: 10, hash: 'block 10', timeMs: 1_010_000 },
      confirmations: 3,
      isSuccessful: true,
      transfers: [{ txHash, logIndex: 4, from: payer, amountAtomic: 100n }],
      otherTransfers: [],
      paysOrder: false,
      reference: null,
    });
  });

  it('requests nothing for an empty list of transactions', async () => {
    const reader = new EvmTransferReader(findChain('base') as EvmChain, {} as EvmRpc);
    expect(await reader.readTransfers([])).toEqual([]);
  });

  it('finds no transfer in a failed transaction', async () => {
    const failed = { ...receipt, succeeded: false };
    expect(await read({ receipt: failed })).toMatchObject({ isSuccessful: false, transfers: [] });
  });

  it.each<[string, EvmLog, object]>([
    ['to another receiver', log({ to: payer }), { otherTransfers: [] }],
    [
      'of another contract of the same name',
      log({ address: otherContract }),
      { otherTransfers: [{ ...otherTransfer, logIndex: 4 }] },
    ],
    [
      'of a zero amount of another token',
      log({ address: otherContract, data: topic('0x0') }),
      { otherTransfers: [] },
    ],
    [
      'of another token from the receiver itself',
      log({ address: otherContract, from: receiver }),
      { otherTransfers: [] },
    ],
    [
      'of a token with an indexed id, for example an NFT',
      log({ topics: [...log().topics, topic(payer)], data: '0x' }),
      { otherTransfers: [] },
    ],
    [
      'that is another event',
      log({ topics: [`0x${'c'.repeat(64)}`, topic(payer), topic(receiver)] }),
      { otherTransfers: [] },
    ],
    ['with data that is not an amount', log({ data: '0x01' }), { otherTransfers: [] }],
    ['without topics', log({ topics: [] }), { otherTransfers: [] }],
  ])('finds no transfer in a log %s', async (_name, it, expected) => {
    expect(await read(withLogs([it]))).toMatchObject({ transfers: [], ...expected });
  });

  it('finds a transfer among other logs', async () => {
    const logs = [log({ to: payer, logIndex: 1 }), log({ address: otherContract, logIndex: 2 }), log()];
    expect(await read(withLogs(logs))).toMatchObject({
      transfers: [{ logIndex: 4 }],
      otherTransfers: [{ ...otherTransfer, logIndex: 2 }],
    });
  });

  it.each([
    ['to the receiver', receiver, [{ txHash, logIndex: -1, from: payer, amountAtomic: 7n }]],
    ['to a contract', usdc, []],
    ['that creates a contract', null, []],
  ])('reads the value of a transaction %s as a transfer of the coin', async (_name, to, transfers) => {
    const sent = { ...transaction, to: to && to.toLowerCase(), valueAtomic: 7n };
    expect(await read({ transaction: sent }, { token: { address: null } })).toMatchObject({ transfers });
  });

  it('returns coins that were sent instead of the token', async () => {
    const sent = { ...transaction, to: receiver.toLowerCase(), valueAtomic: 7n };
    expect(await read({ transaction: sent, receipt: { ...receipt, logs: [] } })).toMatchObject({
      transfers: [],
      otherTransfers: [{ txHash, logIndex: -1, from: payer, amountAtomic: 7n, tokenAddress: null }],
    });
  });

  it('returns at most 8 transfers of other tokens', async () => {
    const logs = Array.from({ length: 1_000 }, (_, logIndex) => log({ address: otherContract, logIndex }));
    expect(((await read(withLogs(logs))) as MinedTransfers).otherTransfers).toHaveLength(8);
  });

  it('recognises a payment of an order by any deployment of the contract', async () => {
    const paid = log({ address: otherContract, topics: [orderPaidTopic] });
    expect(await read(withLogs([paid, log()]))).toMatchObject({ paysOrder: true });
  });
});

describe('EvmTransferReader, without a receipt', () => {
  const seenIn = { height: 10, hash: 'block 10' };
  it.each<[string, View, Partial<WantedTransfers>, object]>([
    ['unmined for a transaction that was never seen', {}, {}, { kind: 'unmined', chainTimeMs: 1_012_000 }],
    [
      'unmined if another block has its height',
      { blocks: [blockAt(10, 'other')] },
      { seenIn },
      { kind: 'unmined', chainTimeMs: 1_012_000 },
    ],
    ['unavailable if its block is still part of the chain', {}, { seenIn }, { kind: 'unavailable' }],
    ['unavailable if the node lacks its block', { blocks: [null] }, { seenIn }, { kind: 'unavailable' }],
  ])('returns %s', async (_name, view, changes, expected) => {
    expect(await read({ ...view, receipt: null }, changes)).toEqual(expected);
  });
});

describe('EvmTransferReader, while a node contradicts itself', () => {
  it.each<[string, View]>([
    ['the block of the receipt is not part of the chain', { blocks: [blockAt(10, 'other')] }],
    ['the node lacks the transaction', { transaction: null }],
    ['the transaction has no block', { transaction: { ...transaction, blockHash: null, height: null } }],
  ])('returns unavailable if %s', async (_name, view) => {
    expect(await read(view)).toEqual({ kind: 'unavailable' });
  });
});

describe('referenceIn', () => {
  const id = '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d';
  const reference = transferReference({ family: 'evm' }, id)!;
  const call = `0xa9059cbb${'0'.repeat(128)}`;
  const appended = call + reference.slice(2);
  it.each([
    ['a call of the token that ends with the reference', usdc, appended, usdc, id],
    ['a transfer of the coin with the reference as data', receiver, reference, null, id],
    ['a call without a reference', usdc, call, usdc, null],
    ['a call of another contract, for example of a relayer', otherContract, appended, usdc, null],
    [
      'a transfer that the payer authorised and another account sent (EIP-3009)',
      usdc,
      appended.replace(call, `0xe3ee160e${'0'.repeat(576)}`),
      usdc,
      null,
    ],
    [
      'a transfer by an account with an allowance',
      usdc,
      appended.replace(call, `0x23b872dd${'0'.repeat(192)}`),
      usdc,
      null,
    ],
    ['a call of the receiver instead of the token', receiver, appended, usdc, null],
    ['the creation of a contract', null, appended, usdc, null],
  ])('returns the reference of %s', (_name, to, data, token, expected) => {
    expect(referenceIn({ to: to && to.toLowerCase(), data }, token, receiver)).toBe(expected);
  });
});
