import { Cooldown } from './cooldown';

const durations = (maxMs: number, random: number, failures: number): number[] => {
  const state = new Cooldown(maxMs, () => random);
  return Array.from({ length: failures }, () => {
    state.begin('unavailable', 0, undefined);
    return state.untilMs;
  });
};

describe('the cooldown of an endpoint', () => {
  it('doubles up to five minutes', () => {
    expect(durations(300_000, 1, 11)).toEqual([
      1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 128_000, 256_000, 300_000, 300_000,
    ]);
  });

  it('shortens by jitter to at least half', () => {
    expect(durations(300_000, 0, 3)).toEqual([500, 1_000, 2_000]);
    expect(durations(300_000, 0.5, 3)).toEqual([750, 1_500, 3_000]);
  });

  it('stays within a second when the chain has only one URL', () => {
    expect(durations(1_000, 1, 4)).toEqual([1_000, 1_000, 1_000, 1_000]);
  });

  it('follows Retry-After up to five minutes, without jitter', () => {
    const state = new Cooldown(1_000, () => 1);
    state.begin('rateLimited', 0, 30_000);
    expect([state.untilMs, state.mayBeTriedEarly]).toEqual([30_000, false]);
    state.begin('rateLimited', 0, 3_600_000);
    expect(state.untilMs).toBe(300_000);
    state.begin('rateLimited', 0, 0);
    expect([state.untilMs, state.mayBeTriedEarly]).toEqual([1_000, true]);
  });

  it('lasts five minutes for a wrong chain with any number of URLs', () => {
    const state = new Cooldown(1_000, () => 0);
    state.begin('wrongChain', 0, undefined);
    expect([state.untilMs, state.mayBeTriedEarly]).toEqual([300_000, false]);
  });

  it('ends with a reply, except for a lagging node', () => {
    const down = new Cooldown(300_000, () => 1);
    down.begin('unavailable', 0, undefined);
    down.succeeded(10);
    expect(down.isActive(10)).toBe(false);
    const lagging = new Cooldown(300_000, () => 1);
    lagging.begin('lagging', 0, undefined);
    lagging.succeeded(10);
    expect(lagging.isActive(10)).toBe(true);
    lagging.succeeded(10_000);
    expect(lagging.failuresInARow).toBe(1);
    lagging.caughtUp();
    expect(lagging.failuresInARow).toBe(0);
  });

  it('resets only after the endpoint has been healthy for as long as it was unhealthy', () => {
    const state = new Cooldown(300_000, () => 1);
    state.begin('unavailable', 0, undefined);
    state.begin('unavailable', 0, undefined);
    state.succeeded(2_000);
    state.succeeded(3_999);
    expect(state.failuresInARow).toBe(2);
    state.succeeded(4_000);
    expect(state.failuresInARow).toBe(0);
  });
});
