import { longestIdleMs } from '@tollbridge/bootstrap';
import type { TonAccountReader } from '@tollbridge/ton';
import { Chain } from './asset-wallet';
import { ChainLooks, type Looked } from './chain-looks';

const lookMs = 1_000;
const idleAfterMs = 40_000;

class Looks extends ChainLooks {
  next: Looked = 'idle';
  readonly atMs: number[] = [];

  constructor() {
    super(new Chain({} as TonAccountReader), lookMs, () => undefined);
  }

  protected async look(): Promise<Looked> {
    this.atMs.push(Date.now());
    return this.next;
  }
}

describe('polling of the chain', () => {
  let looks: Looks;

  beforeEach(() => {
    jest.useFakeTimers();
    looks = new Looks();
    looks.onApplicationBootstrap();
  });
  afterEach(async () => {
    await looks.onApplicationShutdown();
    jest.useRealTimers();
  });

  const runsWithin = async (milliseconds: number): Promise<number> => {
    const before = looks.atMs.length;
    await jest.advanceTimersByTimeAsync(milliseconds);
    return looks.atMs.length - before;
  };

  it('slows down to the bound after a while without work', async () => {
    expect(await runsWithin(20_000)).toBe(20);
    await runsWithin(idleAfterMs);
    expect(await runsWithin(10 * longestIdleMs)).toBe(10);
  });

  it('returns to its pace with the first work, and keeps it for a while', async () => {
    await runsWithin(idleAfterMs);
    looks.next = 'done';
    await runsWithin(longestIdleMs);
    looks.next = 'idle';
    expect(await runsWithin(20_000)).toBeGreaterThanOrEqual(19);
  });

  it('polls at once when it is woken, and keeps its pace for a while', async () => {
    await runsWithin(idleAfterMs);
    await runsWithin(1_500);
    looks.wake();
    expect(await runsWithin(0)).toBe(1);
    expect(await runsWithin(20_000)).toBeGreaterThanOrEqual(19);
  });

  it('never slows down while something is under way', async () => {
    looks.next = 'done';
    await runsWithin(idleAfterMs);
    expect(await runsWithin(20_000)).toBe(20);
  });
});
