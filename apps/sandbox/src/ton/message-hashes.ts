import type { Cell } from '@ton/core';

/**
 * Hashes of the message that caused a transaction: as it was sent and, of an external message, normalised by TEP-467.
 * Wallets and explorers name a transaction by the latter.
 */
export function messageHashes(transaction: Cell, core: typeof import('@ton/core')): string[] {
  // The first reference of a transaction holds its messages, the incoming one first.
  const message = transaction.refs[0]?.refs[0];
  if (!message || message.isExotic) return [];
  const hashes = [message.hash().toString('hex')];
  const { info, body } = core.loadMessage(message.beginParse());
  if (info.type !== 'external-in') return hashes;
  const normalised = core
    .beginCell()
    // An incoming external message without source.
    .storeUint(0b1000, 4)
    .storeAddress(info.dest)
    .storeCoins(0)
    // Without initial state; the body in a reference.
    .storeBit(false)
    .storeBit(true)
    .storeRef(body)
    .endCell();
  return [...new Set([...hashes, normalised.hash().toString('hex')])];
}
