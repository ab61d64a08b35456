import type { Endpoints } from '../endpoints';
import { type BalanceReader, holdingsOf, tokenAddresses } from '../holding';
import { readCoin, readJettons, spelling } from './toncenter.wire';

/**
 * Reads TON from toncenter. Without a key, its limit of one request per second rejects the second of two concurrent
 * requests.
 */
export const toncenterReader = (endpoints: Endpoints): BalanceReader => ({
  async read(chain, address, signal) {
    const body = { jsonrpc: '2.0', id: '1', method: 'getAddressBalance', params: { address } };
    // Requests only the chain's jettons, because a wallet may have thousands of unsolicited ones.
    const masters = tokenAddresses(chain);
    const query = { owner_address: address, jetton_address: masters, limit: '128' };
    const [coin, jettons] = await Promise.all([
      endpoints.ask({ method: 'POST', path: '/api/v2/jsonRPC', body, signal }, readCoin),
      masters.length === 0
        ? new Map<string, bigint>()
        : endpoints.ask({ method: 'GET', path: '/api/v3/jetton/wallets', query, signal }, (reply) =>
            readJettons(reply, chain, address),
          ),
    ]);
    return holdingsOf(chain, ({ address: master }) => ({
      amountAtomic: master === null ? coin : (jettons.get(spelling(chain, master, 'jetton')) ?? 0n),
    }));
  },
});
