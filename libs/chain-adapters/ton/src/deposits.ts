// Classifies transactions as deposits of jettons. Pure functions.
import type { Address, CommonMessageInfoInternal, Message, Slice } from '@ton/core';
import type { AccountTransaction } from './account-reader';
import { jettonOps } from './jettons';

/** The account that receives deposits. */
export interface DepositAccount {
  /** Raw: the owner account that senders name as the recipient. */
  owner: string;
  /** Raw: the owner's wallet of the pinned jetton, by `jettonWalletOf`; never an address from a message. */
  jettonWallet: string;
}

export interface Deposit {
  /** Raw; the sender of the jettons, which is credited. */
  sender: string;
  /** In the smallest unit; up to 2^120 - 1, as TON writes amounts. */
  amountAtomic: bigint;
  queryId: bigint;
  /** Logical time of the parsed transaction. */
  account: string;
  lt: bigint;
  hash: string;
  at: Date;
  /** `account:lt:hash`, the idempotency key of the credit. */
  key: string;
  /** Whether a notification was sent to the owner. */
  isNotified: boolean;
}

/** Why a transaction is not a deposit, for logs and alerts. */
export type NoDepositReason =
  /** No message from another account: an outgoing transfer or an external message. */
  | 'not_incoming'
  /** From an account that cannot make a deposit: a forgery, or a transfer of coins. */
  | 'wrong_source'
  | 'bounced'
  | 'wrong_op'
  /** Its computation or its actions failed or were skipped, so it has no effect. */
  | 'not_executed'
  | 'malformed'
  | 'no_amount'
  /** Jettons without a known sender: minted, or from another workchain. */
  | 'no_sender';

/** A transfer from our wallet that the recipient's wallet rejected: the jettons are in our wallet again. */
export interface ReturnedTransfer {
  /** The wallet that rejected them, raw. */
  from: string;
  amountAtomic: bigint;
  /** Query id of the transfer. */
  queryId: bigint;
  /** Logical time of the transaction that returned them. */
  account: string;
  lt: bigint;
  hash: string;
}

export type DepositVerdict =
  | { deposit: Deposit; returned?: undefined; reason?: undefined }
  | { returned: ReturnedTransfer; deposit?: undefined; reason?: undefined }
  | { reason: NoDepositReason; deposit?: undefined; returned?: undefined };

/**
 * Reads a transaction of our jetton wallet as a deposit or a returned transfer. Deposits are credited from these
 * transactions: each deposit has exactly one, with or without a notification. The wallet's own code has verified the
 * sender of the message. Its transaction fails unless that is the master or the jetton wallet of the named sender.
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
 * Reads a transaction of the owner as the notification of a deposit by its own jetton wallet. Notifications are early
 * but incomplete: a sender that forwards no or too few coins causes none. `depositInWallet` finds every deposit;
 * crediting both would credit a deposit under two keys. The payload behind the sender is chosen by a stranger and
 * ignored.
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

/** The message from another account that caused the transaction. */
function incoming({ account, parsed }: AccountTransaction, expected: string): InternalMessage | undefined {
  const message = parsed.inMessage;
  if (account !== expected || message?.info.type !== 'internal') return undefined;
  return message.info.dest.toRawString() === expected ? (message as InternalMessage) : undefined;
}

/** Whether computation and actions of the transaction succeeded. */
export function isExecuted({ parsed: { description } }: AccountTransaction): boolean {
  if (description.type !== 'generic' || description.aborted) return false;
  const { computePhase, actionPhase } = description;
  const isComputed = computePhase.type === 'vm' && computePhase.success && computePhase.exitCode === 0;
  return isComputed && actionPhase?.success === true && actionPhase.resultCode === 0;
}

/** Undefined for a text, for a transfer of coins, and for a body that is too short. */
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
