// Measures sellers of a paid route and the limits of the machine in one run, in turns.
import { median } from '../measure.mjs';
import { makeBuyers } from './buyers.mjs';
import { ledgerRows } from './ledger-rows.mjs';
import { limitRows } from './limit-rows.mjs';
import { sellerRows } from './seller-rows.mjs';
import { sellersOf } from './sellers.mjs';
import { targetsOf } from './targets.mjs';

/**
 * @param {{ rounds: number, seconds: number, only: string, rates: number[] | null }} options
 * @param {(phase: string, row: string, load: object) => void} progress
 */
export async function runNanopayBench(options, progress) {
  const endings = [];
  const atEnd = (stop) => endings.unshift(stop);
  try {
    const buyers = makeBuyers();
    const sellers = sellersOf(buyers);
    const rows = selected(
      [
        ...limitRows(atEnd),
        ...ledgerRows(buyers, atEnd),
        ...byKind(sellers.map((seller) => sellerRows(seller, options.rates, atEnd))),
      ],
      options.only,
    );
    // Only selected sellers are started.
    for (const row of rows) row.run = await row.start();
    const taken = await takeTurns(rows, options, progress);
    const measured = table(taken);
    return { date: new Date().toISOString(), ...options, rows: measured, targets: targetsOf(measured) };
  } finally {
    for (const stop of endings) await stop();
  }
}

/** Orders the rows by route, so that compared rows are measured close in time. */
const byKind = (rowsOfSellers) =>
  rowsOfSellers[0].flatMap((_, kind) => rowsOfSellers.map((rows) => rows[kind]));

/** Returns the rows with that name, and the rows that they are compared with. Ratios are only for closed-loop rows. */
function selected(rows, only) {
  const wanted = rows.filter(({ name }) => name.includes(only));
  if (wanted.length === 0) throw new Error(`no row has ${only} in its name`);
  const whole = new Set(wanted.flatMap(({ name, overheadOf }) => [name, overheadOf]));
  const compared = new Set(wanted.flatMap(({ of = [] }) => of));
  return rows
    .filter(({ name }) => whole.has(name) || compared.has(name))
    .map((row) =>
      whole.has(row.name) ? row : { ...row, loads: row.loads.filter(({ inFlight }) => inFlight) },
    );
}

const leadInSeconds = 1;

const keyOf = ({ inFlight, ratePerSecond }) => (ratePerSecond ? `${ratePerSecond}/s` : String(inFlight));

/**
 * Measures in the order A B C A B C …. The speed of the machine changes over time, and this affects all rows equally.
 */
async function takeTurns(rows, { rounds, seconds }, progress) {
  const loads = new Map(rows.flatMap(({ loads }) => loads.map((load) => [keyOf(load), load])));
  const taken = rows.map((row) => ({ ...row, samples: new Map(row.loads.map((load) => [keyOf(load), []])) }));
  for (let round = 0; round <= rounds; round++) {
    for (const [key, load] of loads) {
      for (const row of taken.filter(({ samples }) => samples.has(key))) {
        progress(round === 0 ? 'warm-up' : `round ${round} of ${rounds}`, row.name, key);
        // This sample does not count. After the turns of other rows, a machine needs a moment to run these programs at
        // full speed again.
        const leadIn = await row.run(load, Math.min(leadInSeconds, seconds));
        const sample = round === 0 ? leadIn : await row.run(load, seconds);
        if (sample.failures > 0 && !load.ratePerSecond)
          throw new Error(`${row.name}: ${sample.failures} calls failed: ${sample.firstFailure}`);
        if (round > 0) row.samples.get(key).push(sample);
      }
    }
  }
  return taken;
}

function table(rows) {
  const samplesOf = (name, key) => rows.find((row) => row.name === name)?.samples.get(key);
  return rows.flatMap(({ name, of = [], overheadOf, loads, samples }) =>
    loads.map((load) => {
      const key = keyOf(load);
      const own = samples.get(key);
      const figure = (field) => median(own.map((sample) => sample[field] ?? 0));
      // Paired by round, so that a slow moment counts for both rows.
      const paired = (others, compare) =>
        others ? median(own.map((sample, round) => compare(sample, others[round]))) : null;
      const open = samplesOf(overheadOf, key);
      const ratioTo = (other) => paired(samplesOf(other, key), (one, two) => one.rate / two.rate);
      return {
        row: name,
        load: key,
        rate: figure('rate'),
        p50: figure('p50'),
        p99: figure('p99'),
        overheadP50: paired(open, (paid, free) => paid.p50 - free.p50),
        overheadP99: paired(open, (paid, free) => paid.p99 - free.p99),
        // At a fixed rate, all rows have the same rate unless they are too slow.
        ratios: load.ratePerSecond ? {} : Object.fromEntries(of.map((other) => [other, ratioTo(other)])),
        ...(load.ratePerSecond && openLoopFigures(figure)),
      };
    }),
  );
}

/** Returns the medians of the generator's lateness, of unsent requests, and of failures. */
const openLoopFigures = (figure) => ({
  lateP99: figure('lateP99'),
  unsent: figure('unsent'),
  failures: figure('failures'),
});
