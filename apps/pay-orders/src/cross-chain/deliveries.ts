import { Injectable } from '@nestjs/common';
import { ChainAdapters, finalTransfers } from '@tollbridge/chain-port';
import { canonicalTxHash, findToken, isTxHash } from '@tollbridge/chains';
import type { Delivery } from './deposit';

/** The chain, token and address that a delivery must pay. */
export interface Expected {
  settleChain: string;
  settleToken: string;
  merchantAddress: string;
}

/** Reads on the settle chain the amounts that the provider's transactions actually pay the merchant. */
@Injectable()
export class Deliveries {
  constructor(private readonly adapters: ChainAdapters) {}

  async read(expected: Expected, txHashes: readonly string[]): Promise<Delivery> {
    const adapter = this.adapters.find(expected.settleChain);
    if (!adapter) return { kind: 'unread' };
    const { chain } = adapter;
    const hashes = [...new Set(txHashes.map(canonicalTxHash))];
    // Reading only the other transactions could settle an order although parts of the delivery are too small.
    if (!hashes.every((hash) => isTxHash(chain, hash))) return { kind: 'misnamed' };
    const token = findToken(chain, expected.settleToken);
    if (hashes.length === 0 || !token) return { kind: 'pending' };
    const receiver = expected.merchantAddress;
    const wanted = hashes.map((txHash) => ({ txHash, token, receiver, seenIn: null }));
    const transfers = finalTransfers(chain, await adapter.readTransfers(wanted));
    return transfers ? { kind: 'read', transfers } : { kind: 'pending' };
  }
}
