/**
 * The cents of a card amount select an outcome, at Lithic and Laso. `cards.spec.ts` compares the README's table with
 * this one.
 */
export const magicAmounts = {
  '71': { outcome: 'declined', meaning: 'no card: `400`' },
  '72': { outcome: 'outOfFunds', meaning: "no card: the buyer's account has insufficient funds" },
  '73': { outcome: 'rateLimited', meaning: 'no card: `429` with `Retry-After: 1`' },
  '74': {
    outcome: 'lostAnswer',
    meaning: 'the card is created, then the connection closes without a response',
  },
  '75': { outcome: 'serverError', meaning: 'no card: `500`' },
  '76': { outcome: 'slow', meaning: 'the card is pending for 20 seconds' },
} as const;

export type CardOutcome = 'normal' | (typeof magicAmounts)[keyof typeof magicAmounts]['outcome'];

export function outcomeOf(amountCents: number): CardOutcome {
  const cents = String(amountCents).slice(-2);
  return cents in magicAmounts ? magicAmounts[cents as keyof typeof magicAmounts].outcome : 'normal';
}

export const slowCardMs = 20_000;
