import type { Endpoints } from '../endpoints';
import { type BalanceReader, coinHolding } from '../holding';
import { readAddress } from './esplora.wire';

/**
 * Reads Bitcoin and Litecoin from an Esplora index, for example blockstream.info, mempool.space or litecoinspace.org.
 */
export const esploraReader = (endpoints: Endpoints): BalanceReader => ({
  async read(chain, address, signal) {
    const path = `/address/${encodeURIComponent(address)}`;
    const amount = await endpoints.ask({ method: 'GET', path, signal }, (reply) =>
      readAddress(reply, address),
    );
    return coinHolding(chain, amount);
  },
});
