import { globalFlags, type CommandContext } from './command';
import { parseFlags, type FlagInfo } from './parse-flags';
import { clientOf, readSession } from './session';
import type { Terminal } from './terminal';

/** Whether the help was requested before `--`, which ends the options. */
export const isHelp = (argv: readonly string[]): boolean =>
  argv.slice(0, argv.includes('--') ? argv.indexOf('--') : undefined).some((it) => /^(-h|--help)$/.test(it));

/** Parses the command line. @throws UsageError */
export function readContext(
  argv: readonly string[],
  flags: readonly FlagInfo[],
  terminal: Terminal,
  options: { allowsPaths?: boolean; mayBeNew?: boolean } = {},
): CommandContext {
  const line = parseFlags(argv, [...flags, ...globalFlags], options);
  const session = readSession(terminal.env, line.flags, options);
  return {
    ...line,
    terminal,
    session,
    client: clientOf(session),
    flag: (name) => line.flags.get(name)?.[0],
    has: (name) => line.flags.get(name)?.[0] === 'true',
    isJson: line.flags.get('json')?.[0] === 'true',
  };
}
