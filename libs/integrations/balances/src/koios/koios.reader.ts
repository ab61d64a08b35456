import type { Endpoints } from '../endpoints';
import { type BalanceReader, coinHolding } from '../holding';
import { readAddress } from './koios.wire';

/** Cardano by Koios. One address only: a wallet's others are known to the wallet alone. */
export const koiosReader = (endpoints: Endpoints): BalanceReader => ({
  async read(chain, address, signal) {
    // Without it all unspent outputs come along, thousands for a busy address.
    const query = { select: 'address,balance' };
    const request = {
      method: 'POST',
      path: '/address_info',
      query,
      body: { _addresses: [address] },
    } as const;
    const amount = await endpoints.ask({ ...request, signal }, (reply) => readAddress(reply, address));
    return coinHolding(chain, amount);
  },
});
