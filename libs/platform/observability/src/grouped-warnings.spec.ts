import { GroupedWarnings } from './grouped-warnings';

describe('GroupedWarnings', () => {
  const lines: unknown[] = [];
  const warnings = () => new GroupedWarnings({ warn: (...line: unknown[]) => void lines.push(line) });

  beforeEach(() => {
    jest.useFakeTimers();
    lines.splice(0);
  });
  afterEach(() => jest.useRealTimers());

  it('writes one line for 64 failures of one cause, with the fields of the first', () => {
    const grouped = warnings();
    for (let index = 0; index < 64; index++) grouped.warn('lost', { requestId: index }, 'requests failed');
    expect(lines).toEqual([]);
    jest.advanceTimersByTime(1_000);
    expect(lines).toEqual([[{ requestId: 0, count: 64 }, 'requests failed']]);
  });

  it('writes a line for each cause, and a further line in the next second', () => {
    const grouped = warnings();
    for (let second = 0; second < 2; second++) {
      grouped.warn('lost', { cause: 'lost' }, 'requests failed');
      grouped.warn('full', { cause: 'full' }, 'requests failed');
      jest.advanceTimersByTime(1_000);
    }
    expect(lines).toHaveLength(4);
  });

  it('limits the number of causes', () => {
    const grouped = warnings();
    for (let index = 0; index < 1_000; index++) grouped.warn(`cause ${index}`, {}, 'requests failed');
    jest.advanceTimersByTime(1_000);
    expect(lines).toHaveLength(101);
    expect(lines.at(-1)).toEqual([{ count: 900 }, 'requests failed']);
  });
});
