import { Inject, Injectable } from '@nestjs/common';
import { ServiceConfig } from '@tollbridge/bootstrap';
import type { SaleQuote, SoldCall } from '@tollbridge/contracts';
import { Clock } from '@tollbridge/database';
import { parseUnits } from '@tollbridge/money';
import { digestOfInput, DomainError, type FieldError } from '@tollbridge/rpc';
import { SaleTokens, type OfferTerms } from './offer-token';
import type { PaymentProblem, ReceivedPayment } from './received-payment';
import { atomicOf, priceOf, refundPolicy, usdDigits, usdOf, type Price, type SoldRequest } from './sale';
import type { SalesConfig } from './settings';
import { decodedInput, SoldServices, type SoldService } from './sold-services';
import { isPayable, requirementsOf, WaysToPay, type WayToPay } from './ways-to-pay';

// Tolerance for the payer's clock skew.
const graceS = 60;

/** An offer of this service that a payment accepts. */
export interface Offered {
  terms: OfferTerms;
  way: WayToPay;
  requirements: Record<string, unknown>;
}

/** Prices calls, creates offers, and reads the offers that payments accept. */
@Injectable()
export class SaleOffers {
  constructor(
    private readonly services: SoldServices,
    private readonly ways: WaysToPay,
    private readonly tokens: SaleTokens,
    @Inject(ServiceConfig) private readonly config: SalesConfig,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  /** Returns the price of a valid input. For an invalid input, returns the lowest price of a call. */
  async quote({ operation, input }: SoldCall): Promise<SaleQuote> {
    const service = this.services.service(operation);
    // Some responses need no input.
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

  /** @returns no cost for an invalid input, because the 402 precedes validation */
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

  /** Returns the offer that the payment accepts, as this service signed it, and its way to pay. */
  async read(
    { accepted, offer, validBeforeS }: ReceivedPayment,
    request: SoldRequest,
  ): Promise<Offered | PaymentProblem> {
    const terms = this.tokens.readOffer(offer, request);
    if (!terms)
      return { reason: 'invalid_payment_requirements', message: 'The offer is for another request.' };
    if (this.clock.now() / 1_000 > terms.expiresS)
      return { reason: 'offer_expired', message: 'The price has expired. Pay the new one.' };
    // An unknown settlement is polled until the payment expires, so the expiry is limited.
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

  /** Rejects a payment before settlement when the purchase now costs more than the offer. */
  async findChange(
    service: SoldService,
    input: unknown,
    { costMicros }: OfferTerms,
  ): Promise<PaymentProblem | undefined> {
    const { costMicros: now } = this.priceOf(service, await service.costUsd(input));
    if (now <= costMicros) return undefined;
    return { reason: 'price_changed', message: 'The price has risen. Pay the new one.' };
  }
}

export const requestOf = (
  operation: string,
  input: object,
): Pick<SoldRequest, 'operation' | 'inputHash'> => ({
  operation,
  inputHash: digestOfInput('sale', input).toString('hex'),
});
