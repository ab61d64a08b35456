import type { AbandonedLog, ChannelStore } from '../channels/channel-store';
import { FileChannelStore } from '../channels/file-channel-store';
import type { Grant } from '../grant';
import type { PaidOptions, Verdict } from '../paid-options';
import { Paywall, type PaywallOptions } from '../paywall';
import type { MemoryEnclave } from './memory-enclave';
import { deployment, seller } from './samples';

export const shopPath = '/premium-data';
export const shopUrl = `https://api.example.com${shopPath}`;

const noSpace = (): Promise<never> => Promise.reject(new Error('No space left on device'));

/** A file store that can fail, and can end without notice. */
export class FailingStore implements ChannelStore {
  fails = false;
  constructor(private readonly files: FileChannelStore) {}
  open = (owner: string): Promise<void> => (this.fails ? noSpace() : this.files.open(owner));
  append = (batch: Uint8Array): Promise<void> => (this.fails ? noSpace() : this.files.append(batch));
  replace = (batch: Uint8Array): Promise<void> => (this.fails ? noSpace() : this.files.replace(batch));
  takeOver = (afterMs: number): Promise<AbandonedLog[]> => this.files.takeOver(afterMs);
  close = (): Promise<void> => this.files.close();
}

/** One process of the seller. */
export class ChannelShop {
  readonly paywall: Paywall;
  readonly store: FailingStore;
  readonly failures: unknown[] = [];
  served = 0;
  status = 200;
  /** Handlers wait for this promise. */
  gate: Promise<void> | undefined;
  private readonly route;

  constructor(
    readonly ledger: MemoryEnclave,
    folder: string,
    options: Partial<PaidOptions> = {},
    channels: Partial<NonNullable<PaywallOptions['channels']>> = {},
    clock: () => number = Date.now,
    startsFull = false,
  ) {
    this.store = new FailingStore(new FileChannelStore({ folder }));
    this.store.fails = startsFull;
    const { publicKey: enclaveKey } = ledger;
    this.paywall = new Paywall({
      baseUrl: 'https://api.example.com',
      to: seller,
      deployment,
      transport: ledger,
      enclaveKey,
      clock,
      channels: { store: this.store, onFailed: (error) => void this.failures.push(error), ...channels },
    });
    this.route = this.paywall.route({ amount: '1000', ...options });
  }

  decide = async (payment?: string, asked = shopPath): Promise<Verdict> =>
    this.route.decide({ method: 'GET', url: asked, payment });

  /** Serves a request like an adapter. */
  serve = async (payment?: string, asked = shopPath): Promise<Response> => {
    const verdict = await this.decide(payment, asked);
    if (verdict.kind !== 'granted') return new Response(verdict.answer.body, verdict.answer as ResponseInit);
    const grant = verdict.grant as Grant;
    this.served++;
    await this.gate;
    const { status } = this;
    if (grant.isRefunded(status)) return new Response('', { status, headers: await grant.refund() });
    const body = `sold ${this.served}`;
    grant.keep({ status, headers: { ...grant.headers }, body: Buffer.from(body) });
    return new Response(body, { status, headers: grant.headers });
  };
}
