import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import { buildAll, readProjectGraph } from '../local/build-all.mjs';
import { repository } from '../local/directory.mjs';
import { filesIn } from '../local/files-in.mjs';
import { testsBeside } from './changed-files.mjs';
import { jestPart } from './jest-part.mjs';
import { nodeTestPart } from './node-test-part.mjs';
import { countedPart, singleCheck } from './single-check.mjs';

/**
 * @typedef {object} Part
 * @property {string} name
 * @property {string[]} usedBy groups of --only that include it
 * @property {boolean} [sharesCores] whether it uses about one core, so that it can run in parallel with others
 * @property {boolean} [isShared] whether each of several machines runs it, with a share of its files
 * @property {(note: (text: string) => void, shard?: Shard) => Promise<import('./test-command.mjs').Outcome>} run
 */

/** The share of one of several machines, from 1 to `count`. @typedef {{ index: number, count: number }} Shard */

export const groups = ['lint', 'types', 'tools', 'unit', 'contracts', 'int', 'e2e'];

/** Groups that run only with --only. */
export const rareGroups = ['drills'];

// Types and all rules of .oxlintrc.json.
const linted = withGraph(singleCheck('oxlint', ['apps', 'libs', 'e2e', 'tools']));

// By default, jest leaves one core free. With two cores, it would run everything in one process.
const unitWorkers = [`--maxWorkers=${availableParallelism()}`, '--workerIdleMemoryLimit=2GB'];

// These tests wait for servers and blocks half of the time. Workers are restarted when they use too much memory.
const intWorkers = [`--maxWorkers=${availableParallelism() * 2 + 1}`, '--workerIdleMemoryLimit=2GB'];

/** In the order of execution, fastest parts first. @type {Part[]} */
export const parts = [
  // The slowest first, so that both cores are used until the end of the stage.
  { name: 'tools', usedBy: ['tools'], sharesCores: true, isShared: true, run: nodeTestPart() },
  { name: 'lint and types', usedBy: ['lint', 'types'], sharesCores: true, run: linted },
  { name: 'format', usedBy: ['lint'], sharesCores: true, run: singleCheck('oxfmt', ['--check', '.']) },
  {
    name: 'contracts',
    usedBy: ['contracts'],
    sharesCores: true,
    run: countedPart('libs/onchain/scripts/test.mjs'),
  },
  {
    name: 'unit',
    usedBy: ['unit'],
    isShared: true,
    run: jestPart('unit', /(?<!\.(?:int|drill))\.spec\.ts$/, ['libs', 'apps'], { more: unitWorkers }),
  },
  { name: 'build', usedBy: ['int', 'e2e', 'drills'], isShared: true, run: build },
  {
    name: 'int',
    usedBy: ['int'],
    isShared: true,
    run: jestPart('int', /\.int\.spec\.ts$/, ['libs', 'apps'], { more: intWorkers, again: true }),
  },
  // Each file starts separate apps and servers. Three files in parallel take as long as two, and delay the browsers.
  {
    name: 'e2e',
    usedBy: ['e2e'],
    isShared: true,
    run: jestPart('e2e', /\.e2e\.spec\.ts$/, ['e2e'], { more: ['--maxWorkers=2'], again: true }),
  },
  // Short runs of the drills that kill and restart processes.
  {
    name: 'drills',
    usedBy: ['drills'],
    isShared: true,
    run: jestPart('drills', /\.drill\.spec\.ts$/, ['e2e'], { more: ['--maxWorkers=2'] }),
  },
];

/**
 * Returns the parts that a change needs, in less than three minutes: lint and types of everything; format of changed
 * files; unit tests that import them; integration tests in their folders; tests of changed tools and contracts.
 * Excludes end-to-end tests.
 * @param {readonly string[]} changed paths relative to the repository
 * @returns {Part[]}
 */
export function partsOfChange(changed) {
  const int = testsBeside(changed, /\.int\.spec\.ts$/);
  const tools = toolTestsOf(changed);
  /** @type {Part[]} */
  const all = [];
  const add = (/** @type {string} */ name, /** @type {Part['run']} */ run, sharesCores = true) =>
    all.push({ name, usedBy: [name], sharesCores, run });
  add('lint and types', linted);
  if (changed.length > 0)
    add('format', singleCheck('oxfmt', ['--check', '--no-error-on-unmatched-pattern', ...changed]));
  if (changed.some((path) => path.startsWith('libs/onchain/')))
    add('contracts', countedPart('libs/onchain/scripts/test.mjs'));
  if (tools.length > 0) add('tools', nodeTestPart(tools));
  const related = ['--findRelatedTests', ...changed.filter((path) => path.endsWith('.ts'))];
  if (related.length > 1)
    add('unit', jestPart('unit', /$^/, [], { more: [...related, ...unitWorkers] }), false);
  if (int.length > 0) {
    add('build', build, false);
    const more = ['--runTestsByPath', ...int, ...intWorkers];
    add('int', jestPart('int', /$^/, [], { more, again: true }), false);
  }
  return all;
}

/** Returns the tests in the folders of changed tools, and the tests of changed documents, contracts and manifests. */
function toolTestsOf(/** @type {readonly string[]} */ changed) {
  const ofTools = changed.filter((path) => /^tools\//.test(path)).map((path) => dirname(path));
  const ofDocs = changed.some((path) => path.endsWith('.md') || path.startsWith('libs/contracts/'));
  const ofManifests = changed.some((path) => path.startsWith('deploy/'));
  const folders = new Set([
    ...ofTools,
    ...(ofDocs ? ['tools/docs'] : []),
    ...(ofManifests ? ['tools/kubernetes'] : []),
  ]);
  return filesIn(`${repository}/tools`).filter(
    (path) => path.endsWith('.test.mjs') && folders.has(dirname(path.slice(repository.length + 1))),
  );
}

/**
 * Groups parts into stages: parts that share the cores run in parallel, and every other part alone.
 * @param {Part[]} wanted
 * @returns {Part[][]}
 */
export function stagesOf(wanted) {
  const single = wanted.filter(({ sharesCores }) => sharesCores);
  const others = wanted.filter(({ sharesCores }) => !sharesCores).map((part) => [part]);
  return single.length > 0 ? [single, ...others] : others;
}

/**
 * Returns the parts of one machine: every nth of the parts that are not shared, and all shared parts.
 * @param {Part[]} wanted
 * @param {Shard} shard
 */
export function partsOfShard(wanted, { index, count }) {
  const single = wanted.filter(({ isShared }) => !isShared);
  return wanted.filter((part) => !single.includes(part) || single.indexOf(part) % count === index - 1);
}

/** Reads the project graph first, because without it the rule of module boundaries allows every import. */
function withGraph(/** @type {() => Promise<import('./test-command.mjs').Outcome>} */ check) {
  return async () => {
    await readProjectGraph();
    return check();
  };
}

/** @param {(text: string) => void} note */
async function build(note) {
  await buildAll(note);
  return { passed: 1, failed: 0, report: '' };
}
