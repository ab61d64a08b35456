// All targets of the benchmark. `must` is required, `aim` is the goal.

/**
 * @typedef {object} Target
 * @property {string} name as it is printed
 * @property {number} must
 * @property {number} aim
 * @property {boolean} [isMoreBetter] default false
 * @property {(result: object) => number | undefined} measured undefined if the run did not measure it
 */

const row = (name, inFlight, figure) => (result) =>
  result.rows.find((each) => each.row === name && each.inFlight === inFlight)?.[figure];
const sustained = (name, figure) => (result) => {
  const found = result.sustained.find((each) => each.row === name);
  return found && figure(found);
};
const figure = (name) => (result) => result.figures.find((each) => each.name === name)?.value;
const largest = (key) => (result) => {
  const found = result.memory.map((each) => each[key]);
  return found.length > 0 ? Math.max(...found) : undefined;
};

const ofLimit = (limit) => (measured) => measured.ratios.find(({ of }) => of === limit)?.ratio;
// A backlog that was never empty misses every bound.
const caughtUp = ({ caughtUpSeconds }) => caughtUpSeconds ?? Infinity;

/** @type {Target[]} */
export const targets = [
  more(
    'create an order, sustained: share of raw pg insert',
    0.4,
    0.6,
    sustained('create an order', ofLimit('raw pg insert')),
  ),
  more(
    'create an order, sustained: last minute / first minute',
    0.9,
    1,
    sustained('create an order', (it) => it.lastToFirst),
  ),
  less('create an order, sustained: seconds until caught up', 10, 5, sustained('create an order', caughtUp)),
  more(
    'create an order, 64 in flight: share of raw pg insert',
    0.4,
    0.6,
    row('create an order', 64, 'ratio'),
  ),
  more('read an order, 64 in flight: share of raw Fastify GET', 0.3, 0.5, row('read an order', 64, 'ratio')),
  more('create an order, 1 in flight: of plain Nest', 1, 1.5, row('create an order', 1, 'peerRatio')),
  more(
    'create an order, one every 150 ms: of plain Nest',
    1.1,
    1.5,
    row('create an order, one every 150 ms', 1, 'peerRatio'),
  ),
  more('read an order, 1 in flight: of plain Nest', 1.2, 2, row('read an order', 1, 'peerRatio')),
  more('create an order, 64 in flight: of plain Nest', 2.5, 4, row('create an order', 64, 'peerRatio')),
  more('read an order, 64 in flight: of plain Nest', 2, 4, row('read an order', 64, 'peerRatio')),
  less('create an order, 1 in flight: p50 ms', 2.5, 1, row('create an order', 1, 'p50')),
  less('read an order, 1 in flight: p50 ms', 1, 0.5, row('read an order', 1, 'p50')),
  more(
    'merchant consumes order events: events/s',
    3_000,
    6_000,
    row('merchant consumes order events', 1, 'rate'),
  ),
  more(
    'execute a swap, 64 in flight: share of raw pg insert',
    0.2,
    0.35,
    row('execute a swap, not sent', 64, 'ratio'),
  ),
  less('commits of an order', 5, 3, figure('commits of an order, one every 250 ms')),
  less(
    'idle processor, one process per service: % of a core',
    5,
    2,
    figure('idle processor, one process per service'),
  ),
  less('memory of the largest app, idle: MB', 120, 90, largest('idleMb')),
  less('memory of the largest app, after load: MB', 180, 120, largest('afterMb')),
  less('stream fan-out, 5,000 sockets: p99 ms', 40, 15, row('stream fan-out, 5,000 sockets', 1, 'p99')),
  less(
    'payment mined to settled, beyond confirmations: p50 ms',
    200,
    100,
    row('payment mined to settled', 1, 'p50'),
  ),
  less('batch-quote, 20 options: p50 ms', 200, 120, row('batch-quote, 20 options', 1, 'p50')),
  less('checkout-options, 10 wallets: p50 ms', 300, 180, row('checkout-options, 10 wallets', 1, 'p50')),
  less('stream update, 5,000 sockets: p99 ms', 20, 5, row('stream update, 5,000 sockets', 1, 'p99')),
  less('stream update, via gateway: p99 ms', 20, 5, row('stream update, via gateway', 1, 'p99')),
  less('5,000 open sockets: MB', 150, 75, (result) => result.sockets?.growthMb),
];

function more(name, must, aim, measured) {
  return { name, must, aim, isMoreBetter: true, measured };
}

function less(name, must, aim, measured) {
  return { name, must, aim, isMoreBetter: false, measured };
}

/** @returns `verdict`: `aim`, `must`, `missed`, or `not measured` */
export function evaluate({ must, aim, isMoreBetter }, measured) {
  // 0 divided by 0 is not a measurement, and misses every target.
  if (measured === undefined || measured === null || Number.isNaN(measured)) return 'not measured';
  const reaches = (bound) => (isMoreBetter ? measured >= bound : measured <= bound);
  if (reaches(aim)) return 'aim';
  return reaches(must) ? 'must' : 'missed';
}

/**
 * @param result of the benchmark
 * @returns every target with its measured value
 */
export function evaluateAll(result, list = targets) {
  return list.map((target) => {
    const measured = target.measured(result);
    const { name, must, aim, isMoreBetter } = target;
    return { name, must, aim, isMoreBetter, measured, verdict: evaluate(target, measured) };
  });
}

export const isMissed = ({ verdict }) => verdict === 'missed';
