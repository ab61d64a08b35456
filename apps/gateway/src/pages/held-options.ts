import type { CheckoutOption, PaymentOption } from '@tollbridge/contracts';

/** A payment option, and what the payer's wallet holds of its token. */
export interface HeldOption extends PaymentOption {
  held?: { balance: string; isEnough: boolean };
}

/** The same options with the balances of the payer: those that are enough first, then what is held, then the others. */
export function heldOptions(
  options: readonly PaymentOption[],
  found: readonly CheckoutOption[],
): HeldOption[] {
  const withBalance = options.map((option): HeldOption => {
    const match = found.find(
      ({ blockchain, token }) => blockchain === option.from_chain && token === option.from_token,
    );
    return match ? { ...option, held: { balance: match.balance, isEnough: match.sufficient } } : option;
  });
  const rank = ({ held }: HeldOption) => (held === undefined ? 2 : held.isEnough ? 0 : 1);
  return withBalance.sort((a, b) => rank(a) - rank(b));
}
