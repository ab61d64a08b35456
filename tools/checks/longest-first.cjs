const { relative } = require('node:path');
const Sequencer = require('@jest/test-sequencer').default;
/** Seconds of the test files that took longest, of a whole run. @type {Record<string, number>} */
const durations = require('./durations.json');

const repository = `${__dirname}/../..`;

/**
 * The longest files first: the whole run would wait for one of them if it started last. A fresh clone has no durations
 * of its own, so `durations.json` keeps those of the last measured run (`tools/test-durations.mjs`).
 */
class LongestFirst extends Sequencer {
  /** @param {readonly import('@jest/test-result').Test[]} tests */
  sort(tests) {
    return [...tests].sort(
      (one, other) => secondsOf(other) - secondsOf(one) || one.path.localeCompare(other.path),
    );
  }

  /**
   * Every nth file of that order, the same on each machine.
   * @param {readonly import('@jest/test-result').Test[]} tests
   * @param {{ shardIndex: number, shardCount: number }} shard
   */
  shard(tests, { shardIndex, shardCount }) {
    return this.sort(tests).filter((_, index) => index % shardCount === shardIndex - 1);
  }
}

/** @param {{ path: string }} test */
const secondsOf = ({ path }) => durations[relative(repository, path)] ?? 0;

module.exports = LongestFirst;
module.exports.durations = durations;
