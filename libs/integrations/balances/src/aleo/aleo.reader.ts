import type { Endpoints } from '../endpoints';
import { type BalanceReader, coinHolding } from '../holding';
import { readMappingValue } from './aleo.wire';

/** Reads Aleo's public credits. Only the owner can read private records. */
export const aleoReader = (endpoints: Endpoints): BalanceReader => ({
  async read(chain, address, signal) {
    const path = `/program/credits.aleo/mapping/account/${encodeURIComponent(address)}`;
    const amountAtomic = await endpoints.ask({ method: 'GET', path, signal }, readMappingValue);
    return coinHolding(chain, { amountAtomic });
  },
});
