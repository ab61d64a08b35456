// Classifies transactions as deposits of jettons. Pure functions.
import type { Address, CommonMessageInfoInternal, Message, Slice } from '@ton/core';
import type { AccountTransaction } from './account-reader';
import { jettonOps } from './jettons';

/** The account that receives deposits. */
export interface DepositAccount {
  /** Raw address of the owner account, which senders use as the recipient. */
  owner: string;
  /**
   * Raw address of the owner's wallet for the pinned jetton, from `jettonWalletOf`. Never use an address from a
   * message.
   */
  jettonWallet: string;
}

export interface Deposit {
  /** Raw address of the sender of the jettons, who receives the credit. */
  sender: string;
  /** In the smallest unit, up to 2^120 - 1, the maximum of TON's encoding. */
  amountAtomic: bigint;
  queryId: bigint;
  /** Account of the parsed transaction, with its logical time and hash. */
  account: string;
  lt: bigint;
  hash: string;
  at: Date;
  /** `account:lt:hash`, the idempotency key of the credit. */
  key: string;
  /** Whether a notification was sent to the owner. */
  isNotified: boolean;
}

/** Reasons why a transaction is not a deposit, for logs and alerts. */
export type NoDepositReason =
  /** The transaction has no message from another account. It is an outgoing transfer or an external message. */
  | 'not_incoming'
  /** The message is from an account that cannot make a deposit. It is a forgery or a transfer of coins. */
  | 'wrong_source'
  | 'bounced'
  | 'wrong_op'
  /** The computation or the actions failed or were skipped, so the transaction has no effect. */
  | 'not_executed'
  | 'malformed'
  | 'no_amount'
  /** The sender of the jettons is unknown, because they were minted or come from another workchain. */
  | 'no_sender';

/** A transfer from our wallet that the recipient's wallet rejected. Our wallet has the jettons again. */
export interface ReturnedTransfer {
  /** Raw address of the wallet that rejected them. */
  from: string;
  amountAtomic: bigint;
  /** Query id of the transfer. */
  queryId: bigint;
  /** Account of the transaction that returned them, with its logical time and hash. */
  account: string;
  lt: bigint;
  hash: string;
}

export type DepositVerdict =
  | { deposit: Deposit; returned?: undefined; reason?: undefined }
  | { returned: ReturnedTransfer; deposit?: undefined; reason?: undefined }
  | { reason: NoDepositReason; deposit?: undefined; returned?: undefined };

/**
 * Parses a transaction of our jetton wallet as a deposit or a returned transfer. Deposits are credited from these
 * transactions, because each deposit has exactly one, with or without a notification. The wallet's own code has
 * verified the sender of the message. Its transaction fails unless the sender is the master or the jetton wallet of the
 * stated sender.
 */
export function depositInWallet(
  transaction: AccountTransaction,
  { owner, jettonWallet }: DepositAccount,
): DepositVerdict {
  const message = incoming(transaction, jettonWallet);
  if (!message) return { reason: 'not_incoming' };
  if (message.info.bounced) return returnedBy(message, transaction);
  const body = message.body.beginParse();
  if (opOf(body) !== jettonOps.internalTransfer) return { reason: 'wrong_op' };
  if (!isExecuted(transaction)) return { reason: 'not_executed' };
  return creditIn(body, transaction, hasNotified(transaction, owner));
}

/**
 * Parses a transaction of the owner as the notification of a deposit by its own jetton wallet. Notifications are early
 * but incomplete: a sender that forwards no or too few coins causes none. `depositInWallet` finds every deposit. Never
 * credit both, because the deposit would be credited under two keys. A third party chooses the payload after the
 * sender, so it is ignored.
 */
export function depositByNotification(
  transaction: AccountTransaction,
  { owner, jettonWallet }: DepositAccount,
): DepositVerdict {
  const message = incoming(transaction, owner);
  if (!message) return { reason: 'not_incoming' };
  if (message.info.src.toRawString() !== jettonWallet) return { reason: 'wrong_source' };
  if (message.info.bounced) return { reason: 'bounced' };
  const body = message.body.beginParse();
  if (opOf(body) !== jettonOps.transferNotification) return { reason: 'wrong_op' };
  return isExecuted(transaction) ? creditIn(body, transaction, true) : { reason: 'not_executed' };
}

const bouncedMark = 0xffffffff;

type InternalMessage = Message & { info: CommonMessageInfoInternal };

/** Returns the message from another account that caused the transaction. */
function incoming({ account, parsed }: AccountTransaction, expected: string): InternalMessage | undefined {
  const message = parsed.inMessage;
  if (account !== expected || message?.info.type !== 'internal') return undefined;
  return message.info.dest.toRawString() === expected ? (message as InternalMessage) : undefined;
}

/** Whether the computation and the actions of the transaction succeeded. */
export function isExecuted({ parsed: { description } }: AccountTransaction): boolean {
  if (description.type !== 'generic' || description.aborted) return false;
  const { computePhase, actionPhase } = description;
  const isComputed = computePhase.type === 'vm' && computePhase.success && computePhase.exitCode === 0;
  return isComputed && actionPhase?.success === true && actionPhase.resultCode === 0;
}

/** Returns the operation code. Undefined for a text, for a transfer of coins, and for a body that is too short. */
const opOf = (body: Slice): number | undefined =>
  body.remainingBits >= 32 ? body.preloadUint(32) : undefined;

/** Both messages begin with operation code, query id, amount and sender. */
function creditIn(
  body: Slice,
  { account, lt, hash, at }: AccountTransaction,
  isNotified: boolean,
): DepositVerdict {
  let read: { queryId: bigint; amountAtomic: bigint; sender: Address | null };
  try {
    body.skip(32);
    read = {
      queryId: body.loadUintBig(64),
      amountAtomic: body.loadCoins(),
      sender: body.loadMaybeAddress(),
    };
  } catch {
    return { reason: 'malformed' };
  }
  const { queryId, amountAtomic, sender } = read;
  if (amountAtomic === 0n) return { reason: 'no_amount' };
  if (sender?.workChain !== 0) return { reason: 'no_sender' };
  const key = `${account}:${lt}:${hash}`;
  return {
    deposit: { sender: sender.toRawString(), amountAtomic, queryId, account, lt, hash, at, key, isNotified },
  };
}

/** A bounced message contains the first 256 bits of the original body, which include the amount. */
function returnedBy({ info, body }: InternalMessage, transaction: AccountTransaction): DepositVerdict {
  const { account, lt, hash } = transaction;
  const slice = body.beginParse();
  try {
    if (slice.loadUint(32) !== bouncedMark || slice.loadUint(32) !== jettonOps.internalTransfer)
      return { reason: 'bounced' };
    if (!isExecuted(transaction)) return { reason: 'bounced' };
    const [queryId, amountAtomic] = [slice.loadUintBig(64), slice.loadCoins()];
    return { returned: { from: info.src.toRawString(), amountAtomic, queryId, account, lt, hash } };
  } catch {
    return { reason: 'bounced' };
  }
}

const hasNotified = ({ parsed }: AccountTransaction, owner: string): boolean =>
  parsed.outMessages
    .values()
    .some(
      ({ info, body }) =>
        info.type === 'internal' &&
        info.dest.toRawString() === owner &&
        opOf(body.beginParse()) === jettonOps.transferNotification,
    );
