// Mutation tests of the pure money code: npm run mutation [-- part …]. Lists survived mutants and fails below 90 %.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import parts from './checks/mutation-parts.cjs';
import { repository } from './local/directory.mjs';
import { readOptions } from './local/options.mjs';

const leastScore = 90;
const { words: wanted } = readOptions({}, { words: Infinity });
const unknown = wanted.filter((name) => !Object.hasOwn(parts, name));
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(', ')}. Parts: ${Object.keys(parts).join(', ')}.`);
  process.exit(2);
}

let [detected, undetected] = [0, 0];
for (const part of wanted.length > 0 ? wanted : Object.keys(parts)) {
  const mutants = mutantsOf(part);
  const survivors = mutants.filter(({ status }) => status === 'Survived' || status === 'NoCoverage');
  const killed = mutants.filter(({ status }) => status === 'Killed' || status === 'Timeout').length;
  console.log(`\n${part}: ${score(killed, survivors.length)}`);
  for (const { file, line, status, mutatorName, replacement } of survivors)
    console.log(
      `  ${file}:${line} ${status} ${mutatorName}: ${replacement.replaceAll(/\s+/g, ' ').slice(0, 100)}`,
    );
  detected += killed;
  undetected += survivors.length;
}
console.log(`\nall: ${score(detected, undetected)}; at least ${leastScore} % is required`);
process.exitCode = percent(detected, undetected) >= leastScore ? 0 : 1;

/** @param {string} part */
function mutantsOf(part) {
  const stryker = join(repository, 'node_modules/@stryker-mutator/core/bin/stryker.js');
  const env = { ...process.env, MUTATION_PART: part };
  const { status } = spawnSync(process.execPath, [stryker, 'run'], {
    cwd: repository,
    env,
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error(`The mutation tests of ${part} did not end`);
  /** @type {{ files: Record<string, { mutants: any[] }> }} */
  const { files } = JSON.parse(readFileSync(join(repository, `coverage/mutation/${part}.json`), 'utf8'));
  return Object.entries(files).flatMap(([file, { mutants }]) =>
    mutants.map(({ location, ...mutant }) => ({ ...mutant, file, line: location.start.line })),
  );
}

/** @param {number} killed @param {number} survived */
function percent(killed, survived) {
  return (100 * killed) / (killed + survived);
}

/** @param {number} killed @param {number} survived */
function score(killed, survived) {
  return `${percent(killed, survived).toFixed(1)} %, ${killed} of ${killed + survived} mutants detected`;
}
