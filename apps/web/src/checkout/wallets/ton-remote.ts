import { Base64, SessionCrypto, hexToByteArray, type KeyPair } from '@tonconnect/protocol';
import { tonConnectVersion, type TonBridge } from '../../wallets/providers';
import { remember, remembered } from '../tab-memory';
import { tonWallet } from './ton';
import type { Wallet } from './wallet';

interface Terms {
  name: string;
  universalUrl: string;
  bridgeUrl: string;
}

interface Kept {
  keys: KeyPair;
  /** The public key of the wallet. */
  wallet: string;
  event: any;
}

const messageSeconds = 300;
// TON Connect's error for a missing session, so that none is restored.
const noSession = { event: 'connect_error', payload: { code: 100 } };

/** A TON wallet on another device, connected by its HTTP bridge (TON Connect, sections "bridge" and "session"). */
export function tonRemoteWallet(terms: Terms, show: (link: string) => void): Wallet {
  return { ...tonWallet(terms.name, new RemoteBridge(terms, show)), id: `ton remote ${terms.name}` };
}

/** Implements the interface of a bridge that a wallet injects into a page. */
class RemoteBridge implements TonBridge {
  readonly walletInfo: { name: string };
  private session = new SessionCrypto();
  private wallet = '';
  private source: EventSource | undefined;
  private readonly waiting = new Map<string, (message: any) => void>();

  constructor(
    private readonly terms: Terms,
    private readonly show: (link: string) => void,
  ) {
    this.walletInfo = { name: terms.name };
  }

  async connect(_version: number, request: object): Promise<any> {
    this.session = new SessionCrypto();
    this.listen();
    const connected = this.messageOf('connect');
    const query = new URLSearchParams({
      v: String(tonConnectVersion),
      id: this.session.sessionId,
      r: JSON.stringify(request),
      ret: 'none',
    });
    this.show(`${this.terms.universalUrl}?${query}`);
    const event = await connected;
    if (event.event === 'connect')
      this.keep({ keys: this.session.stringifyKeypair(), wallet: this.wallet, event });
    return event;
  }

  async restoreConnection(): Promise<any> {
    const text = remembered(this.key);
    if (text === null) return noSession;
    const { keys, wallet, event } = JSON.parse(text) as Kept;
    this.session = new SessionCrypto(keys);
    this.wallet = wallet;
    this.listen();
    return event;
  }

  async send(message: { method: string; params: string[]; id: string }): Promise<any> {
    const answered = this.messageOf(message.id);
    const encrypted = this.session.encrypt(JSON.stringify(message), hexToByteArray(this.wallet));
    const query = new URLSearchParams({
      client_id: this.session.sessionId,
      to: this.wallet,
      ttl: String(messageSeconds),
      topic: message.method,
    });
    const body = Base64.encode(encrypted);
    const reply = await fetch(`${this.terms.bridgeUrl}/message?${query}`, { method: 'POST', body });
    if (!reply.ok) throw new Error(`The bridge answered ${reply.status}`);
    return answered;
  }

  private listen(): void {
    this.source?.close();
    const query = new URLSearchParams({ client_id: this.session.sessionId });
    this.source = new EventSource(`${this.terms.bridgeUrl}/events?${query}`);
    this.source.addEventListener('message', ({ data }) => this.receive(String(data)));
  }

  /**
   * The bridge cannot read or change messages, because each is encrypted for this session and signed by its sender's
   * key.
   */
  private receive(text: string): void {
    if (text === 'heartbeat') return;
    const { from, message } = JSON.parse(text) as { from: string; message: string };
    // Accepts messages of the connected wallet only.
    if (this.wallet !== '' && from !== this.wallet) return;
    const decrypted = this.session.decrypt(Base64.decode(message).toUint8Array(), hexToByteArray(from));
    const content = JSON.parse(decrypted) as { id?: number | string; event?: string };
    const isConnection = content.event === 'connect' || content.event === 'connect_error';
    if (isConnection) this.wallet = from;
    const key = isConnection ? 'connect' : String(content.id);
    this.waiting.get(key)?.(content);
    this.waiting.delete(key);
  }

  private messageOf(key: string): Promise<any> {
    return new Promise((resolve) => this.waiting.set(key, resolve));
  }

  private get key(): string {
    return `tollbridge-ton ${this.terms.bridgeUrl} ${this.terms.name}`;
  }

  private keep(kept: Kept): void {
    remember(this.key, JSON.stringify(kept));
  }
}
