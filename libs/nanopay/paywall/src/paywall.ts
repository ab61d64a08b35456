import type { Asset, Deployment, Network } from '@tollbridge/nanopay-protocol';
import type { Answer, Headers } from './answers';
import { Batcher } from './batcher';
import { BoundedMap } from './bounded-map';
import { Charges } from './charges';
import { corsHeadersFor, corsOptionsFor, preflightHeadersFor } from './cors';
import { Deployments } from './deployments';
import { httpTransport } from './http-transport';
import { PaidRoute, type PaidOptions, type PricedQuote, type RouteSurroundings } from './paid-route';
import { MemoryResponses, type ResponseStore } from './response-store';
import type { Transport } from './transport';

export interface PaywallOptions {
  /** Where this seller is reached from outside: buyers sign `baseUrl` + path + query. */
  baseUrl: string;
  /** Who is paid, unless a route says otherwise. */
  to?: string;
  /** Base URL of the gateway, for payments and `/supported`. */
  gateway?: string;
  /** URL of `/supported`, if not at `gateway`. */
  teeEndpoint?: string;
  apiKey?: string;
  /** Instead of asking the gateway. */
  deployment?: Deployment;
  /** Of the gateway's deployments, the one to sell on. */
  network?: Network['name'];
  asset?: Asset;
  /** Instead of `POST /payments` of the gateway. */
  transport?: Transport;
  /** The trusted receipt key, 64 hexadecimal digits: other receipts are rejected. */
  enclaveKey?: string;
  /** False sells a path whatever is asked of it. */
  advertiseQuery?: boolean;
  /** For all attempts of one request. */
  budgetMs?: number;
  /** Timeout of one message to the ledger service. */
  messageTimeoutMs?: number;
  /** The origin that browsers may buy from, or `*`; without it no such headers are set. */
  cors?: string;
  /** Where answers are kept for buyers who repeat their calls. */
  responses?: ResponseStore;
  /** Prices and their documents that are kept made. */
  maxQuotes?: number;
  /** Whether an answer of this status gives the payment back; by default all from 500. */
  refundOn?: (status: number) => boolean;
  /** Called when a payment could not be refunded in several minutes, to be seen to by people. */
  onRefundFailed?: (confirmationId: string) => void;
  /** Called when a message to the ledger service failed or timed out: the outcome of its payments is unknown. Log it. */
  onMessageFailed?: (error: unknown) => void;
  /** Unix milliseconds. */
  clock?: () => number;
}

const enclaveKeyForm = /^[0-9a-f]{64}$/i;
/** Some are on their way while others are answered. More would only make them smaller, and each costs the same. */
const maxUnderWay = 4;
/** What messages of 512 carry in the time that a buyer waits. */
const maxWaiting = 10_000;

/** The seller's side: one for each process, with as many routes as there are prices. */
export class Paywall {
  private readonly transport: Transport;
  private readonly deployments: Deployments;
  private readonly around: RouteSurroundings;
  readonly charges: Charges;

  constructor(private readonly options: PaywallOptions) {
    const { budgetMs = 5_000, messageTimeoutMs = 2_000, enclaveKey, onMessageFailed: onFailed } = options;
    if (messageTimeoutMs > budgetMs) throw new TypeError('A message may not take longer than all of them.');
    if (enclaveKey !== undefined && !enclaveKeyForm.test(enclaveKey))
      throw new TypeError('Invalid enclaveKey: expected 64 hexadecimal digits.');
    this.transport = transportOf(options, messageTimeoutMs);
    this.deployments = deploymentsOf(options);
    const batching = { messageTimeoutMs, maxUnderWay, maxWaiting, onFailed };
    this.charges = new Charges(new Batcher(this.transport, batching), {
      budgetMs,
      messageTimeoutMs,
      onRefundFailed: options.onRefundFailed ?? (() => undefined),
      enclaveKey: enclaveKey === undefined ? undefined : Buffer.from(enclaveKey, 'hex'),
    });
    this.around = {
      baseUrl: baseUrlOf(options.baseUrl),
      advertiseQuery: options.advertiseQuery ?? true,
      to: options.to,
      charges: this.charges,
      cors: this.corsHeaders(),
      responses: options.responses ?? new MemoryResponses(),
      quotes: new BoundedMap<string, PricedQuote>(options.maxQuotes ?? 2_000),
      refundOn: options.refundOn ?? ((status) => status >= 500),
      clock: options.clock ?? Date.now,
      deployment: () => this.deployments.current ?? this.deployments.load(),
    };
  }

  /** Something to sell. Make it once, not for each request. */
  route(options: PaidOptions): PaidRoute {
    return new PaidRoute(options, this.around);
  }

  /** What every answer carries for browsers; nothing unless `cors` is set. */
  corsHeaders(): Headers {
    return this.options.cors === undefined ? {} : corsHeadersFor(this.options.cors);
  }

  /** For `enableCors` and its like. */
  corsOptions(): ReturnType<typeof corsOptionsFor> {
    return corsOptionsFor(this.options.cors ?? '*');
  }

  /** The answer to a browser that asks whether it may; undefined unless `cors` is set. */
  preflight(): Answer | undefined {
    const { cors } = this.options;
    if (cors === undefined) return undefined;
    return { status: 204, code: 'preflight', headers: preflightHeadersFor(cors), body: '' };
  }

  /** Closes the connections to the gateway. */
  close(): void {
    this.transport.close?.();
  }
}

function transportOf(options: PaywallOptions, timeoutMs: number): Transport {
  const { transport, gateway, teeEndpoint, apiKey } = options;
  if (transport) return transport;
  const url = gateway ?? teeEndpoint;
  if (url === undefined) throw new TypeError('Where are payments taken? Set `gateway` or `transport`.');
  return httpTransport({ url, timeoutMs, ...(apiKey === undefined ? {} : { apiKey }) });
}

function deploymentsOf({ deployment, teeEndpoint, gateway, network, asset }: PaywallOptions): Deployments {
  if (deployment) return new Deployments(deployment, undefined);
  const asked = teeEndpoint ?? gateway;
  if (asked === undefined) throw new TypeError('What is sold on? Set `gateway` or `deployment`.');
  return new Deployments(undefined, {
    teeEndpoint: asked.replace(/\/+$/, ''),
    ...(network === undefined ? {} : { network }),
    ...(asset === undefined ? {} : { asset }),
  });
}

function baseUrlOf(text: string): string {
  const url = new URL(text);
  if (!/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '' || url.username !== '')
    throw new TypeError('The base URL is http or https, and has neither query nor user.');
  return text.replace(/\/+$/, '');
}
