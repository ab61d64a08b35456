import { jsonRpcRequest } from '@tollbridge/http';
import type { Token } from '@tollbridge/chains';
import type { Endpoints } from '../endpoints';
import { type BalanceReader, holdingsOf } from '../holding';
import { balanceOfCall, coinContract, readBalanceOf } from './starknet.wire';

/** Reads Starknet from a node's JSON-RPC. An account that was never deployed may have tokens like any other. */
export const starknetReader = (endpoints: Endpoints): BalanceReader => ({
  async read(chain, address, signal) {
    const readToken = async (token: Token): Promise<[Token, bigint]> => {
      const call = balanceOfCall(token.address ?? coinContract, address);
      return [token, await endpoints.ask(jsonRpcRequest('starknet_call', call, signal), readBalanceOf)];
    };
    const amounts = new Map(await Promise.all(chain.tokens.map(readToken)));
    return holdingsOf(chain, (token) => ({ amountAtomic: amounts.get(token)! }));
  },
});
