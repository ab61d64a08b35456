import { switchedLink } from './paylink';
import { aPayLink } from './testing/paylink.builder';

const link = aPayLink();
const off = switchedLink(link, false, 10);

describe('switchedLink', () => {
  it('closes a link at the time when it is switched off', () => {
    expect(off).toEqual({ ...link, isActive: false, closedAtMs: 10, updatedAtMs: 10 });
  });

  it('returns the same object with the same closing time when the link has that state already', () => {
    expect(switchedLink(link, true, 20)).toBe(link);
    expect(switchedLink(off, false, 20)).toBe(off);
  });

  it('appends the pause of a link that is switched on to the earlier pauses', () => {
    const on = switchedLink(off, true, 30);
    expect(on).toEqual({ ...link, pauses: [[10, 30]], updatedAtMs: 30 });
    const again = switchedLink(switchedLink(on, false, 40), true, 50);
    expect(again.pauses).toEqual([
      [10, 30],
      [40, 50],
    ]);
  });

  it('drops the oldest pause when there are more than a hundred', () => {
    const pauses = Array.from({ length: 100 }, (_, at) => [at, at + 0.5] as const);
    const on = switchedLink({ ...link, isActive: false, closedAtMs: 200, pauses }, true, 300);
    expect(on.pauses).toHaveLength(100);
    expect([on.pauses[0], on.pauses[99]]).toEqual([
      [1, 1.5],
      [200, 300],
    ]);
  });
});
