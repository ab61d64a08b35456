import { ReadTimes } from './read-times';

let due: string[];
let times: ReadTimes<string>;
beforeEach(() => {
  jest.useFakeTimers({ now: 0 });
  due = [];
  times = new ReadTimes((item) => due.push(item));
});
afterEach(() => {
  times.clear();
  jest.useRealTimers();
});

describe('ReadTimes', () => {
  it('calls back once, within a second of the time', () => {
    times.set('a', 2_500);
    jest.advanceTimersByTime(2_000);
    expect(due).toEqual([]);
    jest.advanceTimersByTime(1_000);
    jest.advanceTimersByTime(10_000);
    expect(due).toEqual(['a']);
  });

  it('replaces and removes times', () => {
    times.set('a', 1_000);
    times.set('a', 5_000);
    times.set('b', 1_000);
    times.set('b', undefined);
    jest.advanceTimersByTime(4_000);
    expect(due).toEqual([]);
    jest.advanceTimersByTime(1_000);
    expect(due).toEqual(['a']);
  });

  it('runs no timer while it is empty', () => {
    times.set('a', 1_000);
    times.set('a', undefined);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('handles at most 100 items per second, the longest waiting ones first', () => {
    times = new ReadTimes((item) => {
      due.push(item);
      times.set(item, 0);
    });
    for (let index = 0; index < 150; index++) times.set(String(index), 0);
    jest.advanceTimersByTime(1_000);
    expect(due).toHaveLength(100);
    jest.advanceTimersByTime(1_000);
    expect(new Set(due).size).toBe(150);
  });
});
