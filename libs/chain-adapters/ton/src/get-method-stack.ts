import { UnreadableReply, readFields, readList, readText, readTextLike } from '@tollbridge/http';
import type { Cell } from '@ton/core';
import { loadTonCore } from './load';

/** An argument of a get method: a number, or a slice from the beginning of a cell. */
export type StackArgument = bigint | { slice: Cell };

export interface GetMethodResult {
  /** 0 means success; -13 means an account without code. */
  exitCode: number;
  /** Empty unless the method succeeded. */
  stack: readonly StackValue[];
}

/** A number or a cell. Values of other types are undefined, because the called contracts do not return them. */
export type StackValue = bigint | Cell | undefined;

const numberForm = /^-?(0x[0-9a-fA-F]{1,64}|[0-9]{1,78})$/;
const maxValues = 64;

export const writeStack = (stack: readonly StackArgument[]): [string, string][] =>
  stack.map((value) =>
    typeof value === 'bigint'
      ? ['num', value.toString()]
      : ['tvm.Slice', value.slice.toBoc().toString('base64')],
  );

/** @throws UnreadableReply if the reply is not the result of a get method */
export async function readGetMethodResult(reply: unknown): Promise<GetMethodResult> {
  const { exit_code: exitCode, stack } = readFields(reply, 'the result');
  if (!Number.isSafeInteger(exitCode)) throw new UnreadableReply('exit_code is not a number');
  // TON counts exit code 1 as success too.
  if (exitCode !== 0 && exitCode !== 1) return { exitCode: exitCode as number, stack: [] };
  const values = readList(stack, 'stack', maxValues);
  const { Cell } = await loadTonCore();
  return { exitCode: 0, stack: values.map((entry) => valueOf(entry, Cell)) };
}

function valueOf(entry: unknown, { fromBase64 }: typeof Cell): StackValue {
  const [type, value] = Array.isArray(entry) ? entry : [];
  if (type === 'num') return numberOf(value);
  if (type !== 'cell' && type !== 'slice') return undefined;
  const bytes = readText(readFields(value, 'a cell')['bytes'], 'bytes');
  try {
    return fromBase64(bytes);
  } catch {
    throw new UnreadableReply('a cell is not valid');
  }
}

function numberOf(value: unknown): bigint {
  const text = readTextLike(value, 'a stack entry', numberForm, 'a number');
  return text.startsWith('-') ? -BigInt(text.slice(1)) : BigInt(text);
}

/** @throws UnreadableReply if the value is not a number */
export function numberAt({ stack }: GetMethodResult, index: number): bigint {
  const value = stack[index];
  if (typeof value !== 'bigint') throw new UnreadableReply(`the stack has no number at ${index}`);
  return value;
}

/** Returns a raw address. @throws UnreadableReply if the value is not an address */
export function addressAt({ stack }: GetMethodResult, index: number): string {
  const value = stack[index];
  if (typeof value !== 'object') throw new UnreadableReply(`the stack has no address at ${index}`);
  try {
    return value.beginParse().loadAddress().toRawString();
  } catch {
    throw new UnreadableReply(`the stack has no address at ${index}`);
  }
}
