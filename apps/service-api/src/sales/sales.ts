import { Injectable } from '@nestjs/common';
import type { SaleReply, SellRequest } from '@tollbridge/contracts';
import { DomainError, type CallContext } from '@tollbridge/rpc';
import { offerHashOf } from './offer-token';
import { PaymentSchemes } from './payments/payment-schemes';
import { SaleSettlement } from './payments/sale-settlement';
import type { PaymentProblem, ReceivedPayment } from './received-payment';
import { declinedReply, unpaidReply } from './replies';
import { atomicOf, unsoldOperation, usdOf, type Sale, type SoldRequest, type StoredPayment } from './sale';
import { SaleFulfilment } from './sale-fulfilment';
import { requestOf, SaleOffers, type Offered } from './sale-offers';
import { SalesRepository, type NewSale } from './sales.repository';
import { decodedInput, SoldServices, type SoldService } from './sold-services';

/** Sells operations: claims the payment, settles it, and only then buys. Each step is stored and is idempotent. */
@Injectable()
export class Sales {
  constructor(
    private readonly services: SoldServices,
    private readonly sales: SalesRepository,
    private readonly offers: SaleOffers,
    private readonly schemes: PaymentSchemes,
    private readonly settlement: SaleSettlement,
    private readonly fulfilment: SaleFulfilment,
  ) {}

  async sell({ operation, input = {}, payment }: SellRequest, context: CallContext): Promise<SaleReply> {
    const service = this.services.service(operation);
    const received = this.schemes.read(payment);
    if ('reason' in received) return unpaidReply(received);
    const decoded = decodedInput(service, input);
    const request = { ...requestOf(operation, input), offerHash: offerHashOf(received.offer) };
    const known = await this.sales.find(received.identity);
    if (known?.operation === unsoldOperation) return declinedReply(known);
    if (known && known.state !== 'rejected')
      return this.proceed(requireSame(known, request), service, decoded, context);
    const offered = await this.offers.read(received, request);
    if ('reason' in offered) return unpaidReply(offered, received);
    const changed = await this.offers.findChange(service, decoded, offered.terms);
    if (changed) return unpaidReply(changed, received);
    const end = await this.schemes.of(received.identity).endOf?.();
    const claimed = await this.settlement.claim(newSaleOf(service, received, request, { ...offered, end }));
    if (claimed.sale.operation === unsoldOperation) return declinedReply(claimed.sale);
    const sale = requireSame(claimed.sale, request);
    const settled = claimed.isMine ? await this.settlement.settle(sale) : sale;
    return this.proceed(settled, service, decoded, context);
  }

  /** @throws DomainError SERVICE_UNAVAILABLE while it is unknown whether the payment was settled */
  private async proceed(
    sale: Sale,
    service: SoldService,
    input: unknown,
    context: CallContext,
  ): Promise<SaleReply> {
    const known = sale.state === 'claimed' ? await this.settlement.settledBy(sale) : sale;
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
        return this.fulfilment.execute(known, service, input, context);
      case 'refunding':
      case 'refunded':
      case 'stuck':
        return declinedReply(known);
    }
  }
}

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

/** @throws DomainError CONFLICT for a payment that belongs to another request, or that was copied from the chain */
function requireSame(sale: Sale, { operation, inputHash, offerHash }: SoldRequest): Sale {
  if (sale.operation === operation && sale.inputHash === inputHash && sale.offerHash === offerHash)
    return sale;
  throw new DomainError(
    'CONFLICT',
    'This payment was sent with another request. Each payment buys one thing.',
  );
}

function rejectionOf({ failure }: Sale): PaymentProblem {
  const { reason } = (failure?.details ?? {}) as { reason?: string };
  return { reason: reason ?? 'invalid_payload', message: failure?.message ?? 'The payment was rejected.' };
}
