import { fieldsOf, UnreadableReply } from '@tollbridge/http';
import type { Cell } from '@ton/core';
import { loadTonCore } from './load';

/** An argument of a get method: a number, or a slice from the beginning of a cell. */
export type StackArgument = bigint | { slice: Cell };

export interface GetMethodResult {
  /** 0 is success; -13 is an account without code. */
  exitCode: number;
  /** Empty unless it succeeded. */
  stack: readonly StackValue[];
}

/** The used contracts return numbers and cells. Other types are undefined. */
export type StackValue = bigint | Cell | undefined;

const numberForm = /^-?(0x[0-9a-fA-F]{1,64}|[0-9]{1,78})$/;
const maxValues = 64;

export const writeStack = (stack: readonly StackArgument[]): [string, string][] =>
  stack.map((value) =>
    typeof value === 'bigint'
      ? ['num', value.toString()]
      : ['tvm.Slice', value.slice.toBoc().toString('base64')],
  );

/** @throws UnreadableReply unless it is a result of a get method */
export async function readGetMethodResult(reply: unknown): Promise<GetMethodResult> {
  const { exit_code: exitCode, stack } = fieldsOf(reply, 'the result');
  if (!Number.isSafeInteger(exitCode)) throw new UnreadableReply('exit_code is no number');
  // TON counts exit code 1 as success too.
  if (exitCode !== 0 && exitCode !== 1) return { exitCode: exitCode as number, stack: [] };
  if (!Array.isArray(stack) || stack.length > maxValues) throw new UnreadableReply('stack is no list');
  const { Cell } = await loadTonCore();
  return { exitCode: 0, stack: stack.map((entry) => valueOf(entry, Cell)) };
}

function valueOf(entry: unknown, { fromBase64 }: typeof Cell): StackValue {
  const [type, value] = Array.isArray(entry) ? entry : [];
  if (type === 'num') return numberOf(value);
  if (type !== 'cell' && type !== 'slice') return undefined;
  const { bytes } = fieldsOf(value, 'a cell');
  if (typeof bytes !== 'string') throw new UnreadableReply('a cell has no bytes');
  try {
    return fromBase64(bytes);
  } catch {
    throw new UnreadableReply('a cell is none');
  }
}

function numberOf(value: unknown): bigint {
  if (typeof value !== 'string' || !numberForm.test(value)) throw new UnreadableReply('a number is none');
  return value.startsWith('-') ? -BigInt(value.slice(1)) : BigInt(value);
}

/** @throws UnreadableReply where there is no number */
export function numberAt({ stack }: GetMethodResult, index: number): bigint {
  const value = stack[index];
  if (typeof value !== 'bigint') throw new UnreadableReply(`there is no number at ${index}`);
  return value;
}

/** A raw address. @throws UnreadableReply where there is none */
export function addressAt({ stack }: GetMethodResult, index: number): string {
  const value = stack[index];
  if (typeof value !== 'object') throw new UnreadableReply(`there is no address at ${index}`);
  try {
    return value.beginParse().loadAddress().toRawString();
  } catch {
    throw new UnreadableReply(`there is no address at ${index}`);
  }
}
