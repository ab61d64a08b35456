import { availableParallelism } from 'node:os';
import { buildAll, readProjectGraph } from '../local/build-all.mjs';
import { jestPart } from './jest-part.mjs';
import { nodeTestPart } from './node-test-part.mjs';
import { countedPart, singleCheck } from './single-check.mjs';

/**
 * @typedef {object} Part
 * @property {string} name
 * @property {string[]} usedBy the groups, as in --only, that need it
 * @property {boolean} [sharesCores] it uses about one core, so it runs beside others of its kind
 * @property {(note: (text: string) => void) => Promise<import('./test-command.mjs').Outcome>} run
 */

export const groups = ['lint', 'types', 'tools', 'unit', 'contracts', 'int', 'e2e'];

// In one process, which reads the types once; `npm run lint` remembers what has not changed.
const linted = singleCheck('eslint', ['apps', 'libs', '--max-warnings', '0']);

// By default jest leaves one core free: on two cores it would run everything in one process.
const unitWorkers = [`--maxWorkers=${availableParallelism()}`, '--workerIdleMemoryLimit=1GB'];

// These tests wait for servers and blocks most of their time. Workers also give back the memory that their files took.
const intWorkers = [`--maxWorkers=${availableParallelism() + 1}`, '--workerIdleMemoryLimit=1GB'];

/** In the order in which they run: what is quick to tell something comes first. @type {Part[]} */
export const parts = [
  { name: 'lint', usedBy: ['lint'], sharesCores: true, run: lint },
  {
    name: 'types',
    usedBy: ['types'],
    sharesCores: true,
    run: singleCheck('tsc', ['--noEmit', '--pretty', 'false']),
  },
  { name: 'format', usedBy: ['lint'], sharesCores: true, run: singleCheck('prettier', ['--check', '.']) },
  {
    name: 'contracts',
    usedBy: ['contracts'],
    sharesCores: true,
    run: countedPart('libs/onchain/scripts/test.mjs'),
  },
  { name: 'tools', usedBy: ['tools'], sharesCores: true, run: nodeTestPart() },
  {
    name: 'unit',
    usedBy: ['unit'],
    run: jestPart('unit', /(?<!\.int)\.spec\.ts$/, ['libs', 'apps'], { more: unitWorkers }),
  },
  { name: 'build', usedBy: ['int', 'e2e'], run: build },
  {
    name: 'int',
    usedBy: ['int'],
    run: jestPart('int', /\.int\.spec\.ts$/, ['libs', 'apps'], { more: intWorkers, again: true }),
  },
  // Each file starts a whole world of its own, which takes as much as a machine of two cores can do for two of them.
  {
    name: 'e2e',
    usedBy: ['e2e'],
    run: jestPart('e2e', /\.e2e\.spec\.ts$/, ['e2e'], { more: ['--maxWorkers=2'], again: true }),
  },
];

/**
 * Parts in the order in which they run: those that share the cores side by side, every other part by itself.
 * @param {Part[]} wanted
 * @returns {Part[][]}
 */
export function stagesOf(wanted) {
  const single = wanted.filter(({ sharesCores }) => sharesCores);
  const others = wanted.filter(({ sharesCores }) => !sharesCores).map((part) => [part]);
  return single.length > 0 ? [single, ...others] : others;
}

async function lint() {
  // Without it the rule of who may import whom allows everything.
  await readProjectGraph();
  return linted();
}

/** @param {(text: string) => void} note */
async function build(note) {
  await buildAll(note);
  return { passed: 1, failed: 0, report: '' };
}
