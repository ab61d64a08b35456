import { mkdtempSync, rmSync } from 'node:fs';
import type { request as HttpRequest, IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBuyer } from '../buyer';
import { Paywall, type PaywallOptions } from '../paywall';
import { acceptedInTests, FakeFacilitator } from './fake-facilitator';
import { MemoryEnclave } from './memory-enclave';
import { baseUrl, buyer, buyerAddress, deployment, headerFor, seller } from './samples';

export interface AdapterHarness {
  ledger: MemoryEnclave;
  options: PaywallOptions;
  paywall: Paywall;
  /** The behaviour of the seller's handler. */
  handler: { status: number; throws: boolean; calls: number };
}

export type Start = (harness: AdapterHarness) => Promise<{ url: string; stop: () => Promise<void> }>;

export interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Sent {
  path?: string;
  method?: string;
  headers?: Record<string, string | string[]>;
  body?: string;
}

/** The shop under test, with a client. */
export class Shop {
  harness: AdapterHarness;
  facilitator: FakeFacilitator;
  private readonly folder = mkdtempSync(join(tmpdir(), 'channels-'));
  private server: Awaited<ReturnType<Start>>;

  constructor(
    readonly name: string,
    private readonly request: typeof HttpRequest,
  ) {}

  async open(start: Start): Promise<void> {
    const ledger = new MemoryEnclave({ deployment });
    ledger.deposit(buyerAddress, 1_000_000n);
    this.facilitator = await FakeFacilitator.start();
    const options: PaywallOptions = {
      baseUrl,
      to: seller,
      deployment,
      cors: '*',
      accepts: acceptedInTests,
      facilitator: { url: this.facilitator.url, keepsOutcomes: true },
      mpp: { secret: 'a secret of the tests, long enough' },
      channels: { folder: this.folder },
    };
    const paywall = new Paywall({ ...options, transport: ledger });
    this.harness = { ledger, options, paywall, handler: { status: 200, throws: false, calls: 0 } };
    await paywall.ready();
    this.server = await start(this.harness);
  }

  async close(): Promise<void> {
    await this.server.stop();
    await this.harness.paywall.close();
    await this.facilitator.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  forget(): void {
    Object.assign(this.harness.handler, { status: 200, throws: false, calls: 0 });
    Object.assign(this.harness.ledger, { lose: undefined, instead: undefined });
  }

  /** Sends with a raw HTTP request, because `fetch` joins headers and hides connections. */
  send({ path = '/sold', method = 'GET', headers = {}, body }: Sent = {}): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const request = this.request(
        this.server.url + path,
        { method, headers: { ...headers } },
        (response) => {
          const chunks: Buffer[] = [];
          const { headers: answered, statusCode = 0 } = response;
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('end', () =>
            resolve({ status: statusCode, headers: answered, body: Buffer.concat(chunks).toString() }),
          );
        },
      );
      request.once('error', reject);
      request.end(body);
    });
  }

  required = async (sent?: Sent) => (await this.send(sent)).headers['payment-required'] as string;

  paySigned = (payment: string | string[], sent: Sent = {}) =>
    this.send({ ...sent, headers: { ...sent.headers, 'Payment-Signature': payment } });

  pay = async () => this.paySigned(await headerFor(await this.required()));

  /** A buyer with channels, and the payment headers that it has sent. */
  channelBuyer() {
    const sent: string[] = [];
    const options = { signer: buyer, maxPerPayment: '1000', maxTotal: '100000', maxRepeats: 0 };
    const { fetch: pay } = createBuyer({
      ...options,
      channels: { reserve: '50000' },
      trustsAdvertisedUrl: true,
      fetch: (url, init) => {
        const header = new Headers(init?.headers).get('payment-signature');
        if (header) sent.push(header);
        return fetch(url, init);
      },
    });
    return { sent, buy: () => pay(`${this.server.url}/sold`) };
  }
}
