import { Inject, Injectable } from '@nestjs/common';
import { DomainError, type CallContext, type FieldError } from '@tollbridge/rpc';
import { Decimal, decimalText } from '@tollbridge/money';
import type { Logger } from '@tollbridge/observability';
import { ServiceLogger } from '@tollbridge/bootstrap';
import type { Purchase } from '../purchases/purchase';
import type { PurchaseKind } from '../purchases/purchase-kind';
import { Purchases, type PurchaseInput } from '../purchases/purchases';
import { purchaseDeclined } from './gift-failures';
import type { NamedProvider, Providers } from './providers/providers';

/** Buys gift cards, top-ups and bills. A repeated reference stays with the provider of its first order. */
@Injectable()
export class GiftPurchases {
  constructor(
    private readonly purchases: Purchases,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {}

  /**
   * Returns the provider for a new purchase. For a repeated reference, returns the provider of the existing purchase.
   */
  async providerOf<T extends NamedProvider>(
    providers: Providers<T>,
    { kind }: { kind: string },
    reference: string | undefined,
    context: CallContext,
  ): Promise<T> {
    const { seller } = providers;
    const before = await this.purchases.findBefore(kind, reference, context);
    return before ? providers.byName(before.provider) : seller;
  }

  /** @throws DomainError for a purchase that was declined, or that the provider accepted and did not deliver */
  async buy<Result, Terms extends object>(
    kind: PurchaseKind<Terms>,
    wanted: PurchaseInput<Terms>,
    context: CallContext,
  ): Promise<{ purchase: Purchase; result: Result }> {
    const purchase = await this.purchases.buy(kind, wanted, context);
    return { purchase, result: deliveredResult<Result>(purchase) };
  }

  /** Reads codes for one reply. Returns null when the read fails, so that the reply still contains the purchase. */
  async readSecret<T>(purchase: Purchase, read: () => Promise<T | null>): Promise<T | null> {
    if (purchase.status !== 'completed') return null;
    try {
      return await read();
    } catch (err) {
      this.logger.warn({ purchaseId: purchase.id, err }, 'purchase codes not read');
      return null;
    }
  }
}

/** Converts the number exactly as the JSON wrote it. Validation rejects a number that a double cannot represent. */
export const exact = (amount: number): Decimal => Decimal.of(decimalText(amount)!);

export const withReference = (reference: string | undefined) =>
  reference === undefined ? {} : { reference };

export const requireValid = (errors: FieldError[]): void => {
  if (errors.length > 0) throw DomainError.invalid(errors);
};

/** @throws DomainError for a purchase that the provider accepted and did not deliver */
function deliveredResult<T>({ status, result }: Purchase): T {
  if (status === 'failed')
    throw purchaseDeclined('NOT_DELIVERED', 'The purchase could not be delivered. Nothing was charged.');
  if (status === 'refunded')
    throw purchaseDeclined('REFUNDED', 'The purchase could not be delivered. Its price was refunded.');
  return result as T;
}

export const stateOf = ({ id, reference, status }: Purchase) => ({
  id,
  customIdentifier: reference,
  status: status === 'completed' ? ('SUCCESSFUL' as const) : ('PENDING' as const),
});
