// The state machine of a refund to the refund account, and the rules for paying its sender. Pure.
import type { ForwardingState } from '@tollbridge/contracts';
import { isZeroAddress, type Chain } from '@tollbridge/chains';

export type RefundState = 'arrived' | 'ready' | 'funding' | 'sending' | 'sent' | 'manual' | 'closed';

export type RefundEvent =
  | 'senderFound'
  | 'leaveToOperator'
  | 'gasSigned'
  | 'gasSettled'
  | 'forwardSigned'
  | 'forwarded'
  | 'reverted'
  | 'resolved'
  | 'settledByHand';

/** An event without an entry changes nothing. */
export const refundTransitions: Record<RefundState, Partial<Record<RefundEvent, RefundState>>> = {
  arrived: { senderFound: 'ready', leaveToOperator: 'manual' },
  ready: { gasSigned: 'funding', forwardSigned: 'sending', leaveToOperator: 'manual' },
  funding: { gasSettled: 'ready' },
  sending: { forwarded: 'sent', reverted: 'ready', leaveToOperator: 'manual' },
  manual: { resolved: 'ready', settledByHand: 'closed' },
  sent: {},
  closed: {},
};

/** The states that accept an event, and the one state that it leads to. */
export function refundTransitionOf(event: RefundEvent): { from: RefundState[]; to: RefundState } {
  const sources = Object.entries(refundTransitions).filter(([, possible]) => possible[event] !== undefined);
  const [to, ...others] = new Set(sources.map(([, possible]) => possible[event]!));
  if (to === undefined || others.length > 0) throw new Error(`${event} must lead to exactly one state`);
  return { from: sources.map(([state]) => state as RefundState), to };
}

/** The state of a refund in the API. */
export const forwardingStateOf: Readonly<Record<RefundState, ForwardingState>> = {
  arrived: 'pending',
  ready: 'pending',
  funding: 'pending',
  sending: 'pending',
  sent: 'sent',
  manual: 'manual',
  closed: 'closed',
};

/** A transfer to a deposit address according to the chain. */
export interface DepositTransfer {
  from: string;
  amountAtomic: bigint;
}

export interface SenderFacts {
  chain: Pick<Chain, 'family'>;
  transfers: readonly DepositTransfer[];
  /** The amount that arrived at the deposit address according to the route provider; null when it returns none. */
  depositedAtomic: bigint | null;
  /** The part that was delivered to the merchant. */
  usedAtomic: bigint;
  /** The sum of all refunds of the order. */
  returnedAtomic: bigint;
  /**
   * Addresses that are part of every payment and so cannot be the payer: the token, the deposit address and this
   * service.
   */
  partAddresses: readonly string[];
  manualSenders: readonly string[];
  maxSenderTransactions: number;
}

/** The reasons that an operator must decide, as codes with sentences. */
export const manualReasons = {
  NO_DEPOSIT: 'no transaction of the deposit shows a sender, as with coins that a contract sent',
  SEVERAL_SENDERS: 'the deposit came from several senders',
  AMOUNTS_DIFFER: 'the amounts that the chain shows do not explain what came back',
  SENDER_HAS_CODE: 'the sender is a contract, such as a bridge, an exchange or a smart wallet',
  SENDER_IS_BUSY: 'the sender has so many transactions that it may be the hot wallet of an exchange',
  SENDER_IS_LISTED: 'the sender is listed in REFUND_MANUAL_SENDERS',
  SENDER_IS_NO_PAYER:
    'the sender is not a payer: it is the zero address, the token, the deposit address or an account of this deployment',
  DEPOSIT_UNREADABLE: 'a transaction of the deposit cannot be found on the chain',
  CLOSED_BEFORE:
    'an operator settled an earlier refund of this order by hand, and this may be the same money: forward it to its owner',
  NO_NODE: 'no node of this chain is configured: check the account of REFUND_MANUAL_ACCOUNTS',
  MONEY_GONE: 'the money is no longer on its address',
  TRANSFER_REJECTED: 'the transfer to the sender fails on the chain',
  TOO_MUCH_GAS: 'the transfer to the sender takes too much gas',
  TOO_MANY_TRIES: 'the transfer was tried too often',
  OTHER_PHRASE: 'the address is of another REFUND_PHRASE than the present one',
  NONCE_USED: 'another transaction used the nonce: the key of the refund account must not be used elsewhere',
} as const;
export type ManualReason = keyof typeof manualReasons;

/** The only sender of a deposit, or the reason that an operator must decide. */
export function senderOf(facts: SenderFacts): { sender: string } | { reason: ManualReason } {
  const { transfers, depositedAtomic, usedAtomic, returnedAtomic } = facts;
  const [sender, ...others] = new Set(transfers.map(({ from }) => from));
  if (sender === undefined) return { reason: 'NO_DEPOSIT' };
  if (others.length > 0) return { reason: 'SEVERAL_SENDERS' };
  const total = transfers.reduce((sum, { amountAtomic }) => sum + amountAtomic, 0n);
  // When the amount exceeds the known deposits, the rest belongs to an unknown sender.
  const isExplained = total >= (depositedAtomic ?? 0n) && returnedAtomic <= total - usedAtomic;
  if (!isExplained) return { reason: 'AMOUNTS_DIFFER' };
  // A minted token comes from the zero address.
  if (isZeroAddress(facts.chain, sender) || facts.partAddresses.includes(sender))
    return { reason: 'SENDER_IS_NO_PAYER' };
  return facts.manualSenders.includes(sender) ? { reason: 'SENDER_IS_LISTED' } : { sender };
}

const dayMs = 24 * 60 * 60_000;
// The route provider may refund payments long after the deadline of a deposit address.
const watchedForMs = 30 * dayMs;

/**
 * When to read an address next. The interval equals the time since its last change, so 30 days need about twenty reads.
 * Null when it need not be read any more.
 */
export function nextAddressCheck(sinceMs: number, nowMs: number, pollMs: number): number | null {
  const ageMs = nowMs - sinceMs;
  return ageMs > watchedForMs ? null : nowMs + Math.max(pollMs, ageMs);
}
