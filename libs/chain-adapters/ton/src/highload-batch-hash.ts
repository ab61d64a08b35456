import type { Cell, Message } from '@ton/core';
import type { AccountTransaction } from './account-reader';
import { loadTonCore } from './load';

/**
 * Returns a hash that identifies a batch by its query id and its payments: 64 lower-case hexadecimal digits.
 * @param boc external message from `buildHighloadMessage`
 */
export async function batchHash(boc: Buffer): Promise<string> {
  const { Cell, loadMessage } = await loadTonCore();
  return hashOf(loadMessage(Cell.fromBoc(boc)[0]!.beginParse()));
}

/**
 * Returns the `batchHash` of the batch in a transaction of the wallet. Use it only for a transaction with a
 * `batchOutcome`.
 */
export function batchHashOf({ parsed }: AccountTransaction): Promise<string> {
  return hashOf(parsed.inMessage!);
}

async function hashOf({ info, body }: Message): Promise<string> {
  return (info.type === 'internal' ? body : await bodyOfMessageToItself(body)).hash().toString('hex');
}

/** The external message contains the signed request, which contains the wallet's message to itself. */
async function bodyOfMessageToItself(body: Cell): Promise<Cell> {
  const { loadMessageRelaxed } = await loadTonCore();
  return loadMessageRelaxed(body.refs[0]!.refs[0]!.beginParse()).body;
}
