import { lastTargetDay } from './target-days';

describe('lastTargetDay', () => {
  it.each([
    ['the same day at 16:00 CET', '2026-11-20T15:00:00Z', '2026-11-20'],
    ['the day before, until 16:00 CET', '2026-11-20T14:59:59.999Z', '2026-11-19'],
    ['Friday at the weekend', '2026-11-22T20:00:00Z', '2026-11-20'],
    ['Friday on Monday morning', '2026-11-23T08:00:00Z', '2026-11-20'],
    ['Thursday before Easter, until Tuesday', '2026-04-07T14:00:00Z', '2026-04-02'],
    ['Tuesday after Easter', '2026-04-07T15:00:00Z', '2026-04-07'],
    ['Thursday before an Easter in March', '2027-03-29T16:00:00Z', '2027-03-25'],
    ['Thursday before a late Easter', '2038-04-26T16:00:00Z', '2038-04-22'],
    ['30 April on Labour Day', '2026-05-01T18:00:00Z', '2026-04-30'],
    ['Christmas Eve, until the Monday after a weekend', '2026-12-27T18:00:00Z', '2026-12-24'],
    ['New Year Eve on New Year Day', '2027-01-01T18:00:00Z', '2026-12-31'],
  ])('returns %s', (_case, now, day) => {
    expect(lastTargetDay(Date.parse(now))).toBe(day);
  });

  it('returns a day that is at most five days old', () => {
    const hourMs = 60 * 60_000;
    for (let nowMs = Date.UTC(2024, 0, 1); nowMs < Date.UTC(2040, 0, 1); nowMs += 6 * hourMs) {
      const ageMs = nowMs - Date.parse(`${lastTargetDay(nowMs)}T15:00:00Z`);
      expect(ageMs >= 0 && ageMs < 5 * 24 * hourMs).toBe(true);
    }
  });
});
