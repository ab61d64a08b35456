import { formatAge, formatDuration, medianOf } from './times';

const now = Date.parse('2026-11-26T12:00:00.000Z');
const before = (seconds: number) => new Date(now - seconds * 1000).toISOString();

describe('formatAge', () => {
  it.each([
    [3, 'just now'],
    [45, '45 seconds ago'],
    [119, '1 minute ago'],
    [7_200, '2 hours ago'],
    [86_400, 'yesterday'],
    [-3_600, 'in 1 hour'],
  ])('formats a time %i seconds ago as %s', (seconds, text) => {
    expect(formatAge(before(seconds), now)).toBe(text);
  });
});

describe('formatDuration', () => {
  it.each([
    [0, '0 ms'],
    [1_446, '1.4 s'],
    [185_000, '3 min 5 s'],
    [7_800_000, '2 h 10 min'],
  ])('formats %i ms as %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });
});

describe('medianOf', () => {
  it('returns the middle value, or the lower one of two', () => {
    expect([medianOf([3, 1, 2]), medianOf([4, 1, 3, 2]), medianOf([])]).toEqual([2, 2, undefined]);
  });
});
