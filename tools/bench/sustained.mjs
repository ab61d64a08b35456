// The sustained form of a row that writes: minutes of load, its limit before and after, and the remaining backlog.
import { countDeadLetters, untilCaughtUp } from './backlog.mjs';
import { comparedSeconds } from './series.mjs';

const defaultInFlight = 64;
// Longer than every target. After it, the remaining backlog is reported.
const catchUpTimeoutSeconds = 60;
// The backlog of earlier rows must not count for this row.
const quietTimeoutSeconds = 300;

/** @param {'default' | 'all' | 'none'} wanted whether a row is measured in its sustained form */
export const isSustained = ({ sustained }, wanted) =>
  sustained !== undefined && (wanted === 'all' || (wanted === 'default' && sustained.isDefault === true));

/**
 * @param row a row with `sustained`
 * @param limits the rows that it is compared with
 * @param {{ seconds: number, admin: object, readBacklog: () => Promise<Record<string, number>> }} options
 */
export async function sustain(row, limits, { seconds, admin, readBacklog }) {
  const before = await untilCaughtUp(readBacklog, quietTimeoutSeconds);
  const inFlight = row.sustained.inFlight ?? defaultInFlight;
  const measureLimits = async () => {
    const measured = [];
    for (const limit of limits) measured.push(await limit.run(inFlight, comparedSeconds(seconds)));
    return measured;
  };
  const deadBefore = await countDeadLetters(admin);
  const limitsBefore = await measureLimits();
  const { first, last, series, ...whole } = await row.run(inFlight, seconds);
  const backlog = await untilCaughtUp(readBacklog, catchUpTimeoutSeconds);
  await row.afterRun?.();
  const limitsAfter = await measureLimits();
  return {
    row: row.name,
    inFlight,
    seconds,
    ...whole,
    deadLetters: (await countDeadLetters(admin)) - deadBefore,
    first,
    last,
    lastToFirst: first.rate > 0 ? last.rate / first.rate : 0,
    series,
    backlog: backlog.atEnd,
    backlogLeft: backlog.left,
    backlogBefore: before.left,
    caughtUpSeconds: backlog.seconds,
    ratios: ratiosOf(whole.rate, limits, limitsBefore, limitsAfter),
  };
}

/** Compares with the mean of the limits before and after, because all ran on the same growing tables. */
function ratiosOf(rate, limits, before, after) {
  return limits.map(({ name }, at) => {
    const limitRate = (before[at].rate + after[at].rate) / 2;
    return { of: name, limitRate, ratio: rate / limitRate };
  });
}
