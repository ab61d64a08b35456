import { BlockClock } from './block-clock';
import type { TronChain } from './tron-chain';

let mined: number;
let clock: BlockClock;
let problems: unknown[];

beforeEach(() => {
  jest.useFakeTimers({ now: 1_800_000_000_000 });
  [mined, problems] = [0, []];
  const chain = { mine: async () => void mined++ } as unknown as TronChain;
  clock = new BlockClock(chain, (error) => problems.push(error));
  clock.start();
});
afterEach(() => {
  clock.stop();
  jest.useRealTimers();
});

const minedIn = async (seconds: number): Promise<number> => {
  const before = mined;
  await jest.advanceTimersByTimeAsync(seconds * 1_000);
  return mined - before;
};

describe('BlockClock', () => {
  it('mines a block every five seconds without transactions', async () => {
    expect(await minedIn(60)).toBe(12);
  });

  it('mines a block a second for two minutes after a transaction', async () => {
    clock.wake();
    expect(await minedIn(100)).toBe(100);
    await minedIn(25);
    expect(await minedIn(50)).toBe(10);
  });

  it('mines none after it was stopped', async () => {
    clock.stop();
    expect(await minedIn(60)).toBe(0);
  });

  it('continues after a failure of the node', async () => {
    clock.stop();
    const chain = { mine: () => Promise.reject(new Error('the node is down')) } as unknown as TronChain;
    clock = new BlockClock(chain, (error) => problems.push(error));
    clock.start();
    await minedIn(12);
    expect(problems).toHaveLength(3);
  });
});
