import { jsonRpcRequest } from '@tollbridge/http';
import type { Endpoints } from '../endpoints';
import { type BalanceReader, holdingsOf, nothing } from '../holding';
import { readLamports, readTokenAccounts } from './solana.wire';

// A mint belongs to one of these two programs, which its address does not reveal.
const tokenPrograms = [
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
];
// With this commitment, amounts that were spent in the last seconds are not offered again.
const commitment = 'confirmed';

/** Reads Solana from a node's JSON-RPC. */
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
