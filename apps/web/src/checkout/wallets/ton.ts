import { tonConnectVersion, type TonBridge } from '../../wallets/providers';
import { WalletProblem } from '../wallet-problem';
import { walletCallFor, type Wallet } from './wallet';

const userDeclined = 300;
let messages = Date.now();

export function tonWallet(key: string, bridge: TonBridge): Wallet {
  return {
    id: `ton ${key}`,
    name: bridge.walletInfo?.name ?? key,
    icon: bridge.walletInfo?.image ?? null,
    family: 'ton',
    async connect(silently = false) {
      const manifestUrl = `${location.origin}/tonconnect-manifest.json`;
      const request = { manifestUrl, items: [{ name: 'ton_addr' }] };
      const reply = await (silently
        ? bridge.restoreConnection()
        : bridge.connect(tonConnectVersion, request));
      if (reply.event === 'connect')
        return reply.payload.items?.find(({ name }) => name === 'ton_addr')?.address;
      if (silently) return undefined;
      throw new WalletProblem(reply.payload.code === userDeclined ? 'declined' : 'failed');
    },
    async pay(payable, address, report) {
      const { validUntil, messages: sent } = await walletCallFor(payable, address);
      // Wallets reject fields with null.
      const clean = sent.map(({ stateInit, ...message }: { stateInit: string | null }) =>
        stateInit === null ? message : { ...message, stateInit },
      );
      const transaction = JSON.stringify({ valid_until: validUntil, from: address, messages: clean });
      report('paying');
      const id = String(++messages);
      const { error } = await bridge.send({ method: 'sendTransaction', params: [transaction], id });
      if (error) throw new WalletProblem(error.code === userDeclined ? 'declined' : 'failed');
      // The reply is the signed message, and the server finds its transaction on the chain.
      return undefined;
    },
  };
}
