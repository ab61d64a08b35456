import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { checkDiskSpace } from '../local/disk-space.mjs';
import { repository } from '../local/directory.mjs';
import { ensurePackages } from '../local/packages.mjs';
import { argumentMistake, describeError, Problem, TypingMistake } from '../local/problem.mjs';
import { stopCommands } from '../local/run-command.mjs';
import { ensureServers } from '../local/server-programs.mjs';
import { onStopSignal } from '../local/signals.mjs';
import { Steps } from '../local/steps.mjs';
import { writeGeneratedSources } from '../sdk/generated-sources.mjs';
import { changedFiles } from './changed-files.mjs';
import { groups, parts, partsOfChange, partsOfShard, rareGroups, stagesOf } from './parts.mjs';

/**
 * @typedef {object} Outcome
 * @property {number} passed
 * @property {number} failed
 * @property {string} report text about the failures
 * @property {string} [unsteady] tests that failed at first and passed alone
 */

/** Runs the wanted parts, continues after a failing part, and reports all failures at the end. */
export class TestCommand {
  /**
   * @param {import('./parts.mjs').Part[]} wanted
   * @param {import('./parts.mjs').Shard} [shard] the share of this machine
   */
  constructor(wanted, shard) {
    this.wanted = shard ? partsOfShard(wanted, shard) : wanted;
    this.shard = shard;
    this.steps = new Steps();
    /** @type {{ name: string, outcome: Outcome }[]} */
    this.results = [];
    this.isInterrupted = false;
  }

  /** @returns {Promise<number>} the exit code */
  async run() {
    this.steps.print(`\n  Tollbridge, Node.js ${process.versions.node}\n`);
    checkDiskSpace(repository);
    await this.steps.run('packages', ensurePackages);
    await this.steps.run('servers', ensureServers);
    writeGeneratedSources();
    for (const stage of stagesOf(this.wanted)) await this.runStage(stage);
    return this.conclude();
  }

  /** Runs as many parts in parallel as there are cores, slowest first. @param {import('./parts.mjs').Part[]} stage */
  async runStage(stage) {
    const left = [...stage];
    const lane = async () => {
      for (let part = left.shift(); part && !this.isInterrupted; part = left.shift())
        this.results.push({ name: part.name, outcome: await this.runPart(part) });
    };
    await Promise.all(Array.from({ length: Math.min(availableParallelism(), stage.length) }, lane));
  }

  /** @param {import('./parts.mjs').Part} part @returns {Promise<Outcome>} */
  async runPart({ name, run }) {
    /** @type {Outcome} */
    let outcome = { passed: 0, failed: 1, report: '' };
    await this.steps
      .run(name, async (note) => {
        outcome = await run(note, this.shard);
        note(`${outcome.passed} passed, ${outcome.failed} failed`);
        if (outcome.failed > 0) throw new Problem(`${name} failed`);
      })
      .catch((error) => {
        if (outcome.report === '') outcome.report = describeError(error);
      });
    return outcome;
  }

  conclude() {
    for (const { name, outcome } of this.results) {
      if (outcome.failed > 0) console.log(`\n──── ${name}: ${outcome.failed} failed ────\n${outcome.report}`);
      if (outcome.unsteady)
        console.log(`\n──── ${name}: unsteady, passed when run alone ────\n${outcome.unsteady}`);
    }
    const count = (/** @type {'passed' | 'failed'} */ key) =>
      this.results.reduce((sum, { outcome }) => sum + outcome[key], 0);
    const interrupted = this.isInterrupted ? 1 : 0;
    if (interrupted) console.log('\n  Interrupted: the parts that were not run count as one failure.');
    console.log(`\n${count('passed')} passed, ${count('failed') + interrupted} failed`);
    return count('failed') + interrupted > 0 ? 1 : 0;
  }
}

/** @param {string[]} args */
export async function test(args) {
  if (args.includes('--help')) {
    console.log(usage);
    return 0;
  }
  const command = new TestCommand(readParts(args), readShard(args));
  const interrupt = () => {
    command.isInterrupted = true;
    stopCommands();
  };
  onStopSignal(interrupt, () => process.exit(130));
  return command.run();
}

const usage = `Usage: npm test [-- --only ${[...groups, ...rareGroups].join(',')} | -- --changed [commit] | -- --shard 1/3]`;

/** @param {string[]} args @returns {import('./parts.mjs').Part[]} */
export function readParts(args) {
  const { only, changed, base } = readOptions(args);
  if (changed) return partsOfChange(changedFiles(base ?? 'HEAD'));
  const wanted = only === undefined ? groups : only.split(',');
  const unknown = wanted.filter((name) => ![...groups, ...rareGroups].includes(name));
  if (unknown.length > 0) throw new TypingMistake(`There is no part ${unknown.join(', ')}.\n\n  ${usage}`);
  return parts.filter(({ usedBy }) => usedBy.some((group) => wanted.includes(group)));
}

/** @param {string[]} args @returns {import('./parts.mjs').Shard | undefined} */
export function readShard(args) {
  const { shard } = readOptions(args);
  if (shard === undefined) return undefined;
  const [index, count] = /^[1-9]\d{0,2}\/[1-9]\d{0,2}$/.test(shard) ? shard.split('/').map(Number) : [];
  if (!index || !count || index > count)
    throw new TypingMistake(
      `--shard is "${shard}"; the first of three machines has --shard 1/3.\n\n  ${usage}`,
    );
  return { index, count };
}

/** @param {string[]} args */
function readOptions(args) {
  try {
    const { values, positionals } = parseArgs({
      args,
      options: { only: { type: 'string' }, changed: { type: 'boolean' }, shard: { type: 'string' } },
      allowPositionals: true,
    });
    if (positionals.length > (values.changed ? 1 : 0))
      throw new Error(`Unknown argument ${positionals.at(-1)}`);
    if (values.changed && values.only) throw new Error('Use --only or --changed');
    if (values.changed && values.shard) throw new Error('Use --shard or --changed');
    return { ...values, base: positionals[0] };
  } catch (error) {
    throw new TypingMistake(`${argumentMistake(error)}\n\n  ${usage}`);
  }
}
