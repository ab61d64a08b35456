import { SignClient } from '@walletconnect/sign-client';
import type { Wallet } from 'ethers';

/** A wallet on another device: the wallet side of WalletConnect's own client, which signs and sends to the local node. */
export async function pairRemoteWallet(relayUrl: string, uri: string, account: Wallet): Promise<() => void> {
  const metadata = { name: 'Remote Wallet', description: '', url: 'https://wallet.example', icons: [] };
  const client = await SignClient.init({
    projectId: 'local',
    relayUrl,
    metadata,
    telemetryEnabled: false,
    logger: 'silent',
    customStoragePrefix: 'wallet-of-test',
  });
  client.on('session_proposal', ({ id, params }) => {
    const { chains, methods, events } = params.optionalNamespaces['eip155']!;
    const accounts = chains!.map((chain) => `${chain}:${account.address}`);
    const namespaces = { eip155: { accounts, methods, events } };
    void client.approve({ id, namespaces }).then(({ acknowledged }) => acknowledged());
  });
  client.on('session_request', ({ topic, id, params }) => {
    const [{ to, data, value }] = params.request.params;
    void account
      .sendTransaction({ to, data, value: BigInt(value) })
      .then(({ hash }) => client.respond({ topic, response: { id, jsonrpc: '2.0', result: hash } }));
  });
  await client.pair({ uri });
  return () => void client.core.relayer.transportClose();
}
