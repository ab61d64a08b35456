// The rows of one seller: his route without a guard, what he answers to who does not pay, and the paid route.
import { Connections } from '../http-load.mjs';
import { measure } from '../measure.mjs';
import { rawFastify } from './limit-rows.mjs';
import { openLoop } from './open-loop.mjs';
import { paths, resourceBytes } from './resource.mjs';
import { yardsticks } from './sellers.mjs';

const levels = [1, 16, 64].map((inFlight) => ({ inFlight }));
// As many as a seller's clients may have open; what is beyond waits, and its waiting counts.
const mostInFlight = 256;
// More than can be sent are prepared, or a fast moment would end the measurement too soon.
const spare = 1.5;

export const rowName = (seller, kind) => `${seller}: ${kind}`;

/**
 * @param {import('./sellers.mjs').Seller} seller
 * @param {number[] | null} rates instead of the seller's own
 */
export function sellerRows(seller, rates, atEnd) {
  const name = (kind) => rowName(seller.name, kind);
  const others = yardsticks.filter((yardstick) => yardstick !== seller.name);
  const paced = (rates ?? seller.rates).map((ratePerSecond) => ({ ratePerSecond }));
  let running;
  const start = (makeRun) => async () => {
    running ??= startSeller(seller, atEnd);
    return makeRun(await running);
  };
  const guarded = (kind) => others.map((yardstick) => rowName(yardstick, kind));
  return [
    { name: name('open'), of: [rawFastify], loads: [...levels, ...paced], start: start(runOpen) },
    { name: name('402'), of: guarded('402'), loads: levels, start: start(run402) },
    {
      name: name('paid'),
      of: guarded('paid'),
      overheadOf: name('open'),
      loads: [...levels, ...paced],
      start: start((known) => runPaid(seller, known)),
    },
  ];
}

async function startSeller(seller, atEnd) {
  const known = await seller.start();
  atEnd(() => known.stop());
  return { ...known, answered: 0, failures: 0 };
}

const runOpen = (known) => (load, seconds) => measureLoad(known, () => ({ path: paths.open }), load, seconds);

const run402 = (known) => (load, seconds) =>
  measureLoad(known, () => ({ path: paths.paid, status: 402 }), load, seconds);

function runPaid(seller, known) {
  const lastRates = new Map();
  return async (load, seconds) => {
    const { inFlight, ratePerSecond } = load;
    const likely = lastRates.get(inFlight) ?? seller.likelyPerSecond;
    const count = ratePerSecond ? ratePerSecond * seconds : likely * spare * seconds + inFlight;
    const requests = await known.prepare(Math.ceil(count));
    let next = 0;
    const result = await measureLoad(known, () => requests[next++], load, seconds);
    lastRates.set(inFlight, result.rate);
    known.answered += result.answered;
    known.failures += result.failures;
    await demandPayments(seller, known);
    return result;
  };
}

/** Whoever got the resource has paid, once; of those that failed nobody knows. */
async function demandPayments(seller, { countPayments, answered, failures }) {
  const payments = await countPayments();
  if (payments >= answered && payments <= answered + failures) return;
  throw new Error(`${seller.name} was paid ${payments} times for ${answered} answers (${failures} failed)`);
}

/** Every answer must be the resource, byte by byte, or have the status that its request demands. */
async function measureLoad({ url }, next, { inFlight, ratePerSecond }, seconds) {
  const connections = new Connections(url, inFlight ?? mostInFlight);
  const counted = { answered: 0, firstFailure: undefined };
  const send = () => {
    const request = next();
    return request && sendChecked(connections, request, counted);
  };
  try {
    await connections.warm({ path: paths.open });
    const result = ratePerSecond
      ? await openLoop(send, { ratePerSecond, seconds, mostInFlight })
      : await measure(send, inFlight, seconds);
    return { ...result, ...counted };
  } finally {
    connections.close();
  }
}

async function sendChecked(connections, request, counted) {
  try {
    const body = await connections.send(request);
    if (request.status !== 402 && !body.equals(resourceBytes)) throw new Error(`not the resource: ${body}`);
    counted.answered++;
  } catch (error) {
    counted.firstFailure ??= error.message;
    throw error;
  }
}
