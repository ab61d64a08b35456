import { teeMoneyApi, type OpenPayout, type PayoutClosing, type PayoutOpening } from '@tollbridge/contracts';
import type { BusClient } from '@tollbridge/rpc';
import { ManualClock } from '@tollbridge/testing';
import type { Logger } from '@tollbridge/observability';
import {
  buildHighloadMessage,
  sandboxEnclaveWallet,
  type AccountTransaction,
  type TonAccountReader,
} from '@tollbridge/ton';
import { Address, beginCell, Cell, internal, loadMessage, loadMessageRelaxed } from '@ton/core';
import type { NanopayConfig } from '../config';
import type { Deployed } from '../deployment/deployed';
import { Chain, type AssetWallet } from './asset-wallet';
import type { Coins } from './coins';
import { PayoutContract } from './payout-contract';
import { PayoutsWorker } from './payouts.worker';

const contract = `0:${'a1'.repeat(32)}`;
const assetWallet = `0:${'b1'.repeat(32)}`;

let balanceAtomic = 5n;
let coins = 9n;
const states: Record<string, string> = {};
let readings: number;
let opened: PayoutOpening[];
let worker: PayoutsWorker;
/** Oldest first. */
let transactions: AccountTransaction[];
let walked: number;
/** The payout in flight. */
let payout: OpenPayout | null;
let closed: PayoutClosing[];
const errorLog = jest.fn();

beforeEach(() => {
  [balanceAtomic, coins, readings, opened, transactions, walked] = [5n, 9n, 0, [], [], 0];
  [payout, closed] = [null, []];
  errorLog.mockReset();
  Object.assign(states, { [contract]: '1:a', [assetWallet]: '1:b' });
  const reader = {
    stateOf: async (account: string) => states[account],
    runGetMethod: async () => ({ exitCode: 0 }),
    getBalance: async () => coins,
    newestFirst: async function* (_account: string, olderThan?: AccountTransaction) {
      for (const transaction of [...transactions].reverse()) {
        if (olderThan && transaction.lt >= olderThan.lt) continue;
        walked++;
        yield transaction;
      }
    },
  };
  const read = async () => {
    readings++;
    return { address: assetWallet, balanceAtomic };
  };
  const call = async (operation: unknown, input: PayoutOpening & PayoutClosing) => {
    if (operation === teeMoneyApi.operations.closePayout) return void closed.push(input);
    opened.push(input);
    return { payout, neededCoins: '0', isShort: false };
  };
  const logger = { warn: jest.fn(), info: jest.fn(), error: errorLog } as unknown as Logger;
  worker = new PayoutsWorker(
    new Chain(reader as unknown as TonAccountReader),
    new PayoutContract(
      { read } as unknown as AssetWallet,
      { deployment: { verifyingContract: contract } } as Deployed,
      new ManualClock(),
      logger,
    ),
    { call } as unknown as BusClient,
    { hasEnough: () => true } as unknown as Coins,
    { NANOPAY_CHAIN_LOOK_MS: 3_600_000 } as NanopayConfig,
    logger,
  );
  poll = () => (worker as unknown as { poll(it: unknown): Promise<unknown> }).poll(reader);
});
let poll: () => Promise<unknown>;

it('PayoutsWorker runs no get method while neither account has a new transaction', async () => {
  for (let polls = 0; polls < 5; polls++) await poll();
  // The first read has no known states, and the second one stores them.
  expect(readings).toBe(2);
  expect(new Set(opened.map((opening) => JSON.stringify(opening))).size).toBe(1);
  expect(opened).toHaveLength(5);
});

it.each([
  ['the wallet of the asset', assetWallet],
  ['the contract', contract],
])('PayoutsWorker reads again after a new transaction of %s', async (_name, account) => {
  for (let polls = 0; polls < 3; polls++) await poll();
  [balanceAtomic, coins] = [6n, 8n];
  await poll();
  expect(opened.at(-1)).toMatchObject({ reserve: '5', coins: '9' });
  states[account] = '2:c';
  await poll();
  expect(opened.at(-1)).toMatchObject({ reserve: '6', coins: '8' });
  expect(readings).toBe(3);
});

it('PayoutsWorker discards values that it read while another transaction arrived', async () => {
  await poll();
  // The state is read first, so it is older than the values.
  states[assetWallet] = '2:c';
  balanceAtomic = 6n;
  await poll();
  states[assetWallet] = '3:d';
  balanceAtomic = 7n;
  await poll();
  expect(opened.map(({ reserve }) => reserve)).toEqual(['5', '6', '7']);
});

/** Adds a batch of the contract, or the same message from another account. */
function receive(
  queryId: number,
  from = contract,
  payments = beginCell().endCell(),
): { queryId: number; hash: string } {
  const body = beginCell().storeUint(0xae42e5a4, 32).storeUint(queryId, 64).storeRef(payments).endCell();
  const { info } = internal({ to: Address.parseRaw(contract), value: 1n });
  const inMessage = { info: { ...info, src: Address.parseRaw(from) }, body };
  const description = {
    type: 'generic',
    aborted: false,
    computePhase: { type: 'vm', success: true, exitCode: 0 },
    actionPhase: { success: true, resultCode: 0 },
  };
  const parsed = { inMessage, outMessagesCount: 1, description };
  const lt = BigInt(transactions.length + 1);
  transactions.push({ account: contract, lt, at: new Date(), parsed } as unknown as AccountTransaction);
  states[contract] = `${lt}:x`;
  return { queryId, hash: body.hash().toString('hex') };
}

it('PayoutsWorker reports the newest batch of the contract among messages of strangers', async () => {
  await poll();
  expect(opened.at(-1)).not.toHaveProperty('newestBatch');
  const stranger = `0:${'c1'.repeat(32)}`;
  const first = receive(3);
  for (let sent = 0; sent < 5; sent++) receive(99, stranger);
  await poll();
  expect(opened.at(-1)?.newestBatch).toEqual(first);
  const second = receive(4);
  receive(99, stranger);
  await poll();
  expect(opened.at(-1)?.newestBatch).toEqual(second);
});

it('PayoutsWorker reads no transactions while neither account has a new one', async () => {
  receive(3);
  for (let polls = 0; polls < 3; polls++) await poll();
  const before = walked;
  for (let polls = 0; polls < 3; polls++) await poll();
  expect(walked).toBe(before);
});

it('PayoutsWorker opens no payout before it has found the newest batch', async () => {
  const first = receive(3);
  for (let sent = 0; sent < 3_500; sent++) receive(99, `0:${'c1'.repeat(32)}`);
  expect(await poll()).toBe('more');
  expect(opened).toEqual([]);
  await poll();
  expect(opened.at(-1)?.newestBatch).toEqual(first);
});

describe('PayoutsWorker with a payout in flight', () => {
  const queryId = 3;
  let payments: Cell;

  beforeEach(async () => {
    const { key, wallet } = sandboxEnclaveWallet();
    const batch = { queryId, createdAtS: 1, payments: [{ to: assetWallet, valueNano: 1n }] };
    const { boc } = await buildHighloadMessage(wallet, batch, key.sign);
    const request = loadMessage(Cell.fromBoc(boc)[0]!.beginParse()).body.refs[0]!;
    payments = loadMessageRelaxed(request.refs[0]!.beginParse()).body.refs[0]!;
    const validUntilS = Number.MAX_SAFE_INTEGER;
    payout = { number: 3, queryId, boc: boc.toString('base64'), afterLt: '0', createdAtS: 1, validUntilS };
  });

  it('reports its batch as completed', async () => {
    receive(queryId, contract, payments);
    await poll();
    expect(closed).toEqual([{ number: 3, outcome: 'completed' }]);
    expect(errorLog).not.toHaveBeenCalled();
  });

  it('reports a failure when a batch that the ledger has lost used its query id', async () => {
    receive(queryId);
    await poll();
    expect(closed).toEqual([{ number: 3, outcome: 'failed' }]);
    expect(errorLog).toHaveBeenCalledWith(
      { payout: 3, queryId },
      'payout failed: another batch has used its query id',
    );
  });
});
