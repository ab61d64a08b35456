import { tonPayAddress } from '@tollbridge/onchain/ton';
import type { LocalNetwork } from '../networks/local-network';
import { readGenesis } from './genesis';

// The chain publishes a block per second, and each is final, so one poll per block is enough.
const [confirmations, pollIntervalMs] = [1, 1_000];

/** TON with the payment contract, USDT, and wallets v4R2 with mnemonics of 24 words in the format of wallet apps. */
export const localTon: LocalNetwork = {
  async entry(simulatorsUrl) {
    const [{ usdt }, { Address }] = await Promise.all([readGenesis(), import('@ton/core')]);
    const payment = Address.parseRaw(await tonPayAddress());
    return {
      chain: 'ton',
      rpcUrls: [`${simulatorsUrl}/toncenter/api/v2/jsonRPC`],
      payContract: payment.toString({ bounceable: false }),
      startHeight: 1,
      confirmations,
      pollIntervalMs,
      tokens: [
        { symbol: 'TON', address: null, decimals: 9 },
        { symbol: 'USDT', address: usdt.address.toString(), decimals: 6 },
      ],
    };
  },

  async accounts() {
    const { accounts } = await readGenesis();
    return accounts.map(({ role, mnemonic, address }) => ({
      role,
      address: address.toString({ bounceable: false }),
      privateKey: mnemonic,
    }));
  },
};
