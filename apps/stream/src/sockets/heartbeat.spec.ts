import { Heartbeat } from './heartbeat';

describe('Heartbeat', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('checks each member once per period, spread over the period, until it leaves', () => {
    const heartbeat = new Heartbeat(30_000);
    const looks = Array.from({ length: 60 }, () => 0);
    const ends = looks.map((_, index) => heartbeat.join({ checkAlive: () => void looks[index]!++ }));
    jest.advanceTimersByTime(1_000);
    expect(looks.reduce((sum, count) => sum + count)).toBe(2);
    jest.advanceTimersByTime(29_000);
    expect(new Set(looks)).toEqual(new Set([1]));
    ends[0]!();
    jest.advanceTimersByTime(30_000);
    expect(looks.slice(0, 2)).toEqual([1, 2]);
    heartbeat.stop();
    jest.advanceTimersByTime(60_000);
    expect(looks[1]).toBe(2);
  });

  it('stops its timer without members and restarts it with the next one', () => {
    const heartbeat = new Heartbeat(30_000);
    expect(jest.getTimerCount()).toBe(0);
    heartbeat.join({ checkAlive: () => undefined })();
    jest.advanceTimersByTime(1_000);
    expect(jest.getTimerCount()).toBe(0);
    let looks = 0;
    heartbeat.join({ checkAlive: () => void looks++ });
    jest.advanceTimersByTime(30_000);
    expect(looks).toBe(1);
    heartbeat.stop();
    heartbeat.join({ checkAlive: () => void looks++ });
    expect(jest.getTimerCount()).toBe(0);
  });
});
