import type { Token } from '@tollbridge/chains';
import type { Endpoints } from '../endpoints';
import { type Amount, type BalanceReader, holdingsOf } from '../holding';
import { ReadFailure } from '../read-failure';
import { readAccount, readLine, rippledRequest } from './rippled.wire';

/** Reads the XRP Ledger from a node's JSON-RPC. */
export const rippledReader = (endpoints: Endpoints): BalanceReader => ({
  async read(chain, address, signal) {
    // A tag identifies a customer of an exchange. The customer's share of the exchange's account is not on the ledger.
    if (!address.startsWith('r'))
      throw new ReadFailure('an address with a destination tag has no balance of its own');
    const readToken = async (token: Token): Promise<[Token, Amount]> => {
      if (token.address === null) {
        const request = rippledRequest('account_info', { account: address }, signal);
        return [token, await endpoints.ask(request, (reply) => readAccount(reply, address))];
      }
      // `CODE.ISSUER`
      const [currency = '', peer = ''] = token.address.split('.', 2);
      const request = rippledRequest('account_lines', { account: address, peer }, signal);
      const read = (reply: unknown) => readLine(reply, address, currency, token.decimals);
      return [token, await endpoints.ask(request, read)];
    };
    const amounts = new Map(await Promise.all(chain.tokens.map(readToken)));
    return holdingsOf(chain, (token) => amounts.get(token)!);
  },
});
