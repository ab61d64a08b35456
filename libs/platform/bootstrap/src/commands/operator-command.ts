import { randomUUID } from 'node:crypto';
import { hostname, userInfo } from 'node:os';
import type { OperatorAction } from '@tollbridge/database';

/** Options of a command line, such as `--operator alice`, and its other arguments. */
export interface CommandLine {
  options: Readonly<Record<string, string | true>>;
  words: readonly string[];
}

/**
 * @param names the options that need a value; `flags` are options without a value
 * @throws Error for an unknown option and for an option without its value
 */
export function readCommandLine(
  args: readonly string[],
  { names, flags = [] }: { names: readonly string[]; flags?: readonly string[] },
): CommandLine {
  const options: Record<string, string | true> = {};
  const words: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const argument = args[at]!;
    if (!argument.startsWith('--')) {
      words.push(argument);
      continue;
    }
    const [name = '', inline] = splitOnce(argument.slice(2));
    if (flags.includes(name) && inline === undefined) options[name] = true;
    else if (!names.includes(name)) throw new Error(`Unknown option --${name}.`);
    else {
      const value = inline ?? args[++at];
      if (!value) throw new Error(`--${name} needs a value.`);
      options[name] = value;
    }
  }
  return { options, words };
}

function splitOnce(text: string): [string, string?] {
  const at = text.indexOf('=');
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

/** Returns the value of an option, or undefined when the option is absent. */
export function optionText({ options }: CommandLine, name: string): string | undefined {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
}

const longestName = 128;

/**
 * The person who runs a command: `--operator`, or OPERATOR_NAME. In the sandbox the default is the user of
 * the machine. Elsewhere a default would record the same name for all operators of a container.
 * @throws Error when no name is given
 */
export function operatorOf(line: CommandLine, env: NodeJS.ProcessEnv = process.env): string {
  const given = (optionText(line, 'operator') ?? env['OPERATOR_NAME'] ?? '').trim();
  const name = given || (env['TOLLBRIDGE_ENV'] === 'sandbox' ? `${userInfo().username}@${hostname()}` : '');
  if (!name) throw new Error('Name the operator: --operator NAME, or OPERATOR_NAME in the environment.');
  if (name.length > longestName)
    throw new Error(`The operator's name has at most ${longestName} characters.`);
  return name;
}

/** The common fields of an audit log entry of a command. */
export function commandAction(
  line: CommandLine,
  { command, env }: { command: string; env?: NodeJS.ProcessEnv },
): Pick<OperatorAction, 'operator' | 'caller' | 'reason' | 'requestId'> {
  return {
    operator: operatorOf(line, env),
    caller: `command:${command}`,
    reason: optionText(line, 'reason') ?? '',
    requestId: randomUUID(),
  };
}

/** Runs the body of a command, prints its text, and exits with 1 after a failure. */
export function runCommand(app: string, work: () => Promise<string>): void {
  work().then(
    (output) => void process.stdout.write(`${output}\n`),
    (error: Error) => {
      process.stderr.write(`${app}: ${error.message || error.name}\n`);
      process.exitCode = 1;
    },
  );
}
