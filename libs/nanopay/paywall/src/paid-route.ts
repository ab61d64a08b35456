import { createHash } from 'node:crypto';
import {
  channelPrefix,
  chargeItem,
  digestOf,
  flags,
  maxAmountAtomic,
  paymentBytes,
  readAccount,
  readAmount,
  readNetwork,
  readPaymentHeader,
  receiptOf,
  resourceHash,
  termsFor,
  type Deployment,
  type PaymentTerms,
  type PresentedPayment,
  type Price,
  type Rejection,
} from '@tollbridge/nanopay-protocol';
import type { LRUCache } from 'lru-cache';
import {
  paidHeader,
  plainAnswer,
  refundedHeader,
  requiredAnswer,
  withDetails,
  type Answer,
  type Headers,
  type Quote,
} from './answers';
import { newCallKey } from './call-keys';
import { channelGrant, withChannel, type ChannelSale } from './channels/channel-answers';
import {
  channelPrice,
  openChannel,
  takeLink,
  type ChannelPrice,
  type Outcome,
} from './channels/channel-sales';
import type { Channels } from './channels/channels';
import type { AttemptResult, Charges, RefundResult } from './charges';
import { Grant } from './grant';
import type { Claim, ResponseStore, StoredResponse } from './response-store';

/** A request to a paid route. */
export interface PaidRequest {
  method: string;
  /** Path and query as received. */
  url: string;
  /** The header `Payment-Signature`; a list if it is repeated. */
  payment: string | readonly string[] | undefined;
  /** The received bytes, where bodies are bound. */
  body?: Uint8Array | undefined;
}

export type Amount = string | bigint;

/** What is sold, and for how much. */
export interface PaidOptions {
  /** In the smallest unit of the asset: `1000` is a tenth of a cent. */
  amount: Amount | ((request: PaidRequest) => Amount);
  /** The seller's account, raw or friendly; by default the paywall's. */
  to?: string;
  description?: string;
  mimeType?: string;
  /** The URL that is advertised and signed, instead of base URL, path and query. */
  url?: string;
  /** How long a payment may be valid. */
  maxTimeoutS?: number;
  /** Payments are bound to the body as well. */
  bindBody?: boolean;
  /** Whether a response with this status is refunded; by default all from 500. */
  refundOn?: (status: number) => boolean;
}

export type Verdict =
  | { kind: 'granted'; grant: Grant }
  | { kind: 'payment_required' | 'rate_limited'; answer: Answer }
  | { kind: 'malformed' | 'conflict'; answer: Answer }
  /** The outcome of the charge is unknown: a retry of the request finds out. */
  | { kind: 'unknown'; answer: Answer }
  /** The stored response, for the retry of a call with a `payment-identifier`. */
  | { kind: 'repeated'; answer: Answer };

/** What all routes of a paywall share. */
export interface RouteSurroundings {
  baseUrl: string;
  advertiseQuery: boolean;
  to: string | undefined;
  charges: Charges;
  /** Undefined where channels are not sold by, while they are being loaded, and after their log has failed. */
  channels: () => Channels | undefined;
  responses: ResponseStore;
  quotes: LRUCache<string, PricedQuote>;
  cors: Headers;
  refundOn: (status: number) => boolean;
  /** Unix milliseconds. */
  clock: () => number;
  deployment: () => Deployment | undefined | Promise<Deployment | undefined>;
}

export interface PricedQuote extends Quote {
  price: Price;
  /** The channels that are offered, if they are, and the price in them. */
  channels: Channels | undefined;
  offerVersion: number | undefined;
  channelPrice: ChannelPrice;
}

interface Call {
  request: PaidRequest;
  quote: PricedQuote;
  deployment: Deployment;
  presented: PresentedPayment;
  terms: PaymentTerms;
  /** Its time is over: nothing new is charged. */
  isLate?: boolean;
}

const tooLate = 'invalid_ton_nanopay_valid_before';

/** The 402 in base64 must pass every proxy. */
const maxUrlChars = 2_048;
const defaultTimeoutS = 60;
let routes = 0;

/** One paid route. Everything that does not depend on a payment is computed once per method and URL. */
export class PaidRoute {
  private readonly key = `${routes++} `;
  private last: { key: string; quote: PricedQuote } | undefined;
  private sale: ChannelSale | undefined;
  private readonly fixedAmountAtomic: bigint | undefined;

  constructor(
    private readonly options: PaidOptions,
    private readonly around: RouteSurroundings,
  ) {
    // Configuration errors surface when the seller's program starts.
    if (typeof options.amount !== 'function') this.fixedAmountAtomic = amountAtomicOf(options.amount);
    const to = options.to ?? around.to;
    if (to === undefined) throw new TypeError('Who is paid? Set `to` for the route or for the paywall.');
    if (readAccount(to, true) === undefined) throw new TypeError(`${to} is no account of TON.`);
  }

  get bindsBody(): boolean {
    return this.options.bindBody === true;
  }

  /** Without a payment the verdict is returned synchronously; awaiting it works as well. */
  decide(request: PaidRequest): Verdict | Promise<Verdict> {
    const deployment = this.around.deployment();
    if (!(deployment instanceof Promise)) return this.decideFor(deployment, request);
    return deployment.then((loaded) => this.decideFor(loaded, request));
  }

  private decideFor(deployment: Deployment | undefined, request: PaidRequest): Verdict | Promise<Verdict> {
    if (!deployment) return unavailable(this.around.cors);
    if (request.url.length > maxUrlChars)
      return {
        kind: 'malformed',
        answer: plainAnswer(414, 'url_too_long', 'The URL is too long to be sold.'),
      };
    const { payment } = request;
    if (payment === undefined) return this.required(this.quoteOf(request, deployment), deployment);
    if (typeof payment === 'string' && payment.startsWith(channelPrefix))
      return this.takeLink(payment, request, deployment);
    const presented = typeof payment === 'string' ? readPaymentHeader(payment) : 'malformed';
    if (presented === 'malformed') return { kind: 'malformed', answer: malformed(this.around.cors) };
    const quote = this.quoteOf(request, deployment);
    if (typeof presented === 'string') return this.required(quote, deployment, presented);
    const terms = this.termsOf(presented, quote, request, deployment, this.around.clock() / 1_000);
    if (terms === tooLate) return this.decideLate({ request, quote, deployment, presented });
    if (typeof terms === 'string') return this.required(quote, deployment, terms);
    if (presented.channel) return this.openChannel({ request, quote, deployment, presented, terms });
    return this.take({ request, quote, deployment, presented, terms });
  }

  /** A link of a channel. Only its durable record is awaited. */
  private takeLink(text: string, request: PaidRequest, deployment: Deployment): Verdict | Promise<Verdict> {
    const quote = this.quoteOf(request, deployment);
    const sale = this.saleOf(quote, deployment);
    if (!sale) return this.required(quote, deployment, 'invalid_ton_nanopay_channel');
    const outcome = takeLink(text, quote.channelPrice, sale);
    if (!outcome) return { kind: 'malformed', answer: malformed(this.around.cors) };
    if (outcome instanceof Promise)
      return outcome.then((later) => this.verdictOf(later, quote, deployment, sale));
    return this.verdictOf(outcome, quote, deployment, sale);
  }

  private async openChannel({ quote, deployment, presented, terms }: Call): Promise<Verdict> {
    const sale = this.saleOf(quote, deployment);
    if (!sale) return this.required(quote, deployment, 'invalid_ton_nanopay_channel');
    const digest = digestOf(paymentBytes(terms));
    const opening = { presented, terms, digest, deployment, nowMs: this.around.clock() };
    const outcome = await openChannel(opening, quote.channelPrice, sale, this.around.charges);
    return this.verdictOf(outcome, quote, deployment, sale);
  }

  /** Undefined where channels are not taken. A link says nothing of a body. */
  private saleOf({ channels }: PricedQuote, { network, asset }: Deployment): ChannelSale | undefined {
    if (!channels || this.bindsBody) return undefined;
    if (this.sale?.channels !== channels)
      this.sale = {
        channels,
        network: network.name,
        asset: asset.symbol,
        cors: this.around.cors,
        isRefunded: this.options.refundOn ?? this.around.refundOn,
      };
    return this.sale;
  }

  private verdictOf(
    outcome: Outcome,
    quote: PricedQuote,
    deployment: Deployment,
    sale: ChannelSale,
  ): Verdict | Promise<Verdict> {
    const { cors } = this.around;
    switch (outcome.kind) {
      case 'accepted': {
        const { request, durable } = outcome;
        return durable.then(
          () => ({ kind: 'granted', grant: channelGrant(request, quote.offer.amountText, sale) }),
          () => unavailable(cors),
        );
      }
      case 'repeated':
        return repeated({ status: 'answered', response: outcome.response }, cors);
      case 'running':
        return repeated({ status: 'running' }, cors);
      case 'unavailable':
        return unavailable(cors);
      case 'not opened': {
        const { result } = outcome;
        if (result.status === 'unknown') return outcomeUnknown(result.confirmationId, cors);
        return this.rejected(quote, deployment, result.reason, result);
      }
      case 'rejected': {
        const { answer } = this.required(quote, deployment, outcome.reason) as { answer: Answer };
        const { channel } = outcome;
        const full = channel ? withChannel(answer, outcome.reason, deployment.network.name, channel) : answer;
        return { kind: 'payment_required', answer: full };
      }
    }
  }

  /** The payment has expired. A charge or stored response of it takes precedence over a new price. */
  private decideLate(late: Omit<Call, 'terms'>): Verdict | Promise<Verdict> {
    const { request, quote, deployment, presented } = late;
    const terms = this.termsOf(presented, quote, request, deployment, Number(presented.validAfterS));
    if (typeof terms === 'string') return this.required(quote, deployment, terms);
    return this.take({ ...late, terms, isLate: true });
  }

  private take(call: Call): Promise<Verdict> {
    const { paymentIdentifier: name } = call.presented;
    return name === undefined ? this.charge(call) : this.takeNamed(call, name);
  }

  private required(quote: PricedQuote, deployment: Deployment, reason?: Rejection): Verdict {
    const answer = requiredAnswer(quote, deployment, this.around.cors, reason);
    return { kind: 'payment_required', answer };
  }

  private termsOf(
    presented: PresentedPayment,
    { price }: PricedQuote,
    { method, body }: PaidRequest,
    deployment: Deployment,
    nowS: number,
  ): PaymentTerms | Rejection {
    if (!this.bindsBody) return termsFor(presented, price, deployment, nowS);
    if ((presented.flags & flags.resourceBound) === 0) return 'invalid_ton_nanopay_resource_mismatch';
    const bound = resourceHash(method, price.url, body && body.length > 0 ? body : undefined);
    return termsFor(presented, { ...price, resourceHash: bound }, deployment, nowS);
  }

  private async takeNamed(call: Call, name: string): Promise<Verdict> {
    const { presented, terms, request } = call;
    const key = `${terms.from}:${name}`;
    const resource = `${request.method}\n${call.quote.price.url}\n`;
    const fingerprint = createHash('sha256')
      .update(resource)
      .update(paymentBytes(terms))
      .update(presented.signature)
      // The signature of a chain is the same for all of its payments.
      .update(presented.chain?.link ?? '')
      .digest('base64');
    const claim = await this.claim(key, fingerprint);
    if (claim?.status === 'new') return this.charge(call, { key, fingerprint });
    return claim ? repeated(claim, this.around.cors) : unavailable(this.around.cors);
  }

  /** Undefined if the store does not answer. Nothing has been charged then. */
  private async claim(key: string, fingerprint: string): Promise<Claim | undefined> {
    try {
      return await this.around.responses.claim(key, fingerprint);
    } catch {
      return undefined;
    }
  }

  private async charge(call: Call, named?: NamedCall): Promise<Verdict> {
    const { presented, terms, quote, deployment } = call;
    const { amountAtomic } = quote.price;
    const item = chargeItem(presented, terms, {
      kind: 'charge',
      holdS: 0,
      amountAtomic,
      callKey: newCallKey(),
    });
    const { charges } = this.around;
    const result: AttemptResult =
      call.isLate && !charges.isUnresolved(item)
        ? { status: 'rejected', reason: tooLate, retryAfterS: 0, approvalId: undefined }
        : await charges.attempt(item, terms.validBeforeS, this.around.clock());
    if (result.status === 'done') return { kind: 'granted', grant: this.grant(call, result, named) };
    if (named) this.release(named);
    if (result.status === 'unknown') return outcomeUnknown(result.confirmationId, this.around.cors);
    return this.rejected(quote, deployment, reasonFor(call, result.reason), result);
  }

  private rejected(
    quote: PricedQuote,
    deployment: Deployment,
    reason: Rejection,
    details: { retryAfterS: number; approvalId: Buffer | undefined },
  ): Verdict {
    const { answer } = this.required(quote, deployment, reason) as { answer: Answer };
    return {
      kind: reason === 'rate_limited' ? 'rate_limited' : 'payment_required',
      answer: withDetails(answer, reason, deployment.network.name, details),
    };
  }

  private grant(
    { presented, terms, deployment }: Call,
    { outcome, callKey, confirmationId }: Extract<AttemptResult, { status: 'done' }>,
    named?: NamedCall,
  ): Grant {
    const receipt = receiptOf(outcome, confirmationId);
    const { amount, seq } = receipt;
    const { from, to } = terms;
    const chosen = presented.accepted?.network;
    const network =
      chosen !== undefined && readNetwork(chosen) === deployment.network ? chosen : deployment.network.name;
    const paid = { confirmationId, network, payer: from, amount, receipt };
    const payment = { confirmationId, from, to, amount, asset: deployment.asset.symbol, seq, receipt };
    const headers = {
      'PAYMENT-RESPONSE': paidHeader(paid),
      'Cache-Control': 'private, no-store',
      Vary: 'Payment-Signature',
      ...this.around.cors,
    };
    const { charges } = this.around;
    const refundHeaders = (result: RefundResult): Headers | undefined => {
      if (result.status === 'none' || result.status === 'failed') return undefined;
      const refund = result.status === 'refunded' ? receiptOf(result.outcome) : undefined;
      return { 'PAYMENT-RESPONSE': refundedHeader(paid, refund ? 'done' : 'pending', refund) };
    };
    return new Grant(payment, headers, {
      refund: () => charges.refund(callKey, confirmationId).then(refundHeaders),
      isRefunded: this.options.refundOn ?? this.around.refundOn,
      ...(named
        ? {
            keep: (response: StoredResponse | undefined) => this.keep(named, response),
            release: () => this.release(named),
          }
        : {}),
    });
  }

  /** A failure of the store never fails the response. */
  private keep({ key, fingerprint }: NamedCall, response: Parameters<ResponseStore['keep']>[2]): void {
    settle(() => this.around.responses.keep(key, fingerprint, response));
  }

  private release({ key }: NamedCall): void {
    settle(() => this.around.responses.release(key));
  }

  private quoteOf(request: PaidRequest, deployment: Deployment): PricedQuote {
    const url = this.advertised(request.url);
    const { amount } = this.options;
    const isFixed = typeof amount !== 'function';
    const amountAtomic = isFixed ? this.fixedAmountAtomic! : amountAtomicOf(amount(request));
    const priced = isFixed ? '' : ` ${amountAtomic}`;
    const key = `${this.key}${request.method} ${url}${priced}`;
    const channels = this.around.channels();
    if (this.last?.key === key && isOf(this.last.quote, channels)) return this.last.quote;
    let quote = this.around.quotes.get(key);
    if (!quote || !isOf(quote, channels)) {
      quote = this.makeQuote(request.method, url, amountAtomic, deployment, channels);
      this.around.quotes.set(key, quote);
    }
    this.last = { key, quote };
    return quote;
  }

  private makeQuote(
    method: string,
    url: string,
    amountAtomic: bigint,
    deployment: Deployment,
    channels: Channels | undefined,
  ): PricedQuote {
    const { description, mimeType, bindBody = false, maxTimeoutS = defaultTimeoutS } = this.options;
    const to = readAccount(this.options.to ?? this.around.to!, deployment.network.globalId === -3);
    if (to === undefined) throw new TypeError('The account to be paid is one of test networks only.');
    const resource = {
      url,
      ...(description === undefined ? {} : { description }),
      ...(mimeType === undefined ? {} : { mimeType }),
    };
    const channel = bindBody ? undefined : channels?.offerFor(amountAtomic);
    return {
      offer: {
        to,
        amountAtomic,
        amountText: amountAtomic.toString(),
        maxTimeoutS,
        bindBody,
        method,
        ...(channel && { channel }),
      },
      resource,
      channels,
      offerVersion: channels?.offerVersion,
      channelPrice: channelPrice(to, amountAtomic, method, url),
      price: { to, amountAtomic, resourceHash: resourceHash(method, url), url, maxTimeoutS },
    };
  }

  /** Never derived from the Host header: the client would choose what the buyer signs. */
  private advertised(received: string): string {
    if (this.options.url !== undefined) return this.options.url;
    // Of the absolute form, which is for proxies, only path and query count.
    const path = received.startsWith('/') ? received : received.replace(/^[a-z]+:\/\/[^/?]*/i, '');
    const query = path.indexOf('?');
    const shown = query >= 0 && !this.around.advertiseQuery ? path.slice(0, query) : path;
    return this.around.baseUrl + shown;
  }
}

const isOf = (quote: PricedQuote, channels: Channels | undefined): boolean =>
  quote.channels === channels && quote.offerVersion === channels?.offerVersion;

/** The accepted offer explains a wrong signature: same URL, other method. */
function reasonFor({ presented, request }: Call, reason: Rejection): Rejection {
  const { accepted, flags: bits } = presented;
  const isOfMethod = accepted?.method === undefined || accepted.method === request.method;
  const isBound = (bits & flags.resourceBound) !== 0;
  if (reason !== 'invalid_ton_nanopay_signature' || isOfMethod || !isBound) return reason;
  return 'invalid_ton_nanopay_resource_mismatch';
}

interface NamedCall {
  key: string;
  fingerprint: string;
}

/** Storing a response is not awaited; a failure affects only retries of the same buyer. */
function settle(act: () => void | Promise<void>): void {
  Promise.resolve()
    .then(act)
    .catch(() => undefined);
}

function amountAtomicOf(amount: Amount): bigint {
  const amountAtomic = typeof amount === 'bigint' ? amount : readAmount(amount);
  if (amountAtomic === undefined || amountAtomic < 1n || amountAtomic > maxAmountAtomic)
    throw new TypeError(`${amount} is no price: a whole number above zero, in the asset's smallest unit.`);
  return amountAtomic;
}

const malformed = (headers: Headers): Answer =>
  plainAnswer(400, 'invalid_payment_header', 'The header Payment-Signature cannot be read.', { headers });

const unavailable = (cors: Headers): Verdict => ({
  kind: 'unknown',
  answer: plainAnswer(503, 'payments_unavailable', 'Payments cannot be taken now; nothing was charged.', {
    headers: { ...cors, 'Retry-After': '1' },
  }),
});

const outcomeUnknown = (confirmationId: string, cors: Headers): Verdict => ({
  kind: 'unknown',
  answer: plainAnswer(
    503,
    'outcome_unknown',
    'Whether the payment was charged is not known yet: send the same request with the same payment again.',
    { body: { confirmationId }, headers: { ...cors, 'Retry-After': '1' } },
  ),
});

function repeated(claim: Exclude<Claim, { status: 'new' }>, cors: Headers): Verdict {
  if (claim.status === 'running') {
    const headers = { ...cors, 'Retry-After': '1' };
    const text = 'The same call is being answered: ask again in a moment.';
    return { kind: 'unknown', answer: plainAnswer(503, 'call_in_progress', text, { headers }) };
  }
  if (claim.status === 'conflict') {
    const text = 'This payment identifier was used with another payment.';
    return { kind: 'conflict', answer: plainAnswer(409, 'idempotency_conflict', text, { headers: cors }) };
  }
  const { response } = claim;
  if (!response) {
    const text = 'The call was paid for and answered, but its answer was too long to be kept.';
    return { kind: 'conflict', answer: plainAnswer(409, 'response_not_kept', text, { headers: cors }) };
  }
  const headers = response.headers as Record<string, string>;
  return { kind: 'repeated', answer: { ...response, headers, code: 'repeated' } };
}
