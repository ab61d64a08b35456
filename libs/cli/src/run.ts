import type { CommandInfo } from './command';
import { commands } from './command-list';
import { isHelp, readContext } from './context';
import { exitCodes, UsageError } from './exit-codes';
import type { Terminal } from './terminal';

export const version = '0.1.0';

/** Runs a command line and prints errors. Resolves to the exit code. */
export async function runTollbridge(argv: readonly string[], terminal: Terminal): Promise<number> {
  try {
    return (await dispatch(argv, terminal)) ?? exitCodes.ok;
  } catch (error) {
    if (terminal.signal.aborted) return exitCodes.interrupted;
    const { reportFailure } = await import('./failures');
    const isOwn = commands.some(({ name }) => name.split(' ')[0] === argv[0]);
    return reportFailure(error, terminal, { isJson: argv.includes('--json'), isRepeatable: !isOwn });
  }
}

async function dispatch(argv: readonly string[], terminal: Terminal): Promise<number | void> {
  const [first, second] = argv;
  if (first === '--version' || first === '-v' || first === 'version') return terminal.out(version);
  if (first === '__complete') {
    const { complete } = await import('./complete');
    return terminal.out(complete(argv.slice(1)).join('\n'));
  }
  if (first === undefined || first === 'help' || first.startsWith('-')) return showHelp(argv, terminal);
  const own =
    commands.find(({ name }) => name === `${first} ${second}`) ?? commands.find(({ name }) => name === first);
  if (own) return runOwn(own, argv.slice(own.name.split(' ').length), terminal);
  if (commands.some(({ name }) => name.startsWith(`${first} `))) return showMembers(first, argv, terminal);
  const { runGroup } = await import('./operation-command');
  return runGroup(argv, terminal);
}

async function showHelp(argv: readonly string[], terminal: Terminal): Promise<number | void> {
  const [first, ...rest] = argv;
  const known = ['-h', '--help', 'help', undefined];
  if (first?.startsWith('-') && !known.includes(first))
    throw new UsageError(`Unknown option ${first}.`, 'Options follow the command: tollbridge --help');
  // `tollbridge help orders create-order` is the same as `tollbridge orders create-order --help`.
  if (first === 'help' && rest.length > 0) return dispatch([...rest, '--help'], terminal);
  const { overview } = await import('./help');
  return terminal.out(overview());
}

/** Prints the commands that begin with a word, for `tollbridge events`. */
async function showMembers(word: string, argv: readonly string[], terminal: Terminal): Promise<void> {
  const { wordHelp } = await import('./help');
  const second = argv[1];
  if (second !== undefined && !isHelp(argv))
    throw new UsageError(`${word} has no command ${second}.`, wordHelp(word));
  terminal.out(wordHelp(word));
}

async function runOwn(
  command: CommandInfo,
  argv: readonly string[],
  terminal: Terminal,
): Promise<number | void> {
  if (isHelp(argv)) {
    const { commandHelp } = await import('./help');
    return terminal.out(commandHelp(command));
  }
  const context = readContext(argv, command.flags, terminal, {
    mayBeNew: command.namesProfile === true,
  });
  const { min, max } = command.positionals ?? { min: 0, max: 0 };
  const { length } = context.positionals;
  const usage = `Usage: tollbridge ${[command.name, command.usage].filter(Boolean).join(' ')}`;
  if (length < min) throw new UsageError(`${command.name} needs ${command.usage}.`, usage);
  if (length > max) throw new UsageError(`${context.positionals[max]} is an unexpected argument.`, usage);
  const { run } = await command.load();
  return run(context);
}
