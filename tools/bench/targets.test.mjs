import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isMissed, evaluate, evaluateAll, targets } from './targets.mjs';

const more = { must: 0.4, aim: 0.6, isMoreBetter: true };
const less = { must: 40, aim: 15, isMoreBetter: false };

describe('evaluate', () => {
  it('meets a bound with an equal value', () => {
    assert.deepEqual(
      [0.6, 0.4, 0.39].map((value) => evaluate(more, value)),
      ['aim', 'must', 'missed'],
    );
    assert.deepEqual(
      [15, 40, 40.1].map((value) => evaluate(less, value)),
      ['aim', 'must', 'missed'],
    );
  });

  it('never meets a target that was not measured', () => {
    for (const value of [undefined, null, NaN]) assert.equal(evaluate(less, value), 'not measured');
  });
});

describe('evaluateAll', () => {
  const nothing = { rows: [], sustained: [], figures: [], memory: [], sockets: null };
  const verdictOf = (result, name) => evaluateAll({ ...nothing, ...result }).find((it) => it.name === name);

  it('lists every target once, and measures none of an empty result', () => {
    const evaluated = evaluateAll(nothing);
    assert.equal(new Set(evaluated.map(({ name }) => name)).size, targets.length);
    assert.ok(evaluated.every(({ verdict }) => verdict === 'not measured'));
    assert.ok(!evaluated.some(isMissed));
  });

  it('compares the sustained create with the single insert', () => {
    const ratios = [
      { of: 'raw pg insert, batched', ratio: 0.1 },
      { of: 'raw pg insert', ratio: 0.45 },
    ];
    const sustained = [{ row: 'create an order', ratios, lastToFirst: 0.5, caughtUpSeconds: 3 }];
    assert.equal(
      verdictOf({ sustained }, 'create an order, sustained: share of raw pg insert').verdict,
      'must',
    );
    assert.equal(
      verdictOf({ sustained }, 'create an order, sustained: last minute / first minute').verdict,
      'missed',
    );
  });

  it('misses the backlog target when the backlog was never empty', () => {
    const sustained = [{ row: 'create an order', ratios: [], lastToFirst: 1, caughtUpSeconds: null }];
    const evaluated = verdictOf({ sustained }, 'create an order, sustained: seconds until caught up');
    assert.equal(evaluated.verdict, 'missed');
    assert.equal(evaluated.measured, Infinity);
  });

  it('uses the memory of the largest process', () => {
    const memory = [
      { process: 'gateway', idleMb: 80, afterMb: 100 },
      { process: 'sandbox', idleMb: 110, afterMb: 277 },
    ];
    assert.equal(verdictOf({ memory }, 'memory of the largest app, idle: MB').verdict, 'must');
    assert.equal(verdictOf({ memory }, 'memory of the largest app, after load: MB').measured, 277);
  });

  it('uses the number of calls in progress that the target specifies', () => {
    const rows = [
      { row: 'read an order', inFlight: 1, ratio: 0.9, p50: 2 },
      { row: 'read an order', inFlight: 64, ratio: 0.1, p50: 9 },
    ];
    assert.equal(verdictOf({ rows }, 'read an order, 64 in flight: share of raw Fastify GET').measured, 0.1);
    assert.equal(verdictOf({ rows }, 'read an order, 1 in flight: p50 ms').measured, 2);
  });
});
