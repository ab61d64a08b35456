import type { SpendKind } from '@tollbridge/contracts';
import type { Progress } from './purchase';

/** Defines how one kind of purchase is bought from its provider, and how it is looked up. */
export interface PurchaseKind<Terms extends object = Record<string, unknown>> {
  /** Unique. Stored with each purchase, so it must never change. */
  readonly kind: string;
  /** The kind of the spend in the budget of a key. */
  readonly spend: SpendKind;
  /**
   * How long the provider may still process a request after its reply was lost. A miss within this time proves nothing.
   */
  readonly settleMs: number;
  /**
   * Sends the purchase once. It never repeats a request that may have taken effect.
   * @param reference unique per purchase: the provider stores it where its protocol allows one
   * @throws DomainError of a 4xx when the provider declined: nothing was bought
   * @throws ProviderError when the provider failed
   */
  buy(terms: Terms, reference: string, request: PurchaseRequest): Promise<Progress>;
  /**
   * Looks the purchase up. Returns undefined when the provider has no record of it. Without this method, an operator
   * must reconcile an unknown outcome.
   */
  find?(reference: string, terms: Terms, known: FoundBefore): Promise<Progress | undefined>;
}

export interface PurchaseRequest {
  /** Name of the provider that the purchase was stored with. */
  provider: string | null;
  /** Decimal dollars reserved in the budget of the key; null when no price is known. */
  valueUsd: string | null;
}

/** The stored state of a purchase that is looked up. */
export interface FoundBefore {
  /** Name of the provider that the purchase was stored with. */
  provider: string | null;
  providerId: string | null;
  /** The time of the request, because some providers list purchases by time only. */
  askedAtMs: number;
}

/** Injection token of all purchase kinds. */
export const PurchaseKinds = Symbol('PurchaseKinds');
