import { UsageError } from './exit-codes';
import { didYouMean } from './suggestion';

/** A flag of a command. */
export interface FlagInfo {
  name: string;
  description: string;
  /** Placeholder of the value in the help; absent for a flag without a value. */
  value?: string;
  isRepeatable?: boolean;
  /** Whether the flag means true when it has no value. */
  isBoolean?: boolean;
  /** Permitted values, for messages and completion. */
  values?: readonly string[];
}

export interface ParsedLine {
  positionals: string[];
  /** Values by flag name; `['true']` for a flag without a value. */
  flags: Map<string, string[]>;
}

/** Normalises a flag name: `merchant_amount`, `merchantAmount` and `merchant-amount` are the same flag. */
export const plain = (name: string): string => name.replace(/[-_]/g, '').toLowerCase();

/**
 * Parses `--name value`, `--name=value`, `--name`, `-h` and `--`.
 * @param allowsPaths accepts `--field.member value` if `field` is a flag
 * @throws UsageError
 */
export function parseFlags(
  argv: readonly string[],
  known: readonly FlagInfo[],
  { allowsPaths = false } = {},
): ParsedLine {
  const byName = new Map(known.map((flag) => [plain(flag.name), flag]));
  const flags = new Map<string, string[]>();
  const positionals: string[] = [];
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at]!;
    if (word === '--') {
      positionals.push(...argv.slice(at + 1));
      break;
    }
    if (!/^-(-?[A-Za-z]|-$)/.test(word)) {
      positionals.push(word);
      continue;
    }
    const [, given = '', inline] = /^--?([^=]*)(?:=([^]*))?$/.exec(word) ?? [];
    const [head = '', ...path] = given === 'h' ? ['help'] : given.split('.');
    const flag = byName.get(plain(head));
    if (!flag || (path.length > 0 && !allowsPaths)) throw unknownFlag(given, known);
    const isAlone =
      flag.value === undefined || (flag.isBoolean === true && !/^(true|false)$/.test(argv[at + 1] ?? ''));
    const value = inline ?? (isAlone ? 'true' : argv[++at]);
    if (value === undefined) throw new UsageError(`--${given} needs a value: ${flag.value}.`);
    if (flag.value === undefined && inline !== undefined && !/^(true|false)$/.test(inline))
      throw new UsageError(`--${given} takes no value.`);
    store(flags, flag, [flag.name, ...path].join('.'), value);
  }
  return { positionals, flags };
}

function store(flags: Map<string, string[]>, flag: FlagInfo, name: string, value: string): void {
  const before = flags.get(name);
  if (before && !flag.isRepeatable) throw new UsageError(`--${name} is set twice.`);
  if (flag.values && flag.value !== undefined && !flag.isRepeatable && !flag.values.includes(value))
    throw new UsageError(
      `--${name} cannot be ${value}.`,
      didYouMean(value, flag.values, `It is one of ${flag.values.join(', ')}.`),
    );
  flags.set(name, [...(before ?? []), value]);
}

function unknownFlag(given: string, known: readonly FlagInfo[]): UsageError {
  const names = known.map(({ name }) => `--${name.replaceAll('_', '-')}`);
  return new UsageError(
    `Unknown option --${given}.`,
    didYouMean(`--${given}`, names, 'Add --help for the options of this command.'),
  );
}
