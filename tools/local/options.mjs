import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { argumentMistake, describeError } from './problem.mjs';

/**
 * @typedef {object} Option in the format of `parseArgs`
 * @property {'string' | 'boolean'} type
 * @property {any} [default]
 * @property {string} [rule] the rule for a value, for the error message
 * @property {(text: string) => unknown} [read] returns undefined for a value that breaks the rule
 */

/** @type {Option} */
export const flag = { type: 'boolean', default: false };

/** @param {string} [standard] @returns {Option} */
export const text = (standard) => ({ type: 'string', ...(standard !== undefined && { default: standard }) });

/**
 * @param {number | undefined} standard
 * @param {string} rule
 * @param {(value: number) => boolean} isAllowed
 * @returns {Option}
 */
const numeric = (standard, rule, isAllowed) => ({
  ...text(standard?.toString()),
  rule,
  read: (value) => (value.trim() !== '' && isAllowed(Number(value)) ? Number(value) : undefined),
});

/** @param {number} [standard] */
export const positive = (standard) =>
  numeric(standard, 'a number above 0', (value) => value > 0 && value < Infinity);

/** @param {number} [standard] */
export const wholeNumber = (standard, least = 1) =>
  numeric(
    standard,
    `a whole number of at least ${least}`,
    (value) => Number.isSafeInteger(value) && value >= least,
  );

/** @param {readonly string[]} names @param {string} [standard] @returns {Option} */
export const oneOf = (names, standard) => ({
  ...text(standard),
  rule: `one of ${names.join(', ')}`,
  read: (value) => (names.includes(value) ? value : undefined),
});

/**
 * Returns the options of this program. `--help` prints the comment at the start of the program and its options. A
 * mistake prints one line with the options and exits with 2. From here on, known errors are printed as a sentence.
 * @template {Record<string, Option>} Declared
 * @param {Declared} declared
 * @param {{ words?: number, args?: string[] }} [more] words: the number of accepted positional arguments
 * @returns {{ values: { [Name in keyof Declared]: any }, words: string[] }}
 */
export function readOptions(declared, { words: most = 0, args = process.argv.slice(2) } = {}) {
  if (args.includes('--help')) {
    process.stdout.write(usageOf(process.argv[1] ?? '', declared));
    process.exit(0);
  }
  process.once('uncaughtException', (error) => {
    process.stderr.write(`\n  ${describeError(error)}\n`);
    process.exit(1);
  });
  try {
    return parse(declared, args, most);
  } catch (error) {
    const names = [...Object.keys(declared), 'help'].map((name) => `--${name}`).join(', ');
    process.stderr.write(`${argumentMistake(error)} Options: ${names}.\n`);
    return process.exit(2);
  }
}

/** @param {Record<string, Option>} declared @param {string[]} args @param {number} most */
function parse(declared, args, most) {
  const { values, positionals } = parseArgs({ args, options: declared, allowPositionals: true });
  if (positionals.length > most) throw new Error(`Unexpected argument '${positionals[most]}'.`);
  const read = Object.entries(values).map(([name, value]) => {
    const { rule, read: toValue = (/** @type {any} */ it) => it } = declared[name] ?? {};
    const result = toValue(/** @type {string} */ (value));
    if (result === undefined) throw new Error(`--${name} must be ${rule}.`);
    return [name, result];
  });
  return { values: Object.fromEntries(read), words: positionals };
}

/** @param {string} program @param {Record<string, Option>} declared */
function usageOf(program, declared) {
  const [head = ''] = /^(?:\/\/.*\n)+/.exec(readFileSync(program, 'utf8')) ?? [];
  const lines = Object.entries({ ...declared, help: flag }).map(([name, { type, default: standard }]) => {
    const shown = type === 'boolean' || standard === undefined || standard === '' ? '' : `  (${standard})`;
    return `  --${name}${type === 'boolean' ? '' : ' VALUE'}${shown}`;
  });
  return `${head.replace(/^\/\/ ?/gm, '')}\n${lines.join('\n')}\n`;
}
