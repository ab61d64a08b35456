import type { CardState } from '@tollbridge/contracts';
import type { CardNumbers, IssuerName } from './card';

/** A card as its issuer reports it, without its number. */
export interface IssuedCard {
  issuerCardId: string;
  state: CardState;
  /** Null until the issuer has assigned a number. */
  lastFour: string | null;
}

export interface CardWish {
  amountCents: number;
  /** Unique per requested card. */
  reference: string;
}

/** Issues cards. Each method sends one request and never repeats it. */
export interface CardIssuer {
  readonly name: IssuerName;
  /** How long the issuer may still process a request after its reply was lost. */
  readonly settleMs: number;
  /**
   * Issues a card with `amountCents` as its total spend limit.
   * @throws DomainError PURCHASE_REFUSED when the issuer declined: no card was issued
   * @throws ProviderError when the issuer failed
   */
  issue(wish: CardWish): Promise<IssuedCard>;
  /** Returns cards that a request with a lost reply may have issued, the most likely first. */
  candidates(wish: CardWish, askedAtMs: number): Promise<IssuedCard[]>;
  read(issuerCardId: string): Promise<IssuedCard>;
  /** Reads the card and its numbers, which are null until they are assigned. Only this method reads numbers. */
  reveal(issuerCardId: string): Promise<{ card: IssuedCard; numbers: CardNumbers | null }>;
}

/** Injection token of `ConfiguredIssuers`. */
export const CardIssuers = Symbol('CardIssuers');

export interface ConfiguredIssuers {
  /** Issues new cards; undefined when no issuer is chosen or its settings are missing. */
  chosen: CardIssuer | undefined;
  /** All configured issuers, so that cards of an issuer that was chosen before can still be shown. */
  byName: ReadonlyMap<IssuerName, CardIssuer>;
}
