import { SignClient } from '@walletconnect/sign-client';
import type { Eip1193 } from '../../wallets/providers';
import { onRendered, pageData } from '../page';

type Client = Awaited<ReturnType<typeof SignClient.init>>;
type Session = ReturnType<Client['session']['getAll']>[number];

const methods = ['eth_sendTransaction', 'wallet_switchEthereumChain', 'wallet_addEthereumChain'];
const events = ['accountsChanged', 'chainChanged'];
// WalletConnect, section "reason codes".
const userDisconnected = { code: 6000, message: 'User disconnected.' };
// EIP-1193 and JSON-RPC.
const unknownChain = 4902;
const unsupported = 4200;

/**
 * A wallet on another device, connected by the relay. The wallet is asked for accounts and transactions only. State of
 * the chain comes from this page's server.
 * @param show receives the `wc:` link that the wallet scans
 */
export async function walletConnectProvider(
  { projectId, relayUrl }: { projectId: string; relayUrl: string },
  show: (link: string) => void,
): Promise<Eip1193> {
  const { origin } = location;
  const metadata = { name: document.title, description: origin, url: origin, icons: [] };
  const options = { projectId, relayUrl, metadata, telemetryEnabled: false, logger: 'silent' };
  const client = await SignClient.init(options);
  // Otherwise the library would load a frame of a third server to verify this origin.
  client.core.verify.register = async () => '';
  return new RemoteProvider(client, show);
}

class RemoteProvider implements Eip1193 {
  private session: Session | undefined;
  private chainId: number | undefined;
  /** The number of requests that the wallet has not answered. */
  private questions = 0;
  private accountsChanged: (accounts: string[]) => void = () => undefined;

  constructor(
    private readonly client: Client,
    private readonly show: (link: string) => void,
  ) {
    // Restores a session of this origin from an earlier page.
    this.session = client.session.getAll().findLast(({ expiry }) => expiry * 1_000 > Date.now());
    client.on('session_delete', ({ topic }) => {
      if (topic === this.session?.topic) this.forgetSession();
    });
    onRendered(() => this.endWhenPaid());
    this.endWhenPaid();
    this.endOnLeaving();
  }

  on(event: string, listener: (value: any) => void): void {
    if (event === 'accountsChanged') this.accountsChanged = listener;
  }

  private endWhenPaid(): void {
    if (pageData()?.isFinal) this.end();
  }

  /**
   * Ends the session when the payer leaves, so that the wallet does not keep it for seven days. The session stays for
   * another page of this server, and while a request waits for the wallet. A reload in the browser ends it too, because
   * it cannot be distinguished.
   */
  private endOnLeaving(): void {
    let isStaying = false;
    const { navigation } = window as unknown as { navigation?: EventTarget };
    navigation?.addEventListener('navigate', (event) => {
      const { destination } = event as Event & { destination: { url: string } };
      isStaying = new URL(destination.url).origin === location.origin;
    });
    window.addEventListener('pagehide', ({ persisted }) => {
      // A page that the browser keeps may be shown again.
      if (!persisted && !isStaying && this.questions === 0) this.end();
    });
  }

  /** If the relay does not answer, the session expires by itself. */
  private end(): void {
    const { session } = this;
    if (!session) return;
    this.forgetSession();
    void this.client.disconnect({ topic: session.topic, reason: userDisconnected }).catch(() => undefined);
  }

  private forgetSession(): void {
    this.session = undefined;
    this.accountsChanged([]);
  }

  async request({ method, params }: { method: string; params?: any }): Promise<any> {
    switch (method) {
      case 'eth_accounts':
        return this.accounts();
      case 'eth_requestAccounts':
        if (!this.session) await this.connect();
        return this.accounts();
      case 'eth_chainId':
        return this.chainId ?? pageData()?.pay?.chainId ?? 1;
      case 'wallet_switchEthereumChain':
        return this.switchTo(Number(params[0].chainId));
      case 'eth_getTransactionReceipt':
        return this.receiptOf(params[0]);
      case 'eth_sendTransaction':
        return this.ask(method, params);
      default:
        throw Object.assign(new Error(method), { code: unsupported });
    }
  }

  private async connect(): Promise<void> {
    const chains = [...new Set([1, ...(pageData()?.evmChains ?? []), pageData()?.pay?.chainId ?? 1])];
    const eip155 = { chains: chains.map((id) => `eip155:${id}`), methods, events };
    const { uri, approval } = await this.client.connect({ optionalNamespaces: { eip155 } });
    this.show(uri!);
    this.session = await approval();
  }

  private accounts(): string[] {
    const accounts = this.session?.namespaces['eip155']?.accounts ?? [];
    return [...new Set(accounts.map((account) => account.split(':')[2]!))];
  }

  /** Each request contains its chain, so no switch is needed when the wallet supports the chain. */
  private switchTo(chainId: number): null {
    if (!this.has(chainId)) throw Object.assign(new Error('unknown chain'), { code: unknownChain });
    this.chainId = chainId;
    return null;
  }

  private has(chainId: number): boolean {
    const accounts = this.session?.namespaces['eip155']?.accounts ?? [];
    return accounts.some((account) => account.startsWith(`eip155:${chainId}:`));
  }

  private async ask(method: string, params: unknown): Promise<unknown> {
    const chainId = `eip155:${this.chainId ?? pageData()!.pay!.chainId}`;
    this.questions++;
    try {
      const { topic } = this.session!;
      return await this.client.request({ topic, chainId, request: { method, params } });
    } finally {
      this.questions--;
    }
  }

  /** Reads the receipt from this server, because wallets do not answer requests about the chain. */
  private async receiptOf(hash: string): Promise<object | null> {
    const reply = await fetch(`${pageData()!.pay!.approval}${hash}`);
    const { state } = (await reply.json()) as { state?: string };
    if (!reply.ok || state === 'unseen') return null;
    return { status: state === 'succeeded' ? '0x1' : '0x0' };
  }
}
