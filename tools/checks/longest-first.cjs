const { relative } = require('node:path');
const Sequencer = require('@jest/test-sequencer').default;
/** Durations of the slowest test files of a full run, in seconds. @type {Record<string, number>} */
const durations = require('./durations.json');

const repository = `${__dirname}/../..`;

/**
 * Starts the slowest files first, because a slow file at the end would delay the whole run. A fresh clone has no
 * durations, so `durations.json` contains those of the last measured run (`tools/test-durations.mjs`).
 */
class LongestFirst extends Sequencer {
  /** @param {readonly import('@jest/test-result').Test[]} tests */
  sort(tests) {
    return [...tests].sort(
      (one, other) => secondsOf(other) - secondsOf(one) || one.path.localeCompare(other.path),
    );
  }

  /**
   * Returns every nth file of that order, the same on each machine.
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
