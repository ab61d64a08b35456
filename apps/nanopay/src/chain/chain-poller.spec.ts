import { longestIdleMs } from '@tollbridge/bootstrap';
import type { TonAccountReader } from '@tollbridge/ton';
import { Chain } from './asset-wallet';
import { ChainPoller, type Polled } from './chain-poller';

const pollMs = 1_000;
const idleAfterMs = 40_000;

class CountingPoller extends ChainPoller {
  next: Polled = 'idle';
  readonly atMs: number[] = [];

  constructor() {
    super(new Chain({} as TonAccountReader), pollMs, () => undefined);
  }

  protected async poll(): Promise<Polled> {
    this.atMs.push(Date.now());
    return this.next;
  }
}

describe('ChainPoller', () => {
  let poller: CountingPoller;

  beforeEach(() => {
    jest.useFakeTimers();
    poller = new CountingPoller();
    poller.onApplicationBootstrap();
  });
  afterEach(async () => {
    await poller.onApplicationShutdown();
    jest.useRealTimers();
  });

  const runsWithin = async (milliseconds: number): Promise<number> => {
    const before = poller.atMs.length;
    await jest.advanceTimersByTimeAsync(milliseconds);
    return poller.atMs.length - before;
  };

  it('polls less often after a while without work, up to the longest interval', async () => {
    expect(await runsWithin(20_000)).toBe(20);
    await runsWithin(idleAfterMs);
    expect(await runsWithin(10 * longestIdleMs)).toBe(10);
  });

  it('returns to the usual interval at the first work and keeps it for a while', async () => {
    await runsWithin(idleAfterMs);
    poller.next = 'done';
    await runsWithin(longestIdleMs);
    poller.next = 'idle';
    expect(await runsWithin(20_000)).toBeGreaterThanOrEqual(19);
  });

  it('polls immediately when woken and keeps the usual interval for a while', async () => {
    await runsWithin(idleAfterMs);
    await runsWithin(1_500);
    poller.wake();
    expect(await runsWithin(0)).toBe(1);
    expect(await runsWithin(20_000)).toBeGreaterThanOrEqual(19);
  });

  it('keeps the usual interval while a payout is in flight', async () => {
    poller.next = 'done';
    await runsWithin(idleAfterMs);
    expect(await runsWithin(20_000)).toBe(20);
  });
});
