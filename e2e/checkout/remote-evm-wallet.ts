import { SignClient } from '@walletconnect/sign-client';
import type { Wallet } from 'ethers';
import { randomUUID } from 'node:crypto';

export interface RemoteEvmWallet {
  /** Topics of sessions that the page has deleted. */
  readonly deleted: readonly string[];
  sessions(): number;
  leave(): void;
}

/** A wallet on another device: the wallet side of WalletConnect's own client. It signs and sends to the local node. */
export async function pairRemoteWallet(
  relayUrl: string,
  uri: string,
  account: Wallet,
): Promise<RemoteEvmWallet> {
  const metadata = { name: 'Remote Wallet', description: '', url: 'https://wallet.example', icons: [] };
  const client = await SignClient.init({
    projectId: 'local',
    relayUrl,
    metadata,
    telemetryEnabled: false,
    logger: 'silent',
    customStoragePrefix: `wallet-of-test-${randomUUID()}`,
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
  const deleted: string[] = [];
  client.on('session_delete', ({ topic }) => deleted.push(topic));
  await client.pair({ uri });
  return {
    deleted,
    sessions: () => client.session.getAll().length,
    leave: () => void client.core.relayer.transportClose(),
  };
}
