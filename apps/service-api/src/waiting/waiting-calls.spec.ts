import { maxWaitSeconds } from '@tollbridge/contracts';
import { callContext, walletPrincipal } from '@tollbridge/rpc';
import { WaitingCalls } from './waiting-calls';

const context = callContext({ principal: walletPrincipal('0xAlice') });
const untilEnd = (signal: AbortSignal): Promise<string> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve('ended'), { once: true }));

describe('WaitingCalls', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('releases its resources when the work ends early', async () => {
    const caller = new AbortController();
    const forget = jest.spyOn(caller.signal, 'removeEventListener');
    const waiting = new WaitingCalls().during({ ...context, signal: caller.signal }, 120_000, async () => {
      expect(jest.getTimerCount()).toBe(1);
      return 'a code';
    });
    expect(await waiting).toBe('a code');
    expect(jest.getTimerCount()).toBe(0);
    expect(forget).toHaveBeenCalledWith('abort', expect.anything());
  });

  it('aborts after the time-out', async () => {
    const waiting = new WaitingCalls().during(context, 1_000, untilEnd);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(await waiting).toBe('ended');
  });

  it('waits up to 600 seconds', async () => {
    let isOver = false;
    const waiting = new WaitingCalls().during(context, maxWaitSeconds * 1_000, untilEnd);
    void waiting.then(() => (isOver = true));
    await jest.advanceTimersByTimeAsync(599_999);
    expect(isOver).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    expect(await waiting).toBe('ended');
  });

  it('aborts when the client disconnects, also before the start', async () => {
    const caller = new AbortController();
    const waiting = new WaitingCalls().during({ ...context, signal: caller.signal }, 1_000, untilEnd);
    caller.abort();
    expect(await waiting).toBe('ended');
    const gone = { ...context, signal: AbortSignal.abort() };
    expect(await new WaitingCalls().during(gone, 1_000, async ({ aborted }) => aborted)).toBe(true);
  });

  it('limits a merchant to 200 waiting calls', async () => {
    const calls = new WaitingCalls();
    const held = Array.from({ length: 200 }, () => calls.during(context, 1_000, untilEnd));
    const beyond = calls.during(context, 1_000, untilEnd);
    await expect(beyond).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', retryAfterSeconds: 5 });
    await jest.advanceTimersByTimeAsync(1_000);
    await Promise.all(held);
    expect(await calls.during(context, 1_000, async () => 'in')).toBe('in');
  });
});
