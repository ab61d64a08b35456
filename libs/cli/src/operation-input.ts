import type { CommandContext } from './command';
import { UsageError } from './exit-codes';
import { parseJson, readJsonFlag } from './json-flag';
import type { FieldInfo, OperationInfo } from './operation-info';

type Input = Record<string, unknown>;

/** Returns the input of an operation from `--data` and the flags, which override it. @throws UsageError */
export async function readOperationInput(operation: OperationInfo, context: CommandContext): Promise<Input> {
  const input = await readData(context);
  positional(operation, context);
  for (const [flag, values] of context.flags) {
    const [name = '', ...path] = flag.split('.');
    const field = operation.fields.find((each) => each.name === name);
    if (!field) continue;
    if (path.length === 0) input[name] = valueOf(field, values);
    else put(input, field, path, values.at(-1)!);
  }
  const missing = operation.fields.filter(({ name, isRequired }) => isRequired && input[name] === undefined);
  if (missing.length > 0) {
    const names = missing.map(({ name }) => `--${name.replaceAll('_', '-')}`);
    throw new UsageError(
      `${operation.name} needs ${names.join(', ')}.`,
      `Run: tollbridge ${operation.group} ${operation.name} --help`,
    );
  }
  return input;
}

/** Reads the only path field from a positional argument: `orders get-order 0198…`. */
function positional({ name, path, fields }: OperationInfo, { positionals, flags }: CommandContext): void {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, field]) => field!);
  if (positionals.length > inPath.length)
    throw new UsageError(
      `${positionals[inPath.length]} is an unexpected argument.`,
      `Fields are options: ${fields.map((field) => `--${field.name.replaceAll('_', '-')}`).join(', ') || 'none'}.`,
    );
  positionals.forEach((value, at) => {
    const field = inPath[at]!;
    if (flags.has(field)) throw new UsageError(`${name}: ${field} is set twice.`);
    flags.set(field, [value]);
  });
}

async function readData(context: CommandContext): Promise<Input> {
  const given = await readJsonFlag(context);
  if (!given) return {};
  const { value } = given;
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsageError('--data must be a JSON object.');
  return value as Input;
}

function valueOf(field: FieldInfo, values: readonly string[]): unknown {
  const [value = ''] = values;
  if (field.type !== 'list') return scalarOf(field, value);
  // A list is given item by item, or as a JSON list.
  if (values.length === 1 && value.startsWith('[')) return parseJson(value, `--${field.name}`);
  return values.map((each) =>
    scalarOf({ ...field, type: (field.item ?? 'string') as FieldInfo['type'] }, each),
  );
}

function scalarOf({ name, type }: Pick<FieldInfo, 'name' | 'type'>, word: string): unknown {
  switch (type) {
    case 'integer':
    case 'number': {
      const isNumber = type === 'integer' ? /^-?\d+$/ : /^-?\d+(\.\d+)?$/;
      if (!isNumber.test(word)) throw new UsageError(`--${name} must be a number, not ${word}.`);
      return Number(word);
    }
    case 'boolean':
      if (!/^(true|false)$/.test(word)) throw new UsageError(`--${name} must be true or false.`);
      return word === 'true';
    case 'scalar':
      return /^-?\d{1,15}$/.test(word) ? Number(word) : word;
    case 'json':
      return jsonOrText(word);
    case 'list':
    case 'string':
      return word;
  }
}

/** Parses lists, objects and JSON literals. Everything else is text, including digits, because amounts are text. */
function jsonOrText(value: string): unknown {
  if (!/^\s*([[{"]|true\s*$|false\s*$|null\s*$)/.test(value)) return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}

/** Sets a nested value, such as `field.member.member`. */
function put(input: Input, field: FieldInfo, path: readonly string[], value: string): void {
  if (field.type !== 'json') throw new UsageError(`--${field.name} has no members.`);
  let target = (input[field.name] ??= {}) as Input;
  for (const [at, member] of path.entries()) {
    if (typeof target !== 'object' || target === null || /^(__proto__|constructor|prototype)$/.test(member))
      throw new UsageError(`--${field.name}.${path.join('.')} cannot be set.`);
    if (at === path.length - 1) target[member] = jsonOrText(value);
    else target = (target[member] ??= {}) as Input;
  }
}
