import { jsonRpcRequest } from '@tollbridge/http';
import type { Endpoints } from '../endpoints';
import { type BalanceReader, holdingsOf, tokenAddresses } from '../holding';
import { isRpcError } from '../json-rpc';
import { readAccount, readFtBalance } from './near.wire';

const finality = 'final';

/** Reads NEAR from a node's JSON-RPC. */
export const nearReader = (endpoints: Endpoints): BalanceReader => ({
  async read(chain, address, signal) {
    const query = (params: object) => jsonRpcRequest('query', { finality, ...params }, signal);
    const account = endpoints.ask(
      query({ request_type: 'view_account', account_id: address }),
      readAccount,
      // The documented status is 200, but gateways in front of nodes change such answers to a 4xx.
      ({ body }) => (isRpcError(body) ? readAccount(body) : undefined),
    );
    const args_base64 = Buffer.from(JSON.stringify({ account_id: address })).toString('base64');
    const call = { request_type: 'call_function', method_name: 'ft_balance_of', args_base64 };
    const ofTokens = tokenAddresses(chain).map(
      async (contract) =>
        [contract, await endpoints.ask(query({ ...call, account_id: contract }), readFtBalance)] as const,
    );
    const [coin, ...tokens] = await Promise.all([account, ...ofTokens]);
    const amounts = new Map(tokens);
    return holdingsOf(chain, ({ address: contract }) =>
      contract === null ? coin : { amountAtomic: amounts.get(contract)! },
    );
  },
});
