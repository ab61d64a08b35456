import { jsonRpcRequest } from '@tollbridge/http';
import type { Endpoints } from '../endpoints';
import { type BalanceReader, holdingsOf, nothing } from '../holding';
import { readLamports, readTokenAccounts } from './solana.wire';

// A mint belongs to one of the two programs; which one is not in its address.
const tokenPrograms = [
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
];
// What was paid in the last seconds must not be offered again.
const commitment = 'confirmed';

/** Solana by a node's JSON-RPC. */
export const solanaReader = (endpoints: Endpoints): BalanceReader => ({
  async read(chain, address, signal) {
    const [lamports, ...accounts] = await Promise.all([
      endpoints.ask(jsonRpcRequest('getBalance', [address, { commitment }], signal), readLamports),
      ...tokenPrograms.map((programId) => {
        const params = [address, { programId }, { encoding: 'jsonParsed', commitment }];
        return endpoints.ask(jsonRpcRequest('getTokenAccountsByOwner', params, signal), (reply) =>
          readTokenAccounts(reply, address),
        );
      }),
    ]);
    return holdingsOf(chain, ({ address: mint }) => {
      if (mint === null) return { amountAtomic: lamports };
      return accounts.find((ofProgram) => ofProgram.has(mint))?.get(mint) ?? nothing;
    });
  },
});
