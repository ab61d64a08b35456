import { createHash } from 'node:crypto';
import {
  channelPrefix,
  chargeItem,
  digestOf,
  flags,
  paymentBytes,
  isObject,
  isPaymentAuthorization,
  readNetwork,
  readPaymentHeader,
  readPaymentJson,
  readPaymentPayload,
  receiptOf,
  resourceHash,
  schemeName,
  termsFor,
  type Deployment,
  type PaymentTerms,
  type PresentedPayment,
  type Rejection,
} from '@tollbridge/nanopay-protocol';
import {
  failureOf,
  paidHeader,
  plainAnswer,
  refundedHeader,
  requiredAnswer,
  withDetails,
  type Answer,
  type Headers,
} from './answers';
import { newCallKey } from './call-keys';
import { channelGrant, withChannel, type ChannelSale } from './channels/channel-answers';
import { openChannel, takeLink, type Outcome } from './channels/channel-sales';
import type { AttemptResult, Charges, RefundResult } from './charges';
import { RequestExtensions, type ExtensionSurroundings } from './extensions/request-extensions';
import { Grant } from './grant';
import { receiptHeader, type ChallengedRequest, type MppChallenges } from './official/mpp';
import { readOfferedPayment, type Rejected } from './official/offered-payment';
import type { OfficialSales } from './official/official-sales';
import {
  asProblem,
  failedHeader,
  facilitatorUnavailable,
  type OfficialFailure,
} from './official/official-answers';
import type { OfficialRequirements } from './x402/official-types';
import type { Settled } from './official/facilitator-client';
import type { Way } from './official/offers';
import type { PaidRequest, PaidOptions, Verdict } from './paid-options';
import { RouteQuotes, type Loaded, type NanoPrice, type PricedQuote, type QuoteSurroundings } from './quotes';
import type { Claim, ResponseStore, StoredResponse } from './response-store';

/** The values that all routes of a paywall share. */
export interface RouteSurroundings extends QuoteSurroundings, ExtensionSurroundings {
  charges: Charges;
  responses: ResponseStore;
  /** Undefined if no official scheme is sold. */
  sales: OfficialSales | undefined;
  /** Undefined if the scheme `Payment` of HTTP authentication is not accepted. */
  mpp: MppChallenges | undefined;
  refundOn: (status: number) => boolean;
  deployment: () => Deployment | undefined | Promise<Deployment | undefined>;
  kinds: (ways: readonly Way[]) => Loaded['kinds'] | Promise<Loaded['kinds']>;
}

type NanoQuote = PricedQuote & { nano: NanoPrice };

interface Call {
  request: PaidRequest;
  quote: NanoQuote;
  deployment: Deployment;
  presented: PresentedPayment;
  terms: PaymentTerms;
  /** True if the payment has expired. Then nothing new is charged. */
  isLate?: boolean;
}

const tooLate = 'invalid_ton_nanopay_valid_before';

/** Keeps the 402 in base64 short enough for every proxy. */
const maxUrlChars = 2_048;

/** One paid route. */
export class PaidRoute {
  private readonly quotes: RouteQuotes;
  private readonly extensions: RequestExtensions | undefined;
  private sale: ChannelSale | undefined;

  constructor(
    private readonly options: PaidOptions,
    private readonly around: RouteSurroundings,
  ) {
    this.quotes = new RouteQuotes(options, around);
    this.extensions = RequestExtensions.of(options, around);
  }

  get bindsBody(): boolean {
    return this.options.bindBody === true;
  }

  /**
   * Returns the verdict synchronously for a request without a payment, unless the 402 is signed. Callers may await it
   * in all cases.
   */
  decide(request: PaidRequest): Verdict | Promise<Verdict> {
    const { extensions } = this;
    if (!extensions) return this.decidePaid(request);
    return extensions.decide(request, this.quotes.urlOf(request), () => this.decidePaid(request));
  }

  private decidePaid(request: PaidRequest): Verdict | Promise<Verdict> {
    const deployment = this.quotes.sellsNano ? this.around.deployment() : undefined;
    const { ways } = this.quotes;
    const asked = ways.length > 0 ? this.around.kinds(ways) : undefined;
    const kinds = asked instanceof Promise && this.isPaidInNano(request) ? undefined : asked;
    if (!(deployment instanceof Promise) && !(kinds instanceof Promise))
      return this.decideFor({ deployment, kinds }, request);
    return Promise.all([deployment, kinds]).then(([loaded, supported]) =>
      this.decideFor({ deployment: loaded, kinds: supported }, request),
    );
  }

  /** Whether a request does not need the facilitator and must not wait for it. */
  private isPaidInNano(request: PaidRequest): boolean {
    const { payment } = request;
    if (!this.quotes.sellsNano || typeof payment !== 'string' || this.credentialIn(request) !== undefined)
      return false;
    if (isLink(payment)) return true;
    const json = readPaymentJson(payment);
    return !json || !isOfficial(json);
  }

  private decideFor(loaded: Loaded, request: PaidRequest): Verdict | Promise<Verdict> {
    const { deployment, kinds } = loaded;
    if (this.quotes.sellsNano ? !deployment : !kinds) return unavailable(this.around.cors);
    if (request.url.length > maxUrlChars)
      return {
        kind: 'malformed',
        answer: plainAnswer(414, 'url_too_long', 'The URL is too long to be sold.'),
      };
    const { payment } = request;
    if (isLink(payment)) return this.takeLink(payment, request, loaded);
    const credential = this.credentialIn(request);
    if (credential !== undefined) return this.takeCredential(credential, request, loaded);
    if (payment === undefined) return this.required(this.quotes.quoteOf(request, loaded), request);
    const json =
      typeof payment === 'string' && this.quotes.ways.length > 0 ? readPaymentJson(payment) : undefined;
    if (json && isOfficial(json)) return this.takeOfficial(json, request, loaded);
    return this.decideNano(payment, json, request, loaded);
  }

  private decideNano(
    payment: NonNullable<PaidRequest['payment']>,
    json: Record<string, unknown> | undefined,
    request: PaidRequest,
    loaded: Loaded,
  ): Verdict | Promise<Verdict> {
    const { deployment } = loaded;
    const presented = json
      ? readPaymentPayload(json)
      : typeof payment === 'string'
        ? readPaymentHeader(payment)
        : 'malformed';
    if (presented === 'malformed') return { kind: 'malformed', answer: malformed(this.around.cors) };
    const quote = this.quotes.quoteOf(request, loaded);
    if (typeof presented === 'string') return this.required(quote, request, presented);
    if (!deployment || !isNano(quote)) return this.required(quote, request, 'unsupported_scheme');
    const terms = this.termsOf(presented, quote, request, deployment, this.around.clock() / 1_000);
    if (terms === tooLate) return this.decideLate({ request, quote, deployment, presented });
    if (typeof terms === 'string') return this.required(quote, request, terms);
    const call = { request, quote, deployment, presented, terms };
    return presented.channel ? this.openChannel(call) : this.take(call);
  }

  /** Accepts a link of a channel. Only its durable record is awaited. */
  private takeLink(text: string, request: PaidRequest, loaded: Loaded): Verdict | Promise<Verdict> {
    // A request with two payments is ambiguous.
    if (this.credentialIn(request) !== undefined)
      return { kind: 'malformed', answer: malformed(this.around.cors) };
    const { deployment } = loaded;
    const quote = this.quotes.quoteOf(request, loaded);
    if (!deployment || !isNano(quote)) return this.required(quote, request, 'unsupported_scheme');
    const sale = this.saleOf(quote, deployment);
    if (!sale) return this.required(quote, request, 'invalid_ton_nanopay_channel');
    const outcome = takeLink(text, quote.nano.channelPrice, sale);
    if (!outcome) return { kind: 'malformed', answer: malformed(this.around.cors) };
    if (outcome instanceof Promise)
      return outcome.then((later) => this.verdictOf(later, quote, request, sale));
    return this.verdictOf(outcome, quote, request, sale);
  }

  private async openChannel({ request, quote, deployment, presented, terms }: Call): Promise<Verdict> {
    const sale = this.saleOf(quote, deployment);
    if (!sale) return this.required(quote, request, 'invalid_ton_nanopay_channel');
    const digest = digestOf(paymentBytes(terms));
    const opening = { presented, terms, digest, deployment, nowMs: this.around.clock() };
    const outcome = await openChannel(opening, quote.nano.channelPrice, sale, this.around.charges);
    return this.verdictOf(outcome, quote, request, sale);
  }

  /**
   * Returns undefined if channels are not accepted. A link does not cover the body, so it cannot pay for a bound body.
   */
  private saleOf({ channels }: PricedQuote, { network, asset }: Deployment): ChannelSale | undefined {
    if (!channels || this.bindsBody) return undefined;
    if (this.sale?.channels !== channels)
      this.sale = {
        channels,
        network: network.name,
        caip2: network.caip2,
        asset: asset.symbol,
        cors: this.around.cors,
        isRefunded: this.options.refundOn ?? this.around.refundOn,
      };
    return this.sale;
  }

  private verdictOf(
    outcome: Outcome,
    quote: NanoQuote,
    request: PaidRequest,
    sale: ChannelSale,
  ): Verdict | Promise<Verdict> {
    const { cors } = this.around;
    switch (outcome.kind) {
      case 'accepted': {
        const { request: paid, durable } = outcome;
        return durable.then(
          () => ({ kind: 'granted', grant: channelGrant(paid, quote.nano.amountText, sale) }),
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
        return this.rejected(quote, request, result.reason, result);
      }
      case 'rejected': {
        const { answer } = this.required(quote, request, outcome.reason);
        const { channel, reason } = outcome;
        const full = channel ? withChannel(answer, reason, firstNetwork(quote), channel) : answer;
        return { kind: 'payment_required', answer: full };
      }
    }
  }

  private takeOfficial(
    json: Record<string, unknown>,
    request: PaidRequest,
    loaded: Loaded,
  ): Verdict | Promise<Verdict> {
    const { sales, cors } = this.around;
    // A new price would let the buyer pay again after a payment with an unknown outcome.
    if (!loaded.kinds || !sales) return { kind: 'unknown', answer: facilitatorUnavailable(cors) };
    const quote = this.quotes.quoteOf(request, loaded);
    const found = readOfferedPayment(json, quote.official, quote.resource.url);
    if ('reason' in found) return this.mismatch(quote, request, found);
    return sales.take({ ...this.officialCall(quote, request), found });
  }

  private officialCall(quote: PricedQuote, request: PaidRequest) {
    return {
      method: request.method,
      resource: quote.resource,
      symbolOf: (offer: OfficialRequirements) => this.quotes.assetOf(offer)?.symbol ?? offer.asset,
      isRefunded: this.options.refundOn ?? this.around.refundOn,
      required: (failure: OfficialFailure) => this.requiredAfter(quote, request, failure),
      onSettled: (network: string, payer: string | undefined) =>
        this.extensions?.keep({ method: request.method, url: quote.resource.url }, network, payer),
    };
  }

  private mismatch(quote: PricedQuote, request: PaidRequest, { reason, message }: Rejected): Verdict {
    const { network } = quote.official[0] ?? quote.accepts[0]!;
    return {
      kind: 'payment_required',
      answer: this.requiredAfter(quote, request, { reason, message, network }),
    };
  }

  private requiredAfter(quote: PricedQuote, request: PaidRequest, failure: OfficialFailure): Answer {
    const plain = requiredAnswer(quote, this.around.cors, officialFailure(failure));
    const answer = this.challenged(plain, quote, request);
    return this.credentialIn(request) === undefined ? answer : asProblem(answer, failure);
  }

  /** Whether a request contains a payment of any kind or a sign-in, valid or not. */
  hasPayment(request: Pick<PaidRequest, 'payment' | 'authorization' | 'signIn'>): boolean {
    const isSignIn = request.signIn !== undefined && this.options.signIn !== undefined;
    return isSignIn || request.payment !== undefined || this.credentialIn(request) !== undefined;
  }

  private credentialIn({ authorization }: Pick<PaidRequest, 'authorization'>): string | undefined {
    const isAccepted = this.around.mpp !== undefined && this.quotes.ways.length > 0;
    return isAccepted && isPaymentAuthorization(authorization) ? authorization : undefined;
  }

  private takeCredential(
    credential: string,
    request: PaidRequest,
    loaded: Loaded,
  ): Verdict | Promise<Verdict> {
    const { sales, cors, clock, mpp } = this.around;
    if (!loaded.kinds || !sales) return { kind: 'unknown', answer: facilitatorUnavailable(cors) };
    // A request with two payments is ambiguous.
    if (request.payment !== undefined) return { kind: 'malformed', answer: malformed(cors) };
    const quote = this.quotes.quoteOf(request, loaded);
    const found = mpp!.read(credential, this.challenge(quote, request), clock());
    if ('reason' in found) return this.mismatch(quote, request, found);
    const receipt = (settled: Settled) => receiptHeader(settled, clock());
    return sales.take({ ...this.officialCall(quote, request), found, isLate: found.isLate, receipt });
  }

  private challenge(quote: PricedQuote, { method }: PaidRequest): ChallengedRequest {
    const assetOf = (offer: OfficialRequirements) => this.quotes.assetOf(offer);
    return { method, url: quote.resource.url, offers: quote.official, assetOf };
  }

  /** Adds a challenge of the scheme `Payment`, which is valid for this request only. */
  private challenged(answer: Answer, quote: PricedQuote, request: PaidRequest): Answer {
    const header = this.around.mpp?.headerFor(this.challenge(quote, request), this.around.clock());
    if (header === undefined) return answer;
    return { ...answer, headers: { ...answer.headers, 'WWW-Authenticate': header } };
  }

  /** Decides on an expired payment. Its earlier charge or stored response takes precedence over a new price. */
  private decideLate(late: Omit<Call, 'terms'>): Verdict | Promise<Verdict> {
    const { request, quote, deployment, presented } = late;
    const terms = this.termsOf(presented, quote, request, deployment, Number(presented.validAfterS));
    if (typeof terms === 'string') return this.required(quote, request, terms);
    return this.take({ ...late, terms, isLate: true });
  }

  private take(call: Call): Promise<Verdict> {
    const { paymentIdentifier: name } = call.presented;
    return name === undefined ? this.charge(call) : this.takeNamed(call, name);
  }

  private required(
    quote: PricedQuote,
    request: PaidRequest,
    reason?: Rejection,
  ): { kind: 'payment_required'; answer: Answer } {
    const failure = reason && failureOf(reason, firstNetwork(quote));
    const answer = requiredAnswer(quote, this.around.cors, failure);
    return { kind: 'payment_required', answer: this.challenged(answer, quote, request) };
  }

  private termsOf(
    presented: PresentedPayment,
    { nano: price }: NanoQuote,
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
    const resource = `${request.method}\n${call.quote.nano.url}\n`;
    const fingerprint = createHash('sha256')
      .update(resource)
      .update(paymentBytes(terms))
      .update(presented.signature)
      // The signature of a hash chain is the same for all of its payments, so the link distinguishes them.
      .update(presented.chain?.link ?? '')
      .digest('base64');
    const claim = await this.claim(key, fingerprint);
    if (claim?.status === 'new') return this.charge(call, { key, fingerprint });
    return claim ? repeated(claim, this.around.cors) : unavailable(this.around.cors);
  }

  /** Returns undefined if the store does not answer. Nothing has been charged then. */
  private async claim(key: string, fingerprint: string): Promise<Claim | undefined> {
    try {
      return await this.around.responses.claim(key, fingerprint);
    } catch {
      return undefined;
    }
  }

  private async charge(call: Call, named?: NamedCall): Promise<Verdict> {
    const { presented, terms, quote } = call;
    const { amountAtomic } = quote.nano;
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
    return this.rejected(quote, call.request, reasonFor(call, result.reason), result);
  }

  private rejected(
    quote: PricedQuote,
    request: PaidRequest,
    reason: Rejection,
    details: { retryAfterS: number; approvalId: Buffer | undefined },
  ): Verdict {
    const { answer } = this.required(quote, request, reason);
    return {
      kind: reason === 'rate_limited' ? 'rate_limited' : 'payment_required',
      answer: withDetails(answer, reason, firstNetwork(quote), details),
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
    const { asset, network: on } = deployment;
    const kind = { scheme: schemeName, network: on.caip2, asset: asset.symbol };
    const payment = { confirmationId, ...kind, from, to, amount, seq, receipt };
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

  /** Stores the response. A failure of the store never fails the request. */
  private keep({ key, fingerprint }: NamedCall, response: Parameters<ResponseStore['keep']>[2]): void {
    settle(() => this.around.responses.keep(key, fingerprint, response));
  }

  private release({ key }: NamedCall): void {
    settle(() => this.around.responses.release(key));
  }
}

/**
 * A payment with a wrong signature for another method of the same URL receives the reason of a resource mismatch. The
 * accepted offer contains the method.
 */
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

/** Runs an action of the response store without waiting. A failure affects only retries of the same buyer. */
function settle(act: () => void | Promise<void>): void {
  Promise.resolve()
    .then(act)
    .catch(() => undefined);
}

const isLink = (payment: PaidRequest['payment']): payment is string =>
  typeof payment === 'string' && payment.startsWith(channelPrefix);

/** The network in the failures of nano-payments. */
const firstNetwork = (quote: PricedQuote): string => quote.accepts[0]!.network;

const isNano = (quote: PricedQuote): quote is NanoQuote => quote.nano !== undefined;

/** Payments from clients of the prototype have no scheme. */
const isOfficial = ({ accepted }: Record<string, unknown>): boolean =>
  isObject(accepted) && typeof accepted.scheme === 'string' && accepted.scheme !== schemeName;

const officialFailure = (failure: OfficialFailure) => ({
  code: failure.reason,
  message: failure.message ?? 'The payment was rejected. Pay one of the options in accepts.',
  response: failedHeader(failure),
  ...(failure.offer && { offer: failure.offer }),
});

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
    'The outcome of the payment is unknown. Retry the same request with the same payment.',
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
