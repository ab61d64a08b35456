import type { Endpoints } from '../endpoints';
import { type BalanceReader, coinHolding } from '../holding';
import { readAddress } from './koios.wire';

/** Reads one address of Cardano from Koios. Only the wallet has the list of its other addresses. */
export const koiosReader = (endpoints: Endpoints): BalanceReader => ({
  async read(chain, address, signal) {
    // Without this selection, the reply includes all unspent outputs, which are thousands for a busy address.
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
