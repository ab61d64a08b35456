import type { Endpoints } from '../endpoints';
import { type BalanceReader, holdingsOf } from '../holding';
import { readAccount } from './trongrid.wire';

/** Reads Tron's coin and tokens from TronGrid in one request. */
export const trongridReader = (endpoints: Endpoints): BalanceReader => ({
  async read(chain, address, signal) {
    const path = `/v1/accounts/${encodeURIComponent(address)}`;
    const { sun, trc20 } = await endpoints.ask({ method: 'GET', path, signal }, (reply) =>
      readAccount(reply, address),
    );
    return holdingsOf(chain, ({ address: contract }) => ({
      amountAtomic: contract === null ? sun : (trc20.get(contract) ?? 0n),
    }));
  },
});
