// Reads parameters of toncenter's clients: fields of a query, of a JSON body, or of JSON-RPC's `params`.
import { rawAddressOf } from '@tollbridge/ton';
import type { Cell, TupleItem } from '@ton/core';
import { ToncenterRejection } from './toncenter-rejection';

export type Params = Readonly<Record<string, unknown>>;

const maxStack = 64;
// The maximum size of an external message on a node.
const maxBocBytes = 65_535;
const numberForm = /^-?(0x[0-9a-f]{1,64}|[0-9]{1,78})$/i;
const base64Form = /^[A-Za-z0-9+/_-]*={0,2}$/;

const unprocessable = (message: string): ToncenterRejection => new ToncenterRejection(422, message);

/** Returns the raw address of an address in any form. */
export async function addressIn(params: Params, name = 'address'): Promise<string> {
  const text = params[name];
  const address = typeof text === 'string' ? await rawAddressOf(text, { allowTestForm: true }) : undefined;
  if (address === undefined) throw new ToncenterRejection(416, 'Incorrect address');
  return address;
}

/** Returns an integer of at least 0 from a number or text; undefined when absent. */
export function wholeIn(params: Params, name: string, most: bigint): bigint | undefined {
  const value = params[name];
  if (value === undefined || value === null || value === '') return undefined;
  const text = String(value);
  if (!/^[0-9]{1,20}$/.test(text) || BigInt(text) > most)
    throw unprocessable(`${name}: expected a whole number up to ${most}`);
  return BigInt(text);
}

export const isTrue = (params: Params, name: string): boolean =>
  params[name] === true || params[name] === 'true' || params[name] === 1 || params[name] === '1';

/** Returns the hexadecimal form of a hash in hex or base64. */
export function hashIn(params: Params, name: string): string | undefined {
  const value = params[name];
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string') throw unprocessable(`${name}: expected a hash`);
  if (/^[0-9a-f]{64}$/i.test(value)) return value.toLowerCase();
  const bytes = Buffer.from(value, 'base64');
  if (!base64Form.test(value) || bytes.length !== 32)
    throw unprocessable(`${name}: expected 32 bytes in hex or base64`);
  return bytes.toString('hex');
}

/** Returns the root cell of a bag of cells in base64; undefined for an empty text. */
export async function cellIn(params: Params, name: string): Promise<Cell | undefined> {
  const value = params[name];
  if (value === undefined || value === null || value === '') return undefined;
  return cellOf(value, name);
}

async function cellOf(value: unknown, name: string): Promise<Cell> {
  if (typeof value !== 'string' || !base64Form.test(value)) throw unprocessable(`${name}: is not base64`);
  const bytes = Buffer.from(value, 'base64');
  if (bytes.length > maxBocBytes) throw unprocessable(`${name}: is too large`);
  const { Cell } = await import('@ton/core');
  try {
    const roots = Cell.fromBoc(bytes);
    if (roots.length !== 1) throw new Error('not one');
    return roots[0]!;
  } catch {
    throw new ToncenterRejection(500, 'LITE_SERVER_UNKNOWN: cannot deserialize bag-of-cells');
  }
}

/** Returns the id of a get method, from its name or its number. */
export async function methodIn({ method }: Params): Promise<number> {
  if (typeof method === 'number' && Number.isInteger(method) && method >= 0 && method < 2 ** 31)
    return method;
  if (typeof method === 'string' && /^[0-9]{1,9}$/.test(method)) return Number(method);
  if (typeof method !== 'string' || !/^[\x21-\x7e]{1,128}$/.test(method))
    throw unprocessable('method: expected a name or an id');
  const { getMethodId } = await import('@ton/core');
  return getMethodId(method);
}

export async function stackIn({ stack = [] }: Params): Promise<TupleItem[]> {
  if (!Array.isArray(stack) || stack.length > maxStack)
    throw unprocessable(`stack: expected a list of at most ${maxStack} values`);
  return Promise.all(stack.map((entry) => itemOf(entry)));
}

async function itemOf(entry: unknown): Promise<TupleItem> {
  const [type, value] = Array.isArray(entry) ? entry : [];
  switch (type) {
    case 'num':
      return { type: 'int', value: numberOf(value) };
    case 'cell':
    case 'tvm.Cell':
      return { type: 'cell', cell: await cellOf(value, 'stack') };
    case 'slice':
    case 'tvm.Slice':
      return { type: 'slice', cell: await cellOf(value, 'stack') };
    default:
      throw unprocessable('stack: expected numbers, cells or slices');
  }
}

function numberOf(value: unknown): bigint {
  const text = String(value);
  if (!numberForm.test(text)) throw unprocessable('stack: expected a number');
  return text.startsWith('-') ? -BigInt(text.slice(1)) : BigInt(text);
}
