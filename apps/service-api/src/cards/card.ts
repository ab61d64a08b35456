import type { CardData, CardRecord, CardState } from '@tollbridge/contracts';
import { decimalText, formatUnits, parseUnits } from '@tollbridge/money';

/** Names of all issuers, as they are stored with cards. */
export const issuerNames = ['lithic', 'laso'] as const;
export type IssuerName = (typeof issuerNames)[number];

/** A stored card, with only the last four digits of its number. */
export interface Card {
  id: string;
  wallet: string;
  issuer: IssuerName;
  issuerCardId: string;
  amountCents: number;
  state: CardState;
  lastFour: string | null;
  createdAtMs: number;
}

/** Read from the issuer for one reply, and never stored. */
export interface CardNumbers {
  number: string;
  cvv: string;
  expMonth: string;
  expYear: string;
}

const centDecimals = 2;

/** Dollars of a request, validated to whole cents. */
export function centsOf(amountUsd: number): number {
  return Number(parseUnits(decimalText(amountUsd)!, centDecimals));
}

/** Cents as decimal dollars: 2550 is `25.5`. */
export const dollarsOf = (cents: number): string => formatUnits(BigInt(cents), centDecimals);

export function recordOf(card: Card): CardRecord {
  return {
    cardId: card.id,
    issuerCardId: card.issuerCardId,
    wallet: card.wallet,
    amount: Number(dollarsOf(card.amountCents)),
    currency: 'USD',
    status: card.state,
    lastFour: card.lastFour,
    createdAt: new Date(card.createdAtMs).toISOString(),
  };
}

export function dataOf(card: Card, numbers: CardNumbers | null): CardData {
  const { number = null, cvv = null, expMonth = null, expYear = null } = numbers ?? {};
  return { ...recordOf(card), number, cvv, expMonth, expYear };
}

/** Whether the issuer has finished issuing the card. */
export const isIssued = (state: CardState): boolean => state !== 'pending';
