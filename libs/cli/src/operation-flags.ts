import { operations } from './generated/api';
import type { OperationInfo } from './operation-info';
import type { FlagInfo } from './parse-flags';

const all: readonly FlagInfo[] = [
  {
    name: 'data',
    value: '<json|@file|->',
    description: 'Fields as JSON, from a file, or from standard input',
  },
  { name: 'all', description: 'All pages of a list' },
  { name: 'idempotency-key', value: '<key>', description: 'Repeat a call of unknown outcome with its key' },
];

/** Returns the flags for the fields of an operation. */
export const fieldFlags = ({ fields }: OperationInfo): FlagInfo[] =>
  fields.map(({ name, type, item, description, values }) => ({
    name,
    description,
    value: valueText(type === 'list' ? (item ?? 'json') : type, values),
    ...(type === 'list' && { isRepeatable: true }),
    ...(type === 'boolean' && { isBoolean: true }),
    ...(values && { values }),
  }));

function valueText(type: string, values: readonly string[] | undefined): string {
  if (values) return `<${values.length > 6 ? 'name' : values.join('|')}>`;
  return type === 'boolean' ? '[true|false]' : `<${type}>`;
}

/** Returns the options of an operation's command, besides its fields. */
export const operationFlags = ({ method, list }: OperationInfo): FlagInfo[] =>
  all.filter(({ name }) => {
    if (name === 'all') return list !== undefined;
    return name !== 'idempotency-key' || method === 'POST' || method === 'PUT';
  });

/** Returns the groups of operations with their titles. */
export const groups = (): Map<string, string> =>
  new Map(operations.map(({ group, title }) => [group, title]));
