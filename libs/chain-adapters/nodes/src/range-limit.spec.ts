import { RangeLimit } from './range-limit';

function limitAt(nowMs = 0): { limit: RangeLimit; clock: { nowMs: number } } {
  const clock = { nowMs, now: () => clock.nowMs };
  return { limit: new RangeLimit(clock), clock };
}

/** Reads `total` items from a node that accepts at most `most` per request, and returns the requested sizes. */
function readAll(limit: RangeLimit, total: number, most: number): number[] {
  const asked: number[] = [];
  for (let left = total; left > 0;) {
    const size = Math.min(left, limit.atMost);
    asked.push(size);
    if (size > most) limit.rejected(size);
    else {
      limit.accepted(size);
      left -= size;
    }
  }
  return asked;
}

describe('RangeLimit', () => {
  it('sets no limit before a rejection', () => {
    const { limit } = limitAt();
    limit.accepted(2_000);
    expect(limit.atMost).toBe(Infinity);
    expect(limit.state).toEqual({ atMost: null, rejections: 0 });
  });

  it('halves the range down to one', () => {
    const { limit } = limitAt();
    for (let at = 0; at < 20; at++) limit.rejected(Math.min(2_000, limit.atMost));
    expect(limit.atMost).toBe(1);
    expect(limit.state).toEqual({ atMost: 1, rejections: 20 });
  });

  it('finds the largest range that a node accepts, and keeps it', () => {
    const { limit } = limitAt();
    expect(readAll(limit, 2_000, 600)).toEqual([2_000, 1_000, 500, 1_000, 500, 1_000, 500, 500]);
    expect(readAll(limit, 2_000, 600)).toEqual([500, 500, 500, 500]);
  });

  it('does not try a larger range immediately after the node reports that the range is too large', () => {
    const { limit } = limitAt();
    limit.rejected(2_000, true);
    expect(readAll(limit, 2_000, 1_000)).toEqual([1_000, 1_000]);
  });

  it('returns to large ranges within a few reads after a short overload', () => {
    const { limit } = limitAt();
    for (let at = 0; at < 20; at++) limit.rejected(Math.min(2_000, limit.atMost));
    expect(readAll(limit, 2_000, Infinity)).toHaveLength(11);
  });

  it('keeps the size of polls after a single failure', () => {
    const { limit } = limitAt();
    limit.accepted(2);
    limit.rejected(2);
    expect(readAll(limit, 3, Infinity)).toEqual([1, 2]);
  });

  it('tries a larger range again after ten minutes', () => {
    const { limit, clock } = limitAt();
    readAll(limit, 2_000, 600);
    clock.nowMs += 600_000;
    expect(readAll(limit, 2_000, Infinity)).toEqual([500, 1_000, 500]);
  });
});
