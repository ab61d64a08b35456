import type { PayoutOpening } from '@tollbridge/contracts';
import type { BusClient } from '@tollbridge/rpc';
import { ManualClock } from '@tollbridge/testing';
import type { Logger } from '@tollbridge/observability';
import type { TonAccountReader } from '@tollbridge/ton';
import type { NanopayConfig } from '../config';
import type { Deployed } from '../deployed';
import { Chain, type AssetWallet } from './asset-wallet';
import type { Coins } from './coins';
import { PayoutsWorker } from './payouts.worker';

const contract = `0:${'a1'.repeat(32)}`;
const assetWallet = `0:${'b1'.repeat(32)}`;

let balanceAtomic = 5n;
let coins = 9n;
const states: Record<string, string> = {};
let readings: number;
let told: PayoutOpening[];
let worker: PayoutsWorker;

beforeEach(() => {
  [balanceAtomic, coins, readings, told] = [5n, 9n, 0, []];
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
    told.push(opening);
    return { payout: null, neededCoins: '0', isShort: false };
  };
  worker = new PayoutsWorker(
    new Chain(reader as unknown as TonAccountReader),
    { read } as unknown as AssetWallet,
    { deployment: { verifyingContract: contract } } as Deployed,
    { call } as unknown as BusClient,
    { suffice: () => true } as unknown as Coins,
    new ManualClock(),
    { NANOPAY_CHAIN_LOOK_MS: 3_600_000 } as NanopayConfig,
    { warn: jest.fn(), info: jest.fn() } as unknown as Logger,
  );
  look = () => (worker as unknown as { look(it: unknown): Promise<unknown> }).look(reader);
});
let look: () => Promise<unknown>;

it('runs no get method while neither account has had another transaction, and tells the enclave the same', async () => {
  for (let polls = 0; polls < 5; polls++) await look();
  // The first time it is not known of which states; then once more, and never again.
  expect(readings).toBe(2);
  expect(new Set(told.map((opening) => JSON.stringify(opening))).size).toBe(1);
  expect(told).toHaveLength(5);
});

it.each([
  ['the wallet of the asset', assetWallet],
  ['the contract', contract],
])('reads anew once %s has had another transaction', async (_name, account) => {
  for (let polls = 0; polls < 3; polls++) await look();
  [balanceAtomic, coins] = [6n, 8n];
  await look();
  expect(told.at(-1)).toMatchObject({ reserve: '5', coins: '9' });
  states[account] = '2:c';
  await look();
  expect(told.at(-1)).toMatchObject({ reserve: '6', coins: '8' });
  expect(readings).toBe(3);
});

it('does not keep what was read while another transaction came', async () => {
  await look();
  // The state is read first: it is the older one of what is read after it.
  states[assetWallet] = '2:c';
  balanceAtomic = 6n;
  await look();
  states[assetWallet] = '3:d';
  balanceAtomic = 7n;
  await look();
  expect(told.map(({ reserve }) => reserve)).toEqual(['5', '6', '7']);
});
