// The life of a refund that came back to the refund account, and whether its sender may be paid. Pure.
import type { ForwardingState } from '@tollbridge/contracts';
import { ZeroAddress } from 'ethers';

export type RefundState = 'arrived' | 'ready' | 'funding' | 'sending' | 'sent' | 'manual' | 'closed';

export type RefundEvent =
  | 'senderFound'
  | 'setAside'
  | 'gasSigned'
  | 'gasSettled'
  | 'forwardSigned'
  | 'forwarded'
  | 'reverted'
  | 'resolved'
  | 'settledByHand';

/** What is absent cannot happen, and changes nothing. */
export const refundTransitions: Record<RefundState, Partial<Record<RefundEvent, RefundState>>> = {
  arrived: { senderFound: 'ready', setAside: 'manual' },
  ready: { gasSigned: 'funding', forwardSigned: 'sending', setAside: 'manual' },
  funding: { gasSettled: 'ready' },
  sending: { forwarded: 'sent', reverted: 'ready', setAside: 'manual' },
  manual: { resolved: 'ready', settledByHand: 'closed' },
  sent: {},
  closed: {},
};

/** The states in which an event is possible, and the one state that it leads to. */
export function refundMoveOf(event: RefundEvent): { from: RefundState[]; to: RefundState } {
  const moves = Object.entries(refundTransitions).filter(([, possible]) => possible[event] !== undefined);
  const [to, ...others] = new Set(moves.map(([, possible]) => possible[event]!));
  if (to === undefined || others.length > 0) throw new Error(`${event} must lead to exactly one state`);
  return { from: moves.map(([state]) => state as RefundState), to };
}

/** How far a refund is, for payers. */
export const forwardingStateOf: Readonly<Record<RefundState, ForwardingState>> = {
  arrived: 'pending',
  ready: 'pending',
  funding: 'pending',
  sending: 'pending',
  sent: 'sent',
  manual: 'manual',
  closed: 'closed',
};

/** A transfer to a deposit address, as the chain shows it. */
export interface DepositTransfer {
  from: string;
  amountAtomic: bigint;
}

export interface SenderFacts {
  transfers: readonly DepositTransfer[];
  /** What the route provider says has arrived at the deposit address; null where it does not say. */
  depositedAtomic: bigint | null;
  /** What of it was delivered to the merchant. */
  usedAtomic: bigint;
  /** All that ever came back of the order. */
  returnedAtomic: bigint;
  /** Addresses that take part in every payment and so cannot be the payer: token, deposit address, our own. */
  partAddresses: readonly string[];
  manualSenders: readonly string[];
  maxSenderTransactions: number;
}

/** What the chain says of a sender. */
export interface SenderAccount {
  code: string;
  transactions: number;
}

/** Why an operator has to decide: the code, and a sentence for people. */
export const manualReasons = {
  NO_DEPOSIT: 'no transaction of the deposit shows a sender, as with coins that a contract sent',
  SEVERAL_SENDERS: 'the deposit came from several senders',
  AMOUNTS_DIFFER: 'the amounts that the chain shows do not explain what came back',
  SENDER_HAS_CODE: 'the sender is a contract, such as a bridge, an exchange or a smart wallet',
  SENDER_IS_BUSY: 'the sender has so many transactions that it may be the hot wallet of an exchange',
  SENDER_IS_LISTED: 'the sender is listed in REFUND_MANUAL_SENDERS',
  SENDER_IS_NO_PAYER: 'the sender is no account of a payer',
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

/** The one sender of a deposit, or why an operator has to decide. */
export function senderOf(facts: SenderFacts): { sender: string } | { reason: ManualReason } {
  const { transfers, depositedAtomic, usedAtomic, returnedAtomic } = facts;
  const [sender, ...others] = new Set(transfers.map(({ from }) => from));
  if (sender === undefined) return { reason: 'NO_DEPOSIT' };
  if (others.length > 0) return { reason: 'SEVERAL_SENDERS' };
  const total = transfers.reduce((sum, { amountAtomic }) => sum + amountAtomic, 0n);
  // More than the known deposits explain is the money of a sender that is not known.
  const isExplained = total >= (depositedAtomic ?? 0n) && returnedAtomic <= total - usedAtomic;
  if (!isExplained) return { reason: 'AMOUNTS_DIFFER' };
  if (sender === ZeroAddress || facts.partAddresses.includes(sender)) return { reason: 'SENDER_IS_NO_PAYER' };
  return facts.manualSenders.includes(sender) ? { reason: 'SENDER_IS_LISTED' } : { sender };
}

// EIP-7702: the account of a key that lets a contract act for it.
const delegation = /^0xef0100[0-9a-f]{40}$/;

/** Undefined for an account to which money can be sent back. */
export function problemOfSender(
  { code, transactions }: SenderAccount,
  maxTransactions: number,
): ManualReason | undefined {
  if (code !== '0x' && !delegation.test(code)) return 'SENDER_HAS_CODE';
  return transactions > maxTransactions ? 'SENDER_IS_BUSY' : undefined;
}

const dayMs = 24 * 60 * 60_000;
// Long after the end of a deposit address the route provider may still send back what was paid to it.
const watchedForMs = 30 * dayMs;

/**
 * When an address is read again: after as long as nothing was heard of it, so that 30 days take some twenty reads.
 * Null when it is read no more.
 */
export function nextAddressCheck(sinceMs: number, nowMs: number, pollMs: number): number | null {
  const ageMs = nowMs - sinceMs;
  return ageMs > watchedForMs ? null : nowMs + Math.max(pollMs, ageMs);
}
