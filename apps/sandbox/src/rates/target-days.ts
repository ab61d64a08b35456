const dayMs = 24 * 60 * 60_000;
// Rates are published at 16:00 CET.
const publishedAtMs = 15 * 60 * 60_000;

/** Returns the last working day of TARGET that has rates, as `2026-11-20`. */
export function lastTargetDay(nowMs: number): string {
  let dayStartMs = Math.floor((nowMs - publishedAtMs) / dayMs) * dayMs;
  while (!isTargetDay(dayStartMs)) dayStartMs -= dayMs;
  return isoDate(dayStartMs);
}

/**
 * TARGET is closed at weekends, on New Year's Day, Good Friday, Easter Monday, Labour Day, and on 25 and 26 December.
 */
function isTargetDay(dayStartMs: number): boolean {
  const day = new Date(dayStartMs);
  const isWeekend = day.getUTCDay() === 0 || day.getUTCDay() === 6;
  const easterMs = easterSunday(day.getUTCFullYear());
  const isOfEaster = dayStartMs === easterMs - 2 * dayMs || dayStartMs === easterMs + dayMs;
  return (
    !isWeekend && !isOfEaster && !['01-01', '05-01', '12-25', '12-26'].includes(isoDate(dayStartMs).slice(5))
  );
}

const isoDate = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** The anonymous Gregorian algorithm (Meeus, Jones and Butcher). */
function easterSunday(year: number): number {
  const [golden, century, ofCentury] = [year % 19, Math.floor(year / 100), year % 100];
  const correction = Math.floor((8 * century + 13) / 25);
  const epact = (19 * golden + century - Math.floor(century / 4) - correction + 15) % 30;
  const weekday = (32 + 2 * (century % 4) + 2 * Math.floor(ofCentury / 4) - epact - (ofCentury % 4)) % 7;
  const shift = Math.floor((golden + 11 * epact + 22 * weekday) / 451);
  const days = epact + weekday - 7 * shift + 114;
  return Date.UTC(year, Math.floor(days / 31) - 1, (days % 31) + 1);
}
