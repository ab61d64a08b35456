import { findChain } from '@tollbridge/chains';
import { ManualClock } from '@tollbridge/testing';
import { NetworkDepositWatcher } from './network-deposit-watcher';
import type { Swap } from './swap';

const chain = findChain('ton')!;
const swapOf = (id: string, seenAtomic = 0n) =>
  ({ id, depositAddress: `address of ${id}`, origin: { symbol: 'USDT' }, seenAtomic }) as Swap;

let clock: ManualClock;
let watched: Swap[];
let balances: Record<string, bigint>;
let recorded: unknown[];
let watcher: NetworkDepositWatcher;

beforeEach(() => {
  clock = new ManualClock();
  [watched, balances, recorded] = [[], {}, []];
  watcher = new NetworkDepositWatcher({
    adapter: {
      chain,
      balanceAtomic: async (account, { symbol }) => balances[`${account} ${symbol}`] ?? 0n,
    },
    swaps: {
      watchedOnNetwork: async () => watched,
      recordArrived: async (id, amounts) => void recorded.push([id, amounts.depositedAtomic]),
    },
    clock,
  });
});

describe('NetworkDepositWatcher', () => {
  it('records an amount that arrives, and a later amount', async () => {
    watched = [swapOf('a'), swapOf('b')];
    balances['address of b USDT'] = 5n;
    await watcher.step();
    expect(recorded).toEqual([['b', 5n]]);
    watched = [swapOf('b', 5n)];
    balances['address of b USDT'] = 8n;
    clock.advance(1_000);
    await watcher.step();
    expect(recorded.at(-1)).toEqual(['b', 8n]);
  });

  it('does not reduce a deposit that the ledger has recorded', async () => {
    watched = [swapOf('a', 7n)];
    await watcher.step();
    expect(recorded).toEqual([]);
  });

  it('reads the network once a second', async () => {
    watched = [swapOf('a')];
    await watcher.step();
    balances['address of a USDT'] = 5n;
    clock.advance(999);
    await watcher.step();
    expect(recorded).toEqual([]);
    clock.advance(1);
    await watcher.step();
    expect(recorded).toEqual([['a', 5n]]);
  });
});
