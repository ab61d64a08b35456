import { Injectable } from '@nestjs/common';
import { ChainAdapters } from '@tollbridge/chain-port';
import { canonicalTxHash, findToken } from '@tollbridge/chains';
import type { Delivery } from './deposit';

/** Where and in which token the merchant is to be paid. */
export interface Expected {
  settleChain: string;
  settleToken: string;
  merchantAddress: string;
}

/** Reads on the settle chain what the provider's transactions actually pay the merchant. */
@Injectable()
export class Deliveries {
  constructor(private readonly adapters: ChainAdapters) {}

  async read(expected: Expected, txHashes: readonly string[]): Promise<Delivery> {
    const adapter = this.adapters.find(expected.settleChain);
    if (!adapter) return { kind: 'unread' };
    const hashes = txHashes.map(canonicalTxHash);
    const token = findToken(adapter.chain, expected.settleToken);
    // The provider is polled until it names transactions of the settle chain.
    if (hashes.length === 0 || !token || !hashes.every((hash) => adapter.isTxHash(hash)))
      return { kind: 'pending' };
    const read = await adapter.readTransfers({ token, receiver: expected.merchantAddress }, hashes);
    return read.state === 'final' ? { kind: 'read', transfers: read.transfers } : { kind: 'pending' };
  }
}
