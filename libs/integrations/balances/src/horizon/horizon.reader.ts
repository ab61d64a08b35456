import type { Endpoints } from '../endpoints';
import { type Amount, type BalanceReader, holdingsOf, nothing } from '../holding';
import { isUnfunded, readAccount } from './horizon.wire';

/** Reads Stellar's coin and assets from Horizon in one request. */
export const horizonReader = (endpoints: Endpoints): BalanceReader => ({
  async read(chain, address, signal) {
    const path = `/accounts/${encodeURIComponent(address)}`;
    const amounts = await endpoints.ask(
      { method: 'GET', path, signal },
      (reply) => readAccount(reply, address),
      ({ status, body }) => (status === 404 && isUnfunded(body) ? new Map<string, Amount>() : undefined),
    );
    // The registry identifies an asset by its issuer. Together with the symbol as its code, this is the full
    // identifier.
    return holdingsOf(chain, ({ symbol, address: issuer }) => {
      const asset = issuer === null ? 'native' : issuer.includes(':') ? issuer : `${symbol}:${issuer}`;
      return amounts.get(asset) ?? nothing;
    });
  },
});
