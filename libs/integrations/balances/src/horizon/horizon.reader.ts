import type { Endpoints } from '../endpoints';
import { type Amount, type BalanceReader, holdingsOf, nothing } from '../holding';
import { isUnfunded, readAccount } from './horizon.wire';

/** Stellar by Horizon: coin and assets in one request. */
export const horizonReader = (endpoints: Endpoints): BalanceReader => ({
  async read(chain, address, signal) {
    const path = `/accounts/${encodeURIComponent(address)}`;
    const amounts = await endpoints.ask(
      { method: 'GET', path, signal },
      (reply) => readAccount(reply, address),
      ({ status, body }) => (status === 404 && isUnfunded(body) ? new Map<string, Amount>() : undefined),
    );
    // The registry names an asset by its issuer; with the symbol as its code that is the whole name.
    return holdingsOf(chain, ({ symbol, address: issuer }) => {
      const asset = issuer === null ? 'native' : issuer.includes(':') ? issuer : `${symbol}:${issuer}`;
      return amounts.get(asset) ?? nothing;
    });
  },
});
