// The rows of one seller: the route without a paywall, the reply without a payment, and the paid route.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Connections } from '../http-load.mjs';
import { measure } from '../measure.mjs';
import { rawFastify } from './limit-rows.mjs';
import { openLoop } from './open-loop.mjs';
import { paths, resourceBytes } from './resource.mjs';
import { yardsticks } from './sellers.mjs';

const levels = [1, 16, 64].map((inFlight) => ({ inFlight }));
// Limit of open connections to a seller. Further requests wait, and their wait counts.
const mostInFlight = 256;
// Prepares more requests than can be sent, because otherwise a fast moment would end the measurement early.
const spare = 1.5;

/** Collects the garbage of earlier requests now, instead of during the measurement on a core that a server needs. */
const collectGarbage = (() => {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc');
})();

export const rowName = (seller, kind) => `${seller}: ${kind}`;

/**
 * @param {import('./sellers.mjs').Seller} seller
 * @param {number[] | null} rates replaces the seller's own rates
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
  const comparedRows = (kind) => others.map((yardstick) => rowName(yardstick, kind));
  return [
    { name: name('open'), of: [rawFastify], loads: [...levels, ...paced], start: start(runOpen) },
    { name: name('402'), of: comparedRows('402'), loads: levels, start: start(run402) },
    {
      name: name('paid'),
      of: comparedRows('paid'),
      overheadOf: name('open'),
      loads: [...levels, ...paced],
      start: start((running) => runPaid(seller, running)),
    },
  ];
}

async function startSeller(seller, atEnd) {
  const running = await seller.start();
  atEnd(() => running.stop());
  return { ...running, answered: 0, failures: 0 };
}

const runOpen = (running) => (load, seconds) =>
  measureLoad(running, () => ({ path: paths.open }), load, seconds);

const run402 = (running) => (load, seconds) =>
  measureLoad(running, () => ({ path: paths.paid, status: 402 }), load, seconds);

function runPaid(seller, running) {
  const lastRates = new Map();
  return async (load, seconds) => {
    const { inFlight, ratePerSecond } = load;
    const likely = lastRates.get(inFlight) ?? seller.likelyPerSecond;
    const count = ratePerSecond ? ratePerSecond * seconds : likely * spare * seconds + inFlight;
    const requests = await running.prepare(Math.ceil(count));
    collectGarbage();
    let next = 0;
    const result = await measureLoad(running, () => requests[next++], load, seconds);
    lastRates.set(inFlight, result.rate);
    running.answered += result.answered;
    running.failures += result.failures;
    await demandPayments(seller, running);
    return result;
  };
}

/** Verifies that each served request was paid once. The outcome of failed requests is unknown. */
async function demandPayments(seller, { countPayments, answered, failures }) {
  const payments = await countPayments();
  if (payments >= answered && payments <= answered + failures) return;
  throw new Error(`${seller.name} was paid ${payments} times for ${answered} answers (${failures} failed)`);
}

/** Measures a load. Every reply must equal the resource in each byte, or have the expected status. */
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
