import { Decimal } from '@tollbridge/money';
import type { CheckoutOption, CheckoutOptionsReply, PaymentOption } from '@tollbridge/contracts';

/** A payment option, with the balance of the payer's wallet in its token. */
export interface HeldOption extends PaymentOption {
  held?: { balance: string; isEnough: boolean; lacksFee: boolean };
}

/**
 * The options with the balances of the payer. Sufficient balances come first, then other balances, then the remaining
 * options.
 */
export function heldOptions(
  options: readonly PaymentOption[],
  { options: found, read_chains }: Pick<CheckoutOptionsReply, 'options' | 'read_chains'>,
): HeldOption[] {
  const readChains = new Set(read_chains);
  const withBalance = options.map((option): HeldOption => {
    const match = found.find(
      ({ blockchain, token }) => blockchain === option.from_chain && token === option.from_token,
    );
    if (match) return { ...option, held: holdingOf(match) };
    const isEmpty = readChains.has(option.from_chain);
    return isEmpty ? { ...option, held: { balance: '0', isEnough: false, lacksFee: false } } : option;
  });
  const rank = ({ held }: HeldOption) =>
    held?.isEnough ? 0 : held !== undefined && held.balance !== '0' ? 1 : 2;
  return withBalance.sort((a, b) => rank(a) - rank(b));
}

function holdingOf({ balance, sufficient, pay_amount_formatted: needed }: CheckoutOption) {
  const lacksFee = !sufficient && needed !== null && Decimal.of(balance).compare(Decimal.of(needed)) >= 0;
  return { balance, isEnough: sufficient, lacksFee };
}
