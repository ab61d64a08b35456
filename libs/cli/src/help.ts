import { globalFlags, type CommandInfo } from './command';
import { commands } from './command-list';
import { operations } from './generated/api';
import { fieldFlags, groups, operationFlags } from './operation-flags';
import type { FieldInfo, OperationInfo } from './operation-info';
import type { FlagInfo } from './parse-flags';

/** Text of `tollbridge --help`. */
export function overview(): string {
  return [
    'tollbridge: the command line of Tollbridge',
    section(
      'Commands',
      commands.map(({ name, usage, summary }) => [short(name, usage), summary]),
    ),
    section('Operations of the API: tollbridge <group> <operation>', [...groups()]),
    section('Options', flagRows(globalFlags)),
    'Start: tollbridge login --sandbox\nHelp:  tollbridge <command> --help; every option is in docs/cli.md',
  ].join('\n\n');
}

const short = (name: string, usage = ''): string =>
  usage.length > 20 ? `${name} <…>` : `${name} ${usage}`.trim();

/** Text of `tollbridge login --help`. */
export function commandHelp({ name, usage, summary, description, flags, examples }: CommandInfo): string {
  return [
    `tollbridge ${[name, usage, '[options]'].filter(Boolean).join(' ')}`,
    [summary, description].filter(Boolean).join('. '),
    ...(flags.length > 0 ? [section('Options', flagRows(flags))] : []),
    section('Options of every command', flagRows(globalFlags)),
    section(
      'Examples',
      examples.map((example) => [example, '']),
    ),
  ].join('\n\n');
}

/** Text of `tollbridge events --help`: the commands that begin with this word. */
export function wordHelp(word: string): string {
  const own = commands.filter(({ name }) => name.startsWith(`${word} `));
  const rows = own.map(({ name, usage, summary }): [string, string] => [short(name, usage), summary]);
  return [section('Commands', rows), `Help: tollbridge ${own[0]!.name} --help`].join('\n\n');
}

/** Text of `tollbridge orders --help`. */
export function groupHelp(group: string): string {
  const own = operations.filter((each) => each.group === group);
  return [
    `tollbridge ${group} <operation> [options]`,
    section(
      own[0]!.title,
      own.map(({ name, summary }) => [name, summary]),
    ),
    `Help: tollbridge ${group} ${own[0]!.name} --help`,
  ].join('\n\n');
}

/** Text of `tollbridge orders create-order --help`. */
export function operationHelp(operation: OperationInfo): string {
  const { group, name, summary, description, fields, errors, method, path, isSandboxOnly } = operation;
  const rows = fieldFlags(operation).map((flag, at): [string, string] => [
    flagText(flag),
    noteOf(fields[at]!, flag.description),
  ]);
  return [
    `tollbridge ${group} ${name} [options]`,
    [`${summary}.${isSandboxOnly ? ' In the sandbox only.' : ''}`, description].filter(Boolean).join('\n'),
    `${method} ${path}   ${needs(operation)}`,
    ...(rows.length > 0 ? [section('Fields', rows)] : []),
    section('Options', flagRows([...operationFlags(operation), ...globalFlags])),
    section('Example', [[exampleOf(operation), '']]),
    ...(errors.length > 0 ? [`Own errors: ${errors.join(', ')}`] : []),
  ].join('\n\n');
}

function needs({ auth }: OperationInfo): string {
  if (auth === 'public') return 'No key is needed.';
  return auth === 'wallet'
    ? 'Needs the wallet itself: --as-wallet in the sandbox.'
    : `Needs a key that may ${auth}.`;
}

function noteOf({ isRequired, default: value, values }: FieldInfo, description: string): string {
  const notes = [
    isRequired && 'required',
    value !== undefined && `default ${String(value)}`,
    values && values.length > 6 && `one of ${values.join(', ')}`,
  ].filter(Boolean);
  return [description, notes.length > 0 && `(${notes.join('; ')})`].filter(Boolean).join(' ');
}

/** Returns a command line with the examples of the required fields. */
export function exampleOf({ group, name, fields }: OperationInfo): string {
  const required = fields.filter(({ isRequired }) => isRequired);
  const words = required.map((field) => `--${field.name.replaceAll('_', '-')} ${quoted(field)}`);
  return ['tollbridge', group, name, ...words].join(' ');
}

function quoted({ example, values, type }: FieldInfo): string {
  const [item] = Array.isArray(example) ? (example as unknown[]) : [example];
  const shown = type === 'list' && typeof item === 'string' ? item : (example ?? values?.[0] ?? '…');
  const text = typeof shown === 'string' ? shown : JSON.stringify(shown);
  return /^[\w.:/@+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

const flagText = ({ name, value }: FlagInfo): string =>
  [`--${name.replaceAll('_', '-')}`, value].filter(Boolean).join(' ');

const flagRows = (flags: readonly FlagInfo[]): [string, string][] =>
  flags.map((flag) => [flagText(flag), flag.description]);

const lineWidth = 100;

/** Returns a heading with rows of two columns. The second column is wrapped. */
function section(title: string, rows: readonly (readonly [string, string])[]): string {
  const width = Math.min(34, Math.max(...rows.map(([left]) => left.length)));
  const lines = rows.flatMap(([left, right]) => {
    const wrapped = wrap(right.replaceAll('`', ''), lineWidth - width - 4);
    const isWide = left.length > width;
    const first = isWide ? [`  ${left}`] : [`  ${left.padEnd(width)}  ${wrapped[0] ?? ''}`.trimEnd()];
    const rest = isWide ? wrapped : wrapped.slice(1);
    return [...first, ...rest.map((line) => `  ${' '.repeat(width)}  ${line}`.trimEnd())];
  });
  return [`${title}:`, ...lines.filter((line) => line.trim() !== '')].join('\n');
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/).filter(Boolean)) {
    if (line && line.length + word.length + 1 > width) {
      lines.push(line);
      line = word;
    } else line = line ? `${line} ${word}` : word;
  }
  return line ? [...lines, line] : lines;
}
