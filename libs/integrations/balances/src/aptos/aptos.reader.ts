import type { Token } from '@tollbridge/chains';
import type { Endpoints } from '../endpoints';
import { type BalanceReader, holdingsOf } from '../holding';
import { coinAsset, isUnknownAccount, readBalance } from './aptos.wire';

/** Reads balances of coins and fungible assets from the REST interface of an Aptos node. */
export const aptosReader = (endpoints: Endpoints): BalanceReader => ({
  async read(chain, address, signal) {
    const readToken = async (token: Token): Promise<[Token, bigint]> => {
      const asset = encodeURIComponent(token.address ?? coinAsset);
      const request = { method: 'GET', path: `/accounts/${address}/balance/${asset}`, signal } as const;
      const amount = await endpoints.ask(request, readBalance, ({ status, body }) =>
        status === 404 && isUnknownAccount(body) ? 0n : undefined,
      );
      return [token, amount];
    };
    const amounts = new Map(await Promise.all(chain.tokens.map(readToken)));
    return holdingsOf(chain, (token) => ({ amountAtomic: amounts.get(token)! }));
  },
});
