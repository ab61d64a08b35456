import type { Endpoints } from '../endpoints';
import { type BalanceReader, coinHolding } from '../holding';
import { readAddress } from './blockbook.wire';

/** Reads coins of Bitcoin's family from a Blockbook index. Shielded balances of Zcash are not visible. */
export const blockbookReader = (endpoints: Endpoints): BalanceReader => ({
  async read(chain, address, signal) {
    const path = `/api/v2/address/${encodeURIComponent(address)}`;
    const request = { method: 'GET', path, query: { details: 'basic' }, signal } as const;
    return coinHolding(chain, await endpoints.ask(request, (reply) => readAddress(reply, address)));
  },
});
