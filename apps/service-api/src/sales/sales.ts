import { Inject, Injectable } from '@nestjs/common';
import { ServiceConfig, ServiceLogger } from '@tollbridge/bootstrap';
import type { SaleQuote, SaleReply, SellRequest, SoldCall } from '@tollbridge/contracts';
import { Clock } from '@tollbridge/database';
import { parseUnits } from '@tollbridge/money';
import type { Logger } from '@tollbridge/observability';
import {
  digestOfInput,
  DomainError,
  payerPrincipal,
  type CallContext,
  type FieldError,
} from '@tollbridge/rpc';
import { setTimeout as pause } from 'node:timers/promises';
import type { ServiceApiConfig } from '../config';
import { isDecline } from './declines';
import { offerHashOf, SaleTokens, type OfferTerms } from './offer-token';
import { ExactPayments } from './payments/exact-payments';
import { NanoPayments } from './payments/nano-payments';
import type { SalePayments, Settlement } from './payments/sale-payments';
import { SolanaPayments } from './payments/solana-payments';
import { readPayment, type PaymentProblem, type ReceivedPayment } from './received-payment';
import { declinedReply, servedReply, unpaidReply } from './replies';
import {
  atomicOf,
  isSolana,
  priceOf,
  refundPolicy,
  usdDigits,
  unsoldOperation,
  usdOf,
  walletOf,
  type Price,
  type PaymentIdentity,
  type Sale,
  type SoldRequest,
  type StoredPayment,
} from './sale';
import { saleKeyOf, SalesRepository, type NewSale } from './sales.repository';
import type { SalesConfig } from './settings';
import { SolanaSales } from './solana/open-solana';
import { SoldResponses } from './sold-responses';
import { decodedInput, SoldServices, type SoldService } from './sold-services';
import { UnclaimedRepository } from './unclaimed/unclaimed.repository';
import { isPayable, requirementsOf, WaysToPay, type WayToPay } from './ways-to-pay';

// Per deployment: claimed or settled and not yet bought.
const maxInProgress = 200;
// Clock skew of the payer.
const graceS = 60;
const firstPauseMs = 50;
const longestPauseMs = 500;
// A copy of a call waits for as long as a settlement usually takes.
const waitMs = 25_000;

/** Sells operations: claims the payment, settles it, and only then buys. Each step is stored and can be repeated. */
@Injectable()
export class Sales {
  private readonly tokens: SaleTokens;

  constructor(
    private readonly services: SoldServices,
    private readonly sales: SalesRepository,
    private readonly ways: WaysToPay,
    private readonly exact: ExactPayments,
    private readonly nano: NanoPayments,
    private readonly solanaPayments: SolanaPayments,
    private readonly solana: SolanaSales,
    private readonly responses: SoldResponses,
    private readonly unclaimed: UnclaimedRepository,
    @Inject(ServiceConfig) private readonly config: SalesConfig &
      Pick<ServiceApiConfig, 'SERVICE_API_REPLY_SECRET'>,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {
    this.tokens = new SaleTokens(config.SERVICE_API_REPLY_SECRET);
  }

  /** The price of a valid input; for any other input, the lowest price of a call. */
  async quote({ operation, input }: SoldCall): Promise<SaleQuote> {
    const service = this.services.service(operation);
    // A response may need no input.
    const given = input ?? (service.response && {});
    const { cost, problems } = given === undefined ? {} : await this.costOf(service, given);
    const price = this.priceOf(service, cost ?? '0');
    const expiresS = Math.floor(this.clock.now() / 1_000) + this.config.SALES_OFFER_SECONDS;
    const offer = this.tokens.offer({ ...price, expiresS }, requestOf(operation, input ?? {}));
    const terms = { micros: price.priceMicros, offer, seconds: this.config.SALES_OFFER_SECONDS };
    const ways = (await this.ways.all()).filter((way) => isPayable(way, price.priceMicros));
    return {
      accepts: ways.map((way) => requirementsOf(way, terms)),
      priceUsd: usdOf(price.priceMicros),
      isFrom: cost === undefined,
      costUsd: cost ?? null,
      refundPolicy,
      ...(problems && { problems }),
    };
  }

  /** @returns no cost for an input that is not valid: a 402 comes before validation */
  private async costOf(
    service: SoldService,
    input: object,
  ): Promise<{ cost?: string; problems?: FieldError[] }> {
    try {
      return { cost: await service.costUsd(decodedInput(service, input)) };
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'VALIDATION_ERROR') throw error;
      return Array.isArray(error.details) ? { problems: error.details as FieldError[] } : {};
    }
  }

  private priceOf({ response }: SoldService, costUsd: string): Price {
    if (response) {
      const micros = parseUnits(response.priceUsd, usdDigits);
      return { costMicros: micros, priceMicros: micros };
    }
    const { SALES_MARGIN_PERCENT: percent, SALES_MARGIN_MIN_USD: minimum } = this.config;
    return priceOf(costUsd, { percent, minMicros: parseUnits(minimum, usdDigits) });
  }

  async sell({ operation, input = {}, payment }: SellRequest, context: CallContext): Promise<SaleReply> {
    const service = this.services.service(operation);
    const received = readPayment(payment, this.solana.wallet);
    if ('reason' in received) return unpaidReply(received);
    const decoded = decodedInput(service, input);
    const request = { ...requestOf(operation, input), offerHash: offerHashOf(received.offer) };
    const known = await this.sales.find(received.identity);
    if (known?.operation === unsoldOperation) return declinedReply(known);
    if (known && known.state !== 'rejected')
      return this.proceed(requireSame(known, request), service, decoded, context);
    const offered = await this.readOffer(received, request);
    if ('reason' in offered) return unpaidReply(offered, received);
    const changed = await this.findChange(service, decoded, offered.terms);
    if (changed) return unpaidReply(changed, received);
    const end = await this.paymentsOf(received.identity).endOf?.();
    const claimed = await this.claim(newSaleOf(service, received, request, { ...offered, end }));
    if (claimed.sale.operation === unsoldOperation) return declinedReply(claimed.sale);
    const sale = requireSame(claimed.sale, request);
    const settled = claimed.isMine ? await this.settle(sale) : sale;
    return this.proceed(settled, service, decoded, context);
  }

  /** The offer that the payment accepts, as this service signed it, and its way to pay. */
  private async readOffer(
    { accepted, offer, validBeforeS }: ReceivedPayment,
    request: SoldRequest,
  ): Promise<Offered | PaymentProblem> {
    const terms = this.tokens.readOffer(offer, request);
    if (!terms)
      return { reason: 'invalid_payment_requirements', message: 'The offer is for another request.' };
    if (this.clock.now() / 1_000 > terms.expiresS)
      return { reason: 'offer_expired', message: 'The price has expired. Pay the new one.' };
    // An unknown settlement is followed until then.
    const { SALES_OFFER_SECONDS: seconds } = this.config;
    if (validBeforeS > this.clock.now() / 1_000 + seconds + graceS)
      return {
        reason: 'invalid_payload',
        message: 'The payment is valid for longer than maxTimeoutSeconds.',
      };
    const way = await this.ways.find(accepted.scheme, accepted.network, accepted.asset);
    if (!way) return { reason: 'invalid_network', message: 'Pay by an entry in accepts.' };
    const isSame =
      accepted.amount === String(atomicOf(terms.priceMicros, way.decimals)) &&
      accepted.payTo.toLowerCase() === way.payTo.toLowerCase();
    if (!isSame)
      return { reason: 'invalid_payment_requirements', message: 'Amount or receiver differ from the offer.' };
    return { terms, way, requirements: requirementsOf(way, { micros: terms.priceMicros, offer, seconds }) };
  }

  /** A payment is not settled when the purchase now costs more than the offer. */
  private async findChange(
    service: SoldService,
    input: unknown,
    { costMicros }: OfferTerms,
  ): Promise<PaymentProblem | undefined> {
    const { costMicros: now } = this.priceOf(service, await service.costUsd(input));
    if (now <= costMicros) return undefined;
    return { reason: 'price_changed', message: 'The price has risen. Pay the new one.' };
  }

  private async claim(sale: NewSale): Promise<{ sale: Sale; isMine: boolean }> {
    const { SALES_PAYER_DAY_USD: payerDayUsd, SALES_DAY_USD: dayUsd } = this.config;
    const claimed = await this.sales.claim(sale, { payerDayUsd, dayUsd, inProgress: maxInProgress });
    if (claimed.kind === 'sale') return claimed;
    if (claimed.kind === 'offerPaid')
      throw new DomainError('CONFLICT', 'This offer was paid by another payment. Ask for a new one.');
    const { limit } = claimed;
    if (limit !== 'payer') this.logger.warn({ limit }, 'sale rejected by a limit of all payers');
    throw new DomainError('RATE_LIMIT_EXCEEDED', limitTexts[limit], {
      retryAfterSeconds: limit === 'busy' ? 5 : 3_600,
    });
  }

  /** @throws DomainError SERVICE_UNAVAILABLE while it is unknown whether the payment was settled */
  private async proceed(
    sale: Sale,
    service: SoldService,
    input: unknown,
    context: CallContext,
  ): Promise<SaleReply> {
    const known = sale.state === 'claimed' ? await this.settledBy(sale) : sale;
    switch (known.state) {
      case 'claimed':
        throw new DomainError(
          'SERVICE_UNAVAILABLE',
          'Whether the payment was settled is not known yet. Send the same request with the same payment again.',
          { retryAfterSeconds: 2 },
        );
      case 'rejected':
        return unpaidReply(rejectionOf(known), { identity: known });
      case 'settled':
      case 'bought':
        return this.execute(known, service, input, context);
      case 'refunding':
      case 'refunded':
      case 'stuck':
        return declinedReply(known);
    }
  }

  /** Settles it, or waits for the call that does. */
  private async settledBy(claimed: Sale): Promise<Sale> {
    const untilMs = performance.now() + waitMs;
    let sale = claimed;
    for (let pauseMs = firstPauseMs; sale.state === 'claimed' && performance.now() < untilMs;) {
      const held = await this.sales.leaseSettlement(sale);
      if (held) return this.settle(held);
      await pause(pauseMs);
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
      sale = (await this.sales.get(sale.id))!;
    }
    return sale;
  }

  /** Settles a leased sale and stores the outcome. */
  async settle(sale: Sale): Promise<Sale> {
    const outcome = await this.paymentsOf(sale).settle(sale);
    const stored = await this.store(sale, outcome);
    if (outcome.kind === 'unknown')
      this.logger.warn({ saleId: sale.id }, 'settlement of a sale unknown, retrying');
    // Another process took the settlement over: its outcome counts.
    return stored ?? (await this.sales.get(sale.id))!;
  }

  private async store(sale: Sale, outcome: Settlement): Promise<Sale | undefined> {
    if (outcome.kind !== 'elsewhere') {
      if (isChargedElsewhere(sale, outcome)) await this.list(sale);
      return this.sales.settled(sale, outcome);
    }
    this.logger.warn(
      { saleId: sale.id, transaction: outcome.payment.transaction },
      'sale settled elsewhere, refunding',
    );
    return this.sales.settledElsewhere(sale, outcome.payment);
  }

  /** The ledger refunds a charge only to the call that made it. */
  private async list({ network, asset, payer, nonce, amountAtomic, id }: Sale): Promise<void> {
    const received = { network, asset, payer, nonce, amountAtomic, transaction: nonce, logIndex: 0 };
    if (await this.unclaimed.listOne(received, 'charged by another call than its sale'))
      this.logger.error(
        { saleId: id, payer },
        'payment to the sales wallet without a sale, operator action needed',
      );
  }

  paymentsOf({ scheme, network }: Pick<PaymentIdentity, 'scheme' | 'network'>): SalePayments {
    if (scheme !== 'exact') return this.nano;
    return isSolana(network) ? this.solanaPayments : this.exact;
  }

  /** Executes the operation: its purchase is made once, and read again for a repeated call. */
  private async execute(
    sale: Sale,
    service: SoldService,
    input: unknown,
    context: CallContext,
  ): Promise<SaleReply> {
    if (service.response) {
      const response = await this.responses.respond(sale, service, input, saleContext(sale, context));
      return 'output' in response ? servedReply(sale, response.output) : declinedReply(response.refunded);
    }
    let output: unknown;
    try {
      output = await service.run(input, saleContext(sale, context));
    } catch (error) {
      if (!isDecline(error)) throw error;
      const { code, message, details } = error;
      const decided = await this.sales.decide(sale, { code, message, details });
      // A call beside this one has bought it.
      if (decided.state === 'settled' || decided.state === 'bought') throw error;
      this.logger.info({ saleId: sale.id, code }, 'sale declined, refunding');
      return declinedReply(decided);
    }
    // Without effect on the reply: the worker finds the purchase as well.
    if (sale.state === 'settled')
      await this.sales
        .bought(sale)
        .catch((err: unknown) => this.logger.warn({ err }, 'sale not stored as bought'));
    if (service.finish) output = await service.finish(output, input, waitingContext(sale, context));
    return servedReply(sale, output, this.tokens.purchaseToken(sale.id));
  }

  /** @throws DomainError UNAUTHORIZED, NOT_FOUND */
  async read(operation: string, input: object, token: string, context: CallContext): Promise<unknown> {
    const read = this.services.read(operation);
    const saleId = this.tokens.readPurchaseToken(token);
    const sale = saleId === undefined ? undefined : await this.sales.get(saleId);
    if (!sale) throw new DomainError('UNAUTHORIZED', 'The Purchase-Token is not valid.');
    // The token is for this one purchase, not for all of its payer.
    if (read.purchaseIdOf(input) !== (await this.sales.purchaseIdOf(sale)))
      throw new DomainError('NOT_FOUND', 'The purchase does not exist. Check its id.');
    return read.run(input, saleContext(sale, context));
  }
}

interface Offered {
  terms: OfferTerms;
  way: WayToPay;
  requirements: Record<string, unknown>;
}

const limitTexts = {
  payer: 'This payer has reached the daily limit of purchases without an account. Use an API key, or wait.',
  total: 'The daily limit of purchases without an account is reached. Use an API key, or wait.',
  busy: 'Too many purchases are being processed. Retry after retryAfter seconds.',
} as const;

const requestOf = (operation: string, input: object): Pick<SoldRequest, 'operation' | 'inputHash'> => ({
  operation,
  inputHash: digestOfInput('sale', input).toString('hex'),
});

const newSaleOf = (
  { purchaseKind }: SoldService,
  { identity, payload }: ReceivedPayment,
  request: SoldRequest,
  { terms, way, requirements, end }: Offered & { end: Pick<StoredPayment, 'lastHeight'> | undefined },
): NewSale => ({
  ...identity,
  ...request,
  purchaseKind,
  amountAtomic: atomicOf(terms.priceMicros, way.decimals),
  costAtomic: atomicOf(terms.costMicros, way.decimals),
  costUsd: usdOf(terms.costMicros),
  priceUsd: usdOf(terms.priceMicros),
  payment: { paymentPayload: payload, paymentRequirements: requirements, ...end },
});

/** @throws DomainError CONFLICT for a payment that was sent with another request, or that was copied from the chain */
function requireSame(sale: Sale, { operation, inputHash, offerHash }: SoldRequest): Sale {
  if (sale.operation === operation && sale.inputHash === inputHash && sale.offerHash === offerHash)
    return sale;
  throw new DomainError(
    'CONFLICT',
    'This payment was sent with another request. Each payment buys one thing.',
  );
}

const isChargedElsewhere = ({ scheme }: Sale, outcome: Settlement): boolean =>
  scheme !== 'exact' &&
  outcome.kind === 'rejected' &&
  (outcome.failure.details as { reason?: unknown }).reason === 'duplicate_settlement';

function rejectionOf({ failure }: Sale): PaymentProblem {
  const { reason } = (failure?.details ?? {}) as { reason?: string };
  return { reason: reason ?? 'invalid_payload', message: failure?.message ?? 'The payment was rejected.' };
}

/** The call of the payer, with the idempotency key of its purchase. */
function saleContext(sale: Sale, { requestId, traceparent }: CallContext): CallContext {
  return {
    requestId,
    traceparent,
    principal: payerPrincipal(sale.id, walletOf(sale)),
    claim: {
      idempotencyKey: saleKeyOf(sale.id),
      committed: undefined,
      // Purchases are found by their reference: no reply is stored.
      store: async () => undefined,
      release: async () => undefined,
    },
  };
}

/** A wait ends with the call; the purchase before it does not. */
const waitingContext = (sale: Sale, context: CallContext): CallContext => ({
  ...saleContext(sale, context),
  ...(context.signal && { signal: context.signal }),
});
