import { randomBytes } from 'node:crypto';
import {
  base64Json,
  mainnet,
  testnet,
  usdt,
  type Asset,
  type Network,
  type Receipt,
} from '@tollbridge/nanopay-protocol';
import { enclaveKeysOf, isTrustedReceipt, type EnclaveKeys } from '../enclave-keys';
import type { HashChain } from '../hash-chain';
import { UnpayableOfferError, type OfferToPay } from '../payable';
import { signPayment, type SignedPayment } from '../payer';
import { payerAddress, signerOfSeed, type PaymentSigner } from '../payment-signer';
import { LRUCache } from 'lru-cache';
import { Budget } from './budget';
import type { BuyerChannel, BuyerChannelState, ChannelPayment } from './channel';
import { BuyerChannels, type BuyerChannelOptions } from './channels';
import { checkResource, chooseOffer, readRequired, type Allowed, type ChosenOffer } from './offers';

export interface BuyerOptions {
  /** 32 bytes, or 64 hexadecimal digits. */
  seed?: Uint8Array | string;
  signer?: PaymentSigner;
  network?: Network['name'];
  /** The accepted assets. USDT by default. */
  assets?: readonly Asset[];
  /** In the smallest unit of the asset, like all amounts. */
  maxPerPayment: bigint | string;
  maxTotal: bigint | string;
  /** The total resets after this time. A day is 86,400,000. */
  totalPeriodMs?: number;
  allow?: Allowed;
  /**
   * Pays through channels if the seller offers them. One signature reserves an amount, and each payment reveals a link
   * of a hash chain.
   */
  channels?: BuyerChannelOptions;
  /** The key that must sign receipts: 64 hexadecimal digits. Pass several keys during a key rotation. */
  enclaveKey?: string | readonly string[];
  /** Pays even if the server advertises a URL that differs from the requested one, as happens behind some proxies. */
  trustsAdvertisedUrl?: boolean;
  /** Maximum number of retries of the same payment while its outcome is unknown. */
  maxRepeats?: number;
  fetch?: typeof fetch;
  /** Unix milliseconds. */
  clock?: () => number;
}

export interface Buyer {
  /** The account of the buyer's deposit. */
  address: string;
  /** The total signed in this period, less the amounts that receipts of the expected key prove uncharged. */
  spent(): bigint;
  /** The open channels. */
  channels(): BuyerChannelState[];
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
}

/** A payment would exceed a limit. Nothing has been signed. */
export class SpendingLimitError extends Error {
  override readonly name = 'SpendingLimitError';
  constructor(readonly limit: 'per_payment' | 'total') {
    super(limit === 'total' ? 'The payment exceeds the remaining total.' : 'The payment is above the limit.');
  }
}

/** The request was paid and served, but the expected key did not sign the receipt. */
export class UntrustedReceiptError extends Error {
  override readonly name = 'UntrustedReceiptError';
  constructor(readonly response: Response) {
    super('The receipt is not signed by the expected key, or is for another payment.');
  }
}

/**
 * Creates a `fetch` that pays within limits. It never signs a second payment while the outcome of the first is unknown.
 */
export function createBuyer(options: BuyerOptions): Buyer {
  const buyer = new PayingBuyer(options);
  return {
    address: buyer.address,
    spent: () => buyer.spent,
    channels: () => buyer.channels?.states ?? [],
    fetch: (input, init) => buyer.fetch(new Request(input, init)),
  };
}

interface Sent {
  method: string;
  url: string;
  headers: Headers;
  body: Buffer | undefined;
  signal: AbortSignal;
}

interface Signed extends Pick<SignedPayment, 'digest' | 'chainIndex'> {
  header: string;
  amountAtomic: bigint;
  endsMs: number;
}

/** The outcome of a channel payment. `again`: retry with the next link. `ask`: request the offer first. */
type LinkOutcome = { kind: 'answered'; response: Response } | { kind: 'again' | 'ask' };

interface PaymentResponse {
  success?: boolean;
  errorReason?: string;
  extra?: { receipt?: Receipt; channel?: { index?: unknown } };
}

const maxPauseMs = 10_000;
/** Maximum number of URLs with a known price. A channel pays for them without requesting the offer first. */
const maxKnownOffers = 1_000;
/** Allows one retry after a channel has ended, and one after a price has changed. */
const maxChannelTries = 3;

class PayingBuyer {
  readonly address: string;
  private readonly signer: PaymentSigner;
  private readonly network: Network;
  private readonly budget: Budget;
  private readonly enclaveKeys: EnclaveKeys | undefined;
  private readonly send: typeof fetch;
  private readonly clock: () => number;
  readonly channels: BuyerChannels | undefined;
  private readonly offers = new LRUCache<string, ChosenOffer>({ max: maxKnownOffers });

  constructor(private readonly options: BuyerOptions) {
    const { seed, signer, maxPerPayment, maxTotal, totalPeriodMs: periodMs } = options;
    if (signer === undefined && seed === undefined)
      throw new TypeError('Missing payer. Set `seed` or `signer`.');
    this.signer = signer ?? signerOfSeed(seed!);
    this.network = options.network === 'ton-testnet' ? testnet : mainnet;
    this.address = payerAddress(this.signer, this.network);
    this.clock = options.clock ?? Date.now;
    this.send = options.fetch ?? fetch;
    this.enclaveKeys = enclaveKeysOf(options.enclaveKey);
    const limits = {
      maxPerPaymentAtomic: limitOf(maxPerPayment),
      maxTotalAtomic: limitOf(maxTotal),
      periodMs,
    };
    this.budget = new Budget(limits, this.clock);
    if (options.channels && this.signer.chain) throw new TypeError('A hash chain cannot open channels.');
    if (options.channels) this.channels = new BuyerChannels(options.channels, this.budget, this.clock);
  }

  get spent(): bigint {
    return this.budget.spent;
  }

  async fetch(request: Request): Promise<Response> {
    // Read the body first, because a streamed body can be sent only once.
    const body = request.body ? Buffer.from(await request.arrayBuffer()) : undefined;
    const { method, url, headers, signal, redirect } = request;
    const sent = { method, url, headers, body, signal };
    const known = this.offers.get(`${method} ${url}`);
    const paid = known && (await this.payByChannel(known, sent));
    return paid ?? this.askAndPay(sent, redirect);
  }

  private async askAndPay(sent: Sent, redirect: Request['redirect']): Promise<Response> {
    const { url } = sent;
    const first = await this.send(url, this.init(sent, { redirect }));
    const document = first.status === 402 ? readRequired(first.headers.get('payment-required')) : undefined;
    if (!document) return first;
    await first.body?.cancel();
    if (first.redirected)
      throw new UnpayableOfferError('The request was redirected. Send it to the final server.');
    this.checkPlace(document.resource.url, url);
    const { network, options } = this;
    const allowed = { allow: options.allow ?? {}, network, assets: options.assets ?? [usdt] };
    const chosen = chooseOffer(document, allowed);
    const paid = await this.payByChannel(chosen, sent);
    if (paid) return paid;
    const { chain } = this.signer;
    return chain ? chain.inTurn(() => this.payByChain(chain, chosen, sent)) : this.pay(chosen, sent);
  }

  /** Returns undefined if no channel can pay and a signature is required. */
  private async payByChannel(chosen: ChosenOffer, sent: Sent): Promise<Response | undefined> {
    const { channels } = this;
    const { offer, payable } = chosen;
    if (!channels || offer.extra?.bindBody === true) return undefined;
    for (let tries = 0; tries < maxChannelTries; tries++) {
      const channel = channels.channelFor(offer, payable);
      if (!channel) return undefined;
      const paid = await channel.inTurn(() => this.payLink(channel, chosen, sent));
      if (paid.kind === 'answered') {
        this.offers.set(`${sent.method} ${sent.url}`, chosen);
        return paid.response;
      }
      // The price or the seller's process has changed.
      if (paid.kind === 'ask') {
        this.offers.delete(`${sent.method} ${sent.url}`);
        return undefined;
      }
    }
    return undefined;
  }

  private async payLink(channel: BuyerChannel, chosen: ChosenOffer, sent: Sent): Promise<LinkOutcome> {
    const channels = this.channels!;
    const nowMs = this.clock();
    const { offer, payable, document } = chosen;
    // Another request used the channel before, so check the channel again.
    if (!channels.canPay(channel, offer, payable)) return { kind: 'again' };
    const payment = await channel.next(this.signer, payable.amountAtomic, nowMs).catch((error: unknown) => {
      // The signer's grant allows only smaller payments.
      if (error instanceof UnpayableOfferError) return undefined;
      throw error;
    });
    if (!payment) return this.giveUp(channel, offer);
    const { payload, token } = payment;
    const { resource, extensions } = document;
    const header = token ?? base64Json({ x402Version: 2, accepted: offer, payload, resource, extensions });
    const endsMs = nowMs + payable.maxTimeoutS * 1_000;
    // Without a response, the next payment presents the same link again.
    const { response, isRepeated } = await this.sendPaid({ header, endsMs }, sent);
    const next = this.afterLink(channel, payment, offer, response);
    // An earlier attempt may have charged the link at a process that has ended since. Never pay twice for one request.
    if (next.kind === 'answered' || isRepeated) return { kind: 'answered', response };
    await response.body?.cancel();
    return next;
  }

  private afterLink(
    channel: BuyerChannel,
    payment: ChannelPayment,
    offer: OfferToPay,
    response: Response,
  ): LinkOutcome {
    const paid = paymentResponseOf(response);
    if (paid?.success === true || paid?.errorReason === 'refunded') channel.accepted(payment);
    if (response.status !== 402) return { kind: 'answered', response };
    const { errorReason, extra } = paid ?? {};
    if (errorReason === 'duplicate_settlement' && channel.skipTo(payment, extra?.channel?.index))
      return { kind: 'again' };
    if (errorReason === 'invalid_ton_nanopay_amount_mismatch' && channel.isOpen) return { kind: 'ask' };
    return this.giveUp(channel, offer);
  }

  /** Drops a channel that the seller did not open or does not recognise. */
  private giveUp(channel: BuyerChannel, offer: OfferToPay): LinkOutcome {
    this.channels!.drop(channel);
    if (!channel.isOpen) this.channels!.pause(offer);
    return { kind: 'ask' };
  }

  /** Retries with the following link when a rejection shows that a link with an unknown outcome was used. */
  private async payByChain(chain: HashChain, chosen: ChosenOffer, sent: Sent): Promise<Response> {
    for (let more = 1 + (chain.state.unknown?.length ?? 0); ; more--) {
      const usedBefore = chain.state.used;
      const response = await this.pay(chosen, sent);
      const isBehind = response.status === 402 && chain.state.used > usedBefore;
      if (!isBehind || more === 0) return response;
      await response.body?.cancel();
    }
  }

  private checkPlace(advertised: string, asked: string): void {
    const { allow, trustsAdvertisedUrl = false } = this.options;
    if (allow?.hosts && !allow.hosts.includes(new URL(asked).host))
      throw new UnpayableOfferError('The offer is from a server that is not accepted.');
    if (!trustsAdvertisedUrl) checkResource(advertised, asked);
  }

  private async pay(chosen: ChosenOffer, sent: Sent): Promise<Response> {
    const { amountAtomic } = chosen.payable;
    const charged = this.budget.reserve(amountAtomic);
    if (typeof charged === 'string') throw new SpendingLimitError(charged);
    let signed: Signed;
    try {
      signed = await this.sign(chosen, sent);
    } catch (error) {
      charged(0n);
      throw error;
    }
    // From here on the payment may be charged. After an error, its amount still counts against the budget.
    const { response } = await this.sendPaid(signed, sent).catch((error: unknown) => {
      this.updateLink(signed, undefined);
      throw error;
    });
    const payment = paymentResponseOf(response);
    this.updateLink(signed, payment);
    const receipt = payment?.extra?.receipt;
    const isProven = receipt !== undefined && this.isReceiptOf(receipt, signed);
    if (isProven) charged(receipt.type === 'refund' ? 0n : BigInt(receipt.amount));
    if (this.enclaveKeys && payment?.success === true && !(isProven && receipt.type === 'charge'))
      throw new UntrustedReceiptError(response);
    return response;
  }

  /** Updates the state of the link from the response. Without a response, the outcome of the link is unknown. */
  private updateLink({ chainIndex: index }: Signed, payment: PaymentResponse | undefined): void {
    const { chain } = this.signer;
    if (!chain || index === undefined) return;
    if (!payment) chain.leaveUnknown(index);
    else if (payment.success === true || payment.errorReason === 'refunded') chain.use(index);
    else if (payment.errorReason === 'invalid_ton_nanopay_amount_mismatch') chain.skip(chain.state.used + 1);
    else if (payment.errorReason === 'duplicate_settlement' && !chain.skip(index)) chain.use(index);
  }

  private async sign({ offer, payable, document }: ChosenOffer, sent: Sent): Promise<Signed> {
    const nowMs = this.clock();
    if (offer.extra?.bindBody === true && this.signer.chain)
      throw new UnpayableOfferError(
        'The seller binds bodies, and links of a hash chain do not cover the body. Pay by signature.',
      );
    const body = offer.extra?.bindBody === true && sent.body?.length ? sent.body : undefined;
    const resource = { method: sent.method, url: document.resource.url, body };
    const signing = await signPayment(this.signer, payable, resource, { nonce: randomBytes(32), nowMs });
    const header = base64Json({
      x402Version: 2,
      accepted: offer,
      payload: signing.payload,
      resource: document.resource,
      extensions: named(document.extensions),
    });
    const endsMs = nowMs + payable.maxTimeoutS * 1_000;
    return { ...signing, header, amountAtomic: payable.amountAtomic, endsMs };
  }

  /** Retries the same payment while it is valid and its outcome is unknown. */
  private async sendPaid(
    signed: Pick<Signed, 'header' | 'endsMs'>,
    sent: Sent,
  ): Promise<{ response: Response; isRepeated: boolean }> {
    const { maxRepeats = 5 } = this.options;
    const headers = new Headers(sent.headers);
    headers.set('Payment-Signature', signed.header);
    for (let repeats = 0; ; repeats++) {
      const isLast = repeats >= maxRepeats || this.clock() >= signed.endsMs;
      let pauseMs = Math.min(200 * 2 ** repeats, maxPauseMs);
      try {
        // Never follow a redirect with a payment.
        const response = await this.send(sent.url, this.init({ ...sent, headers }, { redirect: 'manual' }));
        // A 503 with this header has a known outcome: the handler failed, and the payment is refunded.
        const isKnown = response.status !== 503 || response.headers.has('payment-response');
        if (isKnown || isLast) return { response, isRepeated: repeats > 0 };
        await response.body?.cancel();
        const retryAfterS = Number(response.headers.get('retry-after'));
        if (retryAfterS >= 0 && response.headers.has('retry-after'))
          pauseMs = Math.min(retryAfterS * 1_000, maxPauseMs);
      } catch (error) {
        if (isLast || sent.signal.aborted) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      sent.signal.throwIfAborted();
    }
  }

  private init(
    { method, headers, body, signal }: Sent,
    more: { redirect: NonNullable<RequestInit['redirect']> },
  ): RequestInit {
    return { method, headers, signal, ...more, ...(body ? { body } : {}) };
  }

  /**
   * Only a receipt of the expected key releases an amount. A rejection by the seller does not, because the seller could
   * still charge the signed payment. The total therefore also counts payments that a dishonest seller may still charge.
   */
  private isReceiptOf(receipt: Receipt, { digest, amountAtomic }: Signed): boolean {
    if (!this.enclaveKeys || !isTrustedReceipt(receipt, this.enclaveKeys, digest)) return false;
    return BigInt(receipt.amount) <= amountAtomic;
  }
}

function paymentResponseOf(response: Response): PaymentResponse | undefined {
  const header = response.headers.get('payment-response');
  if (header === null || header.length > 16_384) return undefined;
  try {
    const payment = JSON.parse(Buffer.from(header, 'base64').toString('utf8')) as PaymentResponse | null;
    return typeof payment === 'object' && payment !== null ? payment : undefined;
  } catch {
    return undefined;
  }
}

const identifierBytes = 16;

/** Adds an identifier for sellers that store responses, so that the buyer can fetch a lost response again. */
function named(extensions: Record<string, unknown> | undefined): Record<string, unknown> {
  const extension = extensions?.['payment-identifier'] as { info?: object } | undefined;
  if (typeof extension !== 'object' || extension === null) return { ...extensions };
  const info = { ...extension.info, id: randomBytes(identifierBytes).toString('hex') };
  return { ...extensions, 'payment-identifier': { ...extension, info } };
}

function limitOf(limit: bigint | string): bigint {
  if (typeof limit === 'bigint' && limit >= 0n) return limit;
  if (typeof limit === 'string' && /^[0-9]{1,30}$/.test(limit)) return BigInt(limit);
  throw new TypeError(`Invalid limit ${limit}: expected a whole number in the asset's smallest unit.`);
}
