import { usdt, type Asset, type Deployment, type Network } from '@tollbridge/nanopay-protocol';
import { LRUCache } from 'lru-cache';
import type { Answer, Headers } from './answers';
import { Batcher } from './batcher';
import { Channels, type ChannelsOptions } from './channels/channels';
import { FileChannelStore, type FileChannelStoreOptions } from './channels/file-channel-store';
import { Charges } from './charges';
import { corsHeadersFor, corsOptionsFor, preflightHeadersFor, type CorsOptions } from './cors';
import { Deployments } from './deployments';
import { enclaveKeysOf } from './enclave-keys';
import { OfferReceipts, type OfferReceiptOptions } from './extensions/offer-receipts';
import { MemorySignIns, type SignInStore } from './extensions/sign-in-store';
import { httpTransport } from './http-transport';
import { FacilitatorClient, type FacilitatorOptions } from './official/facilitator-client';
import { MppChallenges, type MppOptions } from './official/mpp';
import { MemoryClaims } from './official/memory-claims';
import { isOfVouchers, toWays, type AcceptedWay, type Way } from './official/offers';
import { OfficialSales, type OnSettledElsewhere } from './official/official-sales';
import type { PaymentClaims } from './official/payment-claims';
import { SupportedKinds } from './official/supported-kinds';
import { checkedVoucherOptions, type VoucherOptions } from './official/vouchers/voucher-options';
import { Vouchers } from './official/vouchers/vouchers';
import type { PaidOptions } from './paid-options';
import { PaidRoute, type RouteSurroundings } from './paid-route';
import { MemoryResponses, type ResponseStore } from './response-store';
import type { Transport } from './transport';

export interface PaywallOptions {
  /** Public base URL of the seller. Buyers sign `baseUrl` + path + query. */
  baseUrl: string;
  /**
   * The TON account that receives nano-payments, unless a route sets another. Without it nano-payments are not
   * accepted.
   */
  to?: string;
  /** Payment methods by official schemes of x402, for routes with a `price`. */
  accepts?: readonly AcceptedWay[];
  /** Verifies and settles payments of official schemes. By default the gateway. */
  facilitator?: FacilitatorOptions;
  /** Claims of payments of official schemes. The processes of a seller must share this store. */
  claims?: PaymentClaims;
  /** Signs the offers of a 402 and the receipts of payments of official schemes (extension `offer-receipt` of x402). */
  offerReceipts?: OfferReceiptOptions;
  /** Payments and nonces of routes with `signIn`. The processes of a seller must share this store. */
  signIns?: SignInStore;
  /** Options for `batch-settlement`, which needs the packages `@x402/core`, `@x402/evm` and `viem`. */
  vouchers?: VoucherOptions;
  /** Also accepts the scheme `Payment` of HTTP authentication, for `exact` payments by EIP-3009. */
  mpp?: MppOptions;
  /** If false, omits the first offer, which has the form of the specification and a network name that is not CAIP-2. */
  specificationForm?: boolean;
  /** Base URL of the gateway, for payments and `/supported`. */
  gateway?: string;
  /** URL of `/supported`, if it is not at `gateway`. */
  teeEndpoint?: string;
  apiKey?: string;
  /** A fixed deployment, instead of a request to the gateway. */
  deployment?: Deployment;
  /** The network of the gateway's deployment to sell on. */
  network?: Network['name'];
  asset?: Asset;
  /** Replaces `POST /payments` of the gateway. */
  transport?: Transport;
  /**
   * The trusted receipt key, 64 hexadecimal digits. Receipts of other keys are rejected. Pass several keys during a key
   * rotation.
   */
  enclaveKey?: string | readonly string[];
  /** If false, a payment for a path is valid for any query. */
  advertiseQuery?: boolean;
  /** Time limit for all attempts of one request. */
  budgetMs?: number;
  /** Time-out of one message to the ledger service. */
  messageTimeoutMs?: number;
  /** The allowed origin of browsers, or `*`. Without it no CORS headers are set. */
  cors?: string;
  /** Also sells by channels. Their links are written to files in `folder`, or to a store of the seller. */
  channels?: Partial<ChannelsOptions> & Partial<FileChannelStoreOptions>;
  /** Stores responses for retries. */
  responses?: ResponseStore;
  /** Maximum number of cached 402 responses. */
  maxQuotes?: number;
  /** Whether a response with this status is refunded. By default every status from 500 on. */
  refundOn?: (status: number) => boolean;
  /** Called when a refund has failed for several minutes. The seller must then refund it manually. */
  onRefundFailed?: (confirmationId: string) => void;
  /**
   * Called with a payment of an official scheme that the facilitator rejects, but that may have been settled before.
   * Its nonce is used, its simulation fails, or the balance is too low. Refund the payment, or return the transaction
   * that paid you and has bought nothing. The request is then served. If this function rejects, the answer is 503.
   */
  onSettledElsewhere?: OnSettledElsewhere;
  /**
   * Called when a message to the ledger service or the facilitator failed or timed out, or the store of claims failed.
   * The outcome of the affected payments is unknown. Also called when the issuer of receipts or the store of sign-ins
   * failed. Log the error.
   */
  onMessageFailed?: (error: unknown) => void;
  /** Unix milliseconds. */
  clock?: () => number;
}

/** Maximum number of messages in flight. More would only make them smaller, and each message costs the same. */
const maxUnderWay = 4;
/** The number of payments that messages of 512 payments can carry within the time limit of a request. */
const maxWaiting = 10_000;

/** The paywall of a process, with one route for each price. */
export class Paywall {
  private readonly transport: Transport;
  private readonly deployments: Deployments;
  private readonly kinds: SupportedKinds | undefined;
  private readonly around: RouteSurroundings;
  private vouchers: Vouchers | undefined;
  private channels: Channels | undefined;
  private readonly startingChannels: Promise<void> | undefined;
  private isStarting = false;
  readonly charges: Charges;

  constructor(private readonly options: PaywallOptions) {
    const { budgetMs = 5_000, messageTimeoutMs = 2_000, enclaveKey, onMessageFailed: onFailed } = options;
    if (messageTimeoutMs > budgetMs) throw new TypeError('messageTimeoutMs must not exceed budgetMs.');
    const enclaveKeys = enclaveKeysOf(enclaveKey);
    this.transport = transportOf(options, messageTimeoutMs);
    this.deployments = deploymentsOf(options);
    const batching = { messageTimeoutMs, maxUnderWay, maxWaiting, onFailed };
    this.charges = new Charges(new Batcher(this.transport, batching), {
      budgetMs,
      messageTimeoutMs,
      onRefundFailed: options.onRefundFailed ?? (() => undefined),
      enclaveKeys,
    });
    const onFacilitatorFailed = onFailed ?? (() => undefined);
    const facilitator = facilitatorOf(options);
    this.kinds = facilitator && new SupportedKinds(facilitator, onFacilitatorFailed);
    const ways = toWays(options.accepts ?? []);
    const vouchers = options.vouchers && checkedVoucherOptions(options.vouchers);
    const receipts = options.offerReceipts && new OfferReceipts(options.offerReceipts, onFacilitatorFailed);
    const sales = facilitator && this.salesThrough(facilitator, { receipts, vouchers }, onFacilitatorFailed);
    this.openVouchers(ways);
    const clock = options.clock ?? Date.now;
    if (options.channels) this.startingChannels = this.startChannels(channelsOf(options.channels), clock);
    const load = () => this.deployments.current ?? this.deployments.load();
    this.around = {
      baseUrl: baseUrlOf(options.baseUrl),
      advertiseQuery: options.advertiseQuery ?? true,
      to: options.to,
      charges: this.charges,
      cors: this.corsHeaders(),
      responses: options.responses ?? new MemoryResponses(),
      // LRUCache treats 0 as a missing limit.
      quotes: new LRUCache({ max: Math.max(options.maxQuotes ?? 2_000, 1) }),
      refundOn: options.refundOn ?? ((status) => status >= 500),
      clock,
      ways,
      vouchers: facilitator && vouchers,
      nanoDecimals: (options.deployment?.asset ?? options.asset ?? usdt).decimals,
      specificationForm: options.specificationForm ?? true,
      sales,
      receipts,
      signIns: options.signIns ?? new MemorySignIns({ clock }),
      mpp: options.mpp && new MppChallenges(options.mpp, options.baseUrl),
      kinds: (ways) => this.kinds?.get(ways),
      channels: () => this.channels,
      // Waits while channels are loading, so that their links are not rejected as unknown.
      deployment: () => (this.isStarting ? this.ready().then(load) : load()),
    };
  }

  private salesThrough(
    facilitator: FacilitatorClient,
    { receipts, vouchers }: { receipts: OfferReceipts | undefined; vouchers: VoucherOptions | undefined },
    onFailed: (error: unknown) => void,
  ): OfficialSales {
    const {
      claims = new MemoryClaims(),
      facilitator: { url, settleTimeoutMs = 30_000, keepsOutcomes } = {},
    } = this.options;
    const { owner } = claims;
    this.vouchers =
      vouchers && new Vouchers({ facilitator, options: vouchers, settleTimeoutMs, owner, onFailed });
    return new OfficialSales({
      facilitator,
      claims,
      vouchers: this.vouchers,
      settleTimeoutMs,
      keepsOutcomes: keepsOutcomes ?? url === undefined,
      receipts,
      onFailed,
      onSettledElsewhere: this.options.onSettledElsewhere,
      cors: this.corsHeaders(),
    });
  }

  /** Opens the stores before the first request, so that vouchers of an earlier process are claimed. */
  private openVouchers(ways: readonly Way[]): void {
    for (const way of ways.filter(isOfVouchers)) void this.vouchers?.open(way).catch(() => undefined);
  }

  /** Never rejects. While the store cannot be opened, the ledger service charges each payment. */
  private async startChannels(options: ChannelsOptions, clock: () => number): Promise<void> {
    this.isStarting = true;
    try {
      this.channels = await Channels.start(options, this.charges, clock);
    } finally {
      this.isStarting = false;
    }
  }

  /** Resolves when channels are available or have failed to start. Until then no route offers them. */
  async ready(): Promise<void> {
    await this.startingChannels;
  }

  /** Creates a paid route. Call it once per route, not for each request. */
  route(options: PaidOptions): PaidRoute {
    this.openVouchers(toWays(options.accepts ?? []));
    return new PaidRoute(options, this.around);
  }

  /** The CORS headers of every answer. Empty unless `cors` is set. */
  corsHeaders(): Headers {
    return this.options.cors === undefined ? {} : corsHeadersFor(this.options.cors);
  }

  /** Options for `enableCors` of NestJS and for CORS middleware. */
  corsOptions(): CorsOptions {
    return corsOptionsFor(this.options.cors ?? '*');
  }

  /** Returns the answer to a preflight request; undefined unless `cors` is set. */
  preflight(): Answer | undefined {
    const { cors } = this.options;
    if (cors === undefined) return undefined;
    return { status: 204, code: 'preflight', headers: preflightHeadersFor(cors), body: '' };
  }

  /**
   * Settles all channels now and leaves them open. Without this call they are settled after a time or a number of
   * links. Also claims vouchers of `batch-settlement` and pays them out.
   */
  async settle(): Promise<void> {
    await Promise.all([this.channels?.settle(), this.vouchers?.collect()]);
  }

  /** Settles the channels and closes the connections to the gateway. The channels stay open for the next process. */
  async close(): Promise<void> {
    await this.startingChannels;
    await this.channels?.close();
    await this.vouchers?.close();
    this.transport.close?.();
  }
}

/** Returns undefined without a configured facilitator or gateway. Routes can then accept only nano-payments. */
function facilitatorOf({ facilitator = {}, gateway, apiKey }: PaywallOptions): FacilitatorClient | undefined {
  const url = facilitator.url ?? gateway;
  if (url === undefined) return undefined;
  const isGateway = facilitator.url === undefined && apiKey !== undefined;
  const headers = isGateway ? { Authorization: `Bearer ${apiKey}` } : {};
  return new FacilitatorClient(url, { ...facilitator, headers: { ...headers, ...facilitator.headers } });
}

function transportOf(options: PaywallOptions, timeoutMs: number): Transport {
  const { transport, gateway, teeEndpoint, apiKey } = options;
  if (transport) return transport;
  const url = gateway ?? teeEndpoint;
  if (url === undefined) throw new TypeError('Missing transport. Set `gateway` or `transport`.');
  return httpTransport({ url, timeoutMs, ...(apiKey === undefined ? {} : { apiKey }) });
}

function channelsOf(options: NonNullable<PaywallOptions['channels']>): ChannelsOptions {
  const { folder, store = folder === undefined ? undefined : new FileChannelStore({ folder }) } = options;
  if (!store) throw new TypeError('Missing store of channels. Set `folder` or `store` of `channels`.');
  return { ...options, store };
}

function deploymentsOf({ deployment, teeEndpoint, gateway, network, asset }: PaywallOptions): Deployments {
  if (deployment) return new Deployments(deployment, undefined);
  const asked = teeEndpoint ?? gateway;
  if (asked === undefined) throw new TypeError('Missing deployment. Set `gateway` or `deployment`.');
  return new Deployments(undefined, {
    teeEndpoint: asked.replace(/\/+$/, ''),
    ...(network === undefined ? {} : { network }),
    ...(asset === undefined ? {} : { asset }),
  });
}

function baseUrlOf(text: string): string {
  const url = new URL(text);
  if (!/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '' || url.username !== '')
    throw new TypeError('The base URL must be http or https, without query and user.');
  return text.replace(/\/+$/, '');
}
