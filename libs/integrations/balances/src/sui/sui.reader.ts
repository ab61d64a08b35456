import { jsonRpcRequest } from '@tollbridge/http';
import type { Endpoints } from '../endpoints';
import { type BalanceReader, holdingsOf } from '../holding';
import { balancesQuery, coinType, readAllBalances, readQueriedBalances } from './sui.wire';

/** Reads Sui by GraphQL, the interface that replaces JSON-RPC. */
export const suiGraphqlReader = (endpoints: Endpoints): BalanceReader => ({
  async read(chain, address, signal) {
    const { tokens } = chain;
    const body = balancesQuery(address, tokens);
    const amounts = await endpoints.ask({ method: 'POST', path: '', body, signal }, (reply) =>
      readQueriedBalances(reply, tokens),
    );
    return holdingsOf(chain, (token) => ({ amountAtomic: amounts[tokens.indexOf(token)]! }));
  },
});

/** Reads Sui by JSON-RPC. Public nodes disabled it in 2026, but private and hosted nodes may still support it. */
export const suiJsonRpcReader = (endpoints: Endpoints): BalanceReader => ({
  async read(chain, address, signal) {
    const balances = await endpoints.ask(
      jsonRpcRequest('suix_getAllBalances', [address], signal),
      readAllBalances,
    );
    return holdingsOf(chain, (token) => ({ amountAtomic: balances.get(coinType(token)) ?? 0n }));
  },
});
