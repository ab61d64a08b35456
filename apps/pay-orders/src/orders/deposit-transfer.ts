import type { DepositTransfer } from '@tollbridge/chain-port';
import { canCarryMemo, canonicalAddress, type Chain, type Token } from '@tollbridge/chains';
import { DomainError } from '@tollbridge/rpc';
import type { Order, OrderDeposit } from './order';

interface Facts {
  /** The pay chain and the pay token in this deployment. */
  chain: Chain;
  token: Token;
  nowMs: number;
  /** Whether the submitted transaction does not pay the deposit. */
  isPaidInVain: boolean;
}

/**
 * The transfer that completes the deposit of a cross-chain order.
 * @throws DomainError ORDER_NOT_WAITING when none is needed, ROUTE_UNAVAILABLE when a wallet cannot make it
 */
export function depositTransferOf(
  { status, expiresAtMs, deposit }: Pick<Order, 'status' | 'expiresAtMs' | 'deposit'>,
  { chain, token, nowMs, isPaidInVain }: Facts,
): DepositTransfer {
  const amountAtomic =
    deposit === null || expiresAtMs <= nowMs
      ? 0n
      : missingOf(isPaidInVain ? 'waiting_payment' : status, deposit);
  if (deposit === null || amountAtomic <= 0n) throw new DomainError('ORDER_NOT_WAITING');
  const receiver = canonicalAddress(chain, deposit.address);
  // The amount is in units of the quote, the transfer in units of the token.
  if (!receiver.ok || deposit.decimals !== token.decimals)
    throw new DomainError('ROUTE_UNAVAILABLE', 'The deposit of this order cannot be made by a call.');
  if (deposit.memo !== null && !canCarryMemo(chain))
    throw new DomainError('ROUTE_UNAVAILABLE', `Transfers on ${chain.name} cannot carry the memo here.`);
  return { token, receiver: receiver.address, amountAtomic, memo: deposit.memo, expiresAtMs };
}

/**
 * A submitted transaction may be the whole deposit, so no amount is missing until the provider returns the received
 * amount.
 */
function missingOf(status: Order['status'], deposit: OrderDeposit): bigint {
  if (status === 'waiting_payment' && deposit.state === 'waiting') return deposit.amount;
  const canComplete = status === 'waiting_payment' || status === 'settling';
  if (!canComplete || deposit.state !== 'incomplete' || deposit.depositedAmount === null) return 0n;
  return deposit.amount - deposit.depositedAmount;
}
