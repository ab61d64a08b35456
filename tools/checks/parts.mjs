import { availableParallelism } from 'node:os';
import { buildAll, readProjectGraph } from '../local/build-all.mjs';
import { jestPart } from './jest-part.mjs';
import { nodeTestPart } from './node-test-part.mjs';
import { countedPart, singleCheck } from './single-check.mjs';

/**
 * @typedef {object} Part
 * @property {string} name
 * @property {string[]} usedBy the groups, as in --only, that need it
 * @property {(note: (text: string) => void) => Promise<import('./test-command.mjs').Outcome>} run
 */

export const groups = ['lint', 'types', 'tools', 'unit', 'contracts', 'int', 'e2e'];

// In one process, which reads the types once; `npm run lint` remembers what has not changed.
const linted = singleCheck('eslint', ['apps', 'libs', '--max-warnings', '0']);

// These tests wait for servers and blocks most of their time. Workers also give back the memory that their files took.
const intWorkers = [`--maxWorkers=${availableParallelism() + 1}`, '--workerIdleMemoryLimit=1GB'];

/** In the order in which they run: what is quick to tell something comes first. @type {Part[]} */
export const parts = [
  { name: 'format', usedBy: ['lint'], run: singleCheck('prettier', ['--check', '.']) },
  { name: 'lint', usedBy: ['lint'], run: lint },
  { name: 'types', usedBy: ['types'], run: singleCheck('tsc', ['--noEmit', '--pretty', 'false']) },
  { name: 'tools', usedBy: ['tools'], run: nodeTestPart() },
  { name: 'unit', usedBy: ['unit'], run: jestPart('unit', /(?<!\.int)\.spec\.ts$/, ['libs', 'apps']) },
  { name: 'contracts', usedBy: ['contracts'], run: countedPart('libs/onchain/scripts/test.mjs') },
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
