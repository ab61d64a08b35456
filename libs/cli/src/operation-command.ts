import * as sdk from '@tollbridge/sdk';
import type { CommandContext } from './command';
import { commands } from './command-list';
import { isHelp, readContext } from './context';
import { UsageError } from './exit-codes';
import { operations } from './generated/api';
import type { OperationInfo } from './operation-info';
import { readOperationInput } from './operation-input';
import { renderResult } from './output';
import { fieldFlags, groups, operationFlags } from './operation-flags';
import { plain } from './parse-flags';
import { didYouMean } from './suggestion';
import type { Terminal } from './terminal';

/** Runs `tollbridge <group> <operation>`. */
export async function runGroup(argv: readonly string[], terminal: Terminal): Promise<number | void> {
  const [group = '', name, ...rest] = argv;
  const known = groups();
  if (!known.has(group)) {
    // Operation ids are familiar from the SDK and the API document, so they get a suggestion.
    const meant = operations.find((each) => plain(each.id) === plain(group));
    const words = [...new Set([...commands.map((each) => each.name.split(' ')[0]!), ...known.keys()])];
    throw new UsageError(
      `There is no command ${group}.`,
      meant
        ? `Did you mean ${meant.group} ${meant.name}?`
        : didYouMean(group, words, 'Run: tollbridge --help'),
    );
  }
  if (name === undefined || /^(-h|--help)$/.test(name)) {
    const { groupHelp } = await import('./help');
    return terminal.out(groupHelp(group));
  }
  const operation = findOperation(group, name);
  if (isHelp(rest)) {
    const { operationHelp } = await import('./help');
    return terminal.out(operationHelp(operation));
  }
  const flags = [...fieldFlags(operation), ...operationFlags(operation)];
  const context = readContext(rest, flags, terminal, { allowsPaths: true });
  const input = await readOperationInput(operation, context);
  const result = await call(operation, input, context);
  terminal.out(
    context.isJson ? JSON.stringify(result, null, 2) : renderResult(result, operation.list?.items),
  );
}

/** Finds an operation by its name. @throws UsageError */
function findOperation(group: string, name: string): OperationInfo {
  const inGroup = operations.filter((each) => each.group === group);
  const found = inGroup.find((each) => plain(each.name) === plain(name));
  if (found) return found;
  const elsewhere = operations.find((each) => plain(each.name) === plain(name));
  const names = inGroup.map((each) => each.name);
  throw new UsageError(
    `There is no operation ${group} ${name}.`,
    elsewhere
      ? `Did you mean ${elsewhere.group} ${elsewhere.name}?`
      : didYouMean(name, names, `Run: tollbridge ${group} --help`),
  );
}

type SdkFunction = (client: sdk.Client, ...rest: unknown[]) => Promise<unknown> & AsyncIterable<unknown>;

/** Calls the SDK function of the operation. */
function call(operation: OperationInfo, input: object, context: CommandContext): Promise<unknown> {
  const run = (sdk as unknown as Record<string, SdkFunction>)[operation.id]!;
  const idempotencyKey = context.flag('idempotency-key');
  const options = {
    signal: context.terminal.signal,
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  };
  const isWithoutInput = operation.fields.length === 0;
  const calling = isWithoutInput ? run(context.client, options) : run(context.client, input, options);
  if (!context.has('all')) return calling;
  return collect(calling, operation.list?.items);
}

async function collect(pages: AsyncIterable<unknown>, items: string | undefined): Promise<unknown> {
  const all: unknown[] = [];
  for await (const item of pages) all.push(item);
  return items === undefined ? all : { [items]: all };
}
