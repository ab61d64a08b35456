import type { Cell } from '@ton/core';

/**
 * Returns the hashes of the message that caused a transaction: the hash as sent and, for an external message, the hash
 * normalised by TEP-467. Wallets and explorers identify a transaction by the normalised hash.
 */
export function messageHashes(transaction: Cell, core: typeof import('@ton/core')): string[] {
  // The first reference of a transaction contains its messages, first the incoming message.
  const message = transaction.refs[0]?.refs[0];
  if (!message || message.isExotic) return [];
  const hashes = [message.hash().toString('hex')];
  const { info, body } = core.loadMessage(message.beginParse());
  if (info.type !== 'external-in') return hashes;
  const normalised = core
    .beginCell()
    // Header of an incoming external message without a source.
    .storeUint(0b1000, 4)
    .storeAddress(info.dest)
    .storeCoins(0)
    // No initial state, and the body in a reference.
    .storeBit(false)
    .storeBit(true)
    .storeRef(body)
    .endCell();
  return [...new Set([...hashes, normalised.hash().toString('hex')])];
}
