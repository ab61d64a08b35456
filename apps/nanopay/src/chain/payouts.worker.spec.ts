import type { PayoutOpening } from '@tollbridge/contracts';
import type { BusClient } from '@tollbridge/rpc';
import { ManualClock } from '@tollbridge/testing';
import type { Logger } from '@tollbridge/observability';
import type { TonAccountReader } from '@tollbridge/ton';
import type { NanopayConfig } from '../config';
import type { Deployed } from '../deployment/deployed';
import { Chain, type AssetWallet } from './asset-wallet';
import type { Coins } from './coins';
import { PayoutsWorker } from './payouts.worker';

const contract = `0:${'a1'.repeat(32)}`;
const assetWallet = `0:${'b1'.repeat(32)}`;

let balanceAtomic = 5n;
let coins = 9n;
const states: Record<string, string> = {};
let readings: number;
let opened: PayoutOpening[];
let worker: PayoutsWorker;

beforeEach(() => {
  [balanceAtomic, coins, readings, opened] = [5n, 9n, 0, []];
  Object.assign(states, { [contract]: '1:a', [assetWallet]: '1:b' });
  const reader = {
    stateOf: async (account: string) => states[account],
    runGetMethod: async () => ({ exitCode: 0 }),
    getBalance: async () => coins,
  };
  const read = async () => {
    readings++;
    return { address: assetWallet, balanceAtomic };
  };
  const call = async (_operation: unknown, opening: PayoutOpening) => {
    opened.push(opening);
    return { payout: null, neededCoins: '0', isShort: false };
  };
  worker = new PayoutsWorker(
    new Chain(reader as unknown as TonAccountReader),
    { read } as unknown as AssetWallet,
    { deployment: { verifyingContract: contract } } as Deployed,
    { call } as unknown as BusClient,
    { hasEnough: () => true } as unknown as Coins,
    new ManualClock(),
    { NANOPAY_CHAIN_LOOK_MS: 3_600_000 } as NanopayConfig,
    { warn: jest.fn(), info: jest.fn() } as unknown as Logger,
  );
  poll = () => (worker as unknown as { poll(it: unknown): Promise<unknown> }).poll(reader);
});
let poll: () => Promise<unknown>;

it('PayoutsWorker runs no get method while neither account has a new transaction', async () => {
  for (let polls = 0; polls < 5; polls++) await poll();
  // The first read has no known states; the second one settles them.
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
