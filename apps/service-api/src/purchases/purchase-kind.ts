import type { SpendKind } from '@tollbridge/contracts';
import type { Progress } from './purchase';

/** How one kind of purchase is made with its provider, and found again. */
export interface PurchaseKind<Terms extends object = Record<string, unknown>> {
  /** Unique and for ever: it stands in stored purchases. */
  readonly kind: string;
  /** What it is in the budget of a key. */
  readonly spend: SpendKind;
  /**
   * How long the provider may go on with a request after its answer was lost. Before that, not to find the purchase there
   * says nothing.
   */
  readonly settleMs: number;
  /**
   * Asks the provider, once. It never repeats a request that may have taken effect.
   * @param reference to be given to the provider, unique for each purchase
   * @param valueUsd decimal dollars as they are held against the key's budget; null where no price is known
   * @throws DomainError of a 4xx when the provider refused: nothing was bought
   * @throws ProviderError as it comes from the client
   */
  buy(terms: Terms, reference: string, valueUsd: string | null): Promise<Progress>;
  /**
   * What became of it; undefined when the provider knows of no such purchase. A provider that cannot be asked has no such
   * method: what is unknown there stays so, until a person has looked.
   */
  find?(reference: string, terms: Terms, known: FoundBefore): Promise<Progress | undefined>;
}

/** What was known of a purchase before its provider is asked again. */
export interface FoundBefore {
  providerId: string | null;
  /** When it was asked for: providers list by time. */
  askedAtMs: number;
}

/** Injection token of all kinds; each family adds its own. */
export const PurchaseKinds = Symbol('PurchaseKinds');
