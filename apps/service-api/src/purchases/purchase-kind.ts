import type { SpendKind } from '@tollbridge/contracts';
import type { Progress } from './purchase';

/** How one kind of purchase is made at its provider, and looked up there. */
export interface PurchaseKind<Terms extends object = Record<string, unknown>> {
  /** Unique. Stored with each purchase, so it must never change. */
  readonly kind: string;
  /** Its kind in the budget of a key. */
  readonly spend: SpendKind;
  /** How long the provider may still process a request after its reply was lost. Until then, a miss proves nothing. */
  readonly settleMs: number;
  /**
   * Sends the purchase once. It never repeats a request that may have taken effect.
   * @param reference unique per purchase: the provider stores it where its protocol allows one
   * @throws DomainError of a 4xx when the provider declined: nothing was bought
   * @throws ProviderError when the provider failed
   */
  buy(terms: Terms, reference: string, request: PurchaseRequest): Promise<Progress>;
  /**
   * Looks the purchase up. Returns undefined when the provider has no record of it.
   * A kind without this method cannot be looked up: an unknown outcome needs an operator.
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
  /** When the purchase was requested: some providers list by time only. */
  askedAtMs: number;
}

/** Injection token of all kinds. */
export const PurchaseKinds = Symbol('PurchaseKinds');
