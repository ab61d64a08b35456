import type { CardState } from '@tollbridge/contracts';
import type { CardNumbers, IssuerName } from './card';

/** A card as its issuer tells of it, without its number. */
export interface IssuedCard {
  issuerCardId: string;
  state: CardState;
  /** Null while it has no number. */
  lastFour: string | null;
}

export interface CardWish {
  amountCents: number;
  /** Unique for each card that is wished for. */
  reference: string;
}

/** Who makes cards. Each call asks once, and is never repeated by itself. */
export interface CardIssuer {
  readonly name: IssuerName;
  /** How long it may go on with a request after its answer was lost. */
  readonly settleMs: number;
  /**
   * Makes a card, of which the amount can be spent in all.
   * @throws DomainError of a definite refusal
   * @throws ProviderError as it comes from the client
   */
  issue(wish: CardWish): Promise<IssuedCard>;
  /** The cards that can be what was wished for at that time, the likeliest first. */
  candidates(wish: CardWish, askedAtMs: number): Promise<IssuedCard[]>;
  read(issuerCardId: string): Promise<IssuedCard>;
  /** With its numbers, or null while it has none. The only call by which a number gets into this process to be shown. */
  reveal(issuerCardId: string): Promise<{ card: IssuedCard; numbers: CardNumbers | null }>;
}

/** Injection token of those that are configured. */
export const CardIssuers = Symbol('CardIssuers');

export interface ConfiguredIssuers {
  /** Who issues new cards; undefined where none is chosen, or what it needs is not configured. */
  chosen: CardIssuer | undefined;
  /** Also who issued before another was chosen: its cards can still be shown. */
  byName: ReadonlyMap<IssuerName, CardIssuer>;
}
