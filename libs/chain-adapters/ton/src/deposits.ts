// Which transactions are deposits of jettons. Pure: a transaction goes in, what it means comes out.
import type { Address, CommonMessageInfoInternal, Message, Slice } from '@ton/core';
import type { AccountTransaction } from './account-reader';
import { jettonOps } from './jettons';

/** Where deposits arrive. */
export interface DepositAccount {
  /** Raw: the account to which people send their jettons. */
  owner: string;
  /** Raw: its wallet of the pinned jetton, by `jettonWalletOf`; never an address that a message names. */
  jettonWallet: string;
}

export interface Deposit {
  /** Raw; who sent the jettons, and is credited. */
  sender: string;
  /** In the smallest unit; up to 2^120 - 1, as TON writes amounts. */
  amountAtomic: bigint;
  queryId: bigint;
  /** Of the transaction that was read. */
  account: string;
  lt: bigint;
  hash: string;
  at: Date;
  /** `account:lt:hash`. A deposit is credited once under it. */
  key: string;
  /** Whether a notification was sent to the owner. */
  isNotified: boolean;
}

/** Why a transaction is no deposit: for logs and alarms. */
export type NoDepositReason =
  /** Nothing came in from another account: something was sent, or a signed message came from outside. */
  | 'not_incoming'
  /** From another account than the one that can make a deposit: a forgery, or simply coins. */
  | 'wrong_source'
  | 'bounced'
  | 'wrong_op'
  /** Its computation or its actions failed, or did not take place: whatever it says did not happen. */
  | 'not_executed'
  | 'malformed'
  | 'no_amount'
  /** Jettons without a known sender: minted, or from another workchain. */
  | 'no_sender';

/** Jettons that were sent from our wallet, and that the wallet of their recipient did not take: they are in ours again. */
export interface ReturnedTransfer {
  /** The wallet that did not take them, raw. */
  from: string;
  amountAtomic: bigint;
  /** Of the transfer. */
  queryId: bigint;
  /** Of the transaction that brought them back. */
  account: string;
  lt: bigint;
  hash: string;
}

export type DepositVerdict =
  | { deposit: Deposit; returned?: undefined; reason?: undefined }
  | { returned: ReturnedTransfer; deposit?: undefined; reason?: undefined }
  | { reason: NoDepositReason; deposit?: undefined; returned?: undefined };

/**
 * A transaction of our jetton wallet: a deposit, if jettons have arrived in it. This is the record that deposits are
 * credited from, because it exists for each of them exactly once, whether the sender had the owner notified or not. Who
 * sent the message need not be checked: the wallet's own code has, and its transaction fails where that was neither the
 * wallet of the sender that is named nor the master.
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
 * A transaction of the owner: the notification of a deposit, if it comes from the account's own jetton wallet. It announces a
 * deposit early but misses some: a sender that forwards no coins causes none, and one that forwards too few causes a
 * failed one. `depositInWallet` finds every deposit; counting both would credit one deposit under two keys.
 *
 * Whatever stands behind the sender was chosen by a stranger and is not looked at, so that it can neither name another nor
 * spoil the credit.
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

/** The message from another account to this one, by which the transaction came about. */
function incoming({ account, parsed }: AccountTransaction, expected: string): InternalMessage | undefined {
  const message = parsed.inMessage;
  if (account !== expected || message?.info.type !== 'internal') return undefined;
  return message.info.dest.toRawString() === expected ? (message as InternalMessage) : undefined;
}

/** Whether the contract ran to its end, and all that it ordered was done. */
export function isExecuted({ parsed: { description } }: AccountTransaction): boolean {
  if (description.type !== 'generic' || description.aborted) return false;
  const { computePhase, actionPhase } = description;
  const isComputed = computePhase.type === 'vm' && computePhase.success && computePhase.exitCode === 0;
  return isComputed && actionPhase?.success === true && actionPhase.resultCode === 0;
}

/** Undefined for a text, for coins alone, for whatever is too short. */
const opOf = (body: Slice): number | undefined =>
  body.remainingBits >= 32 ? body.preloadUint(32) : undefined;

/** Both messages begin alike: number, query id, amount, sender. */
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

/** Of what was sent, a bounced message has the first 256 bits: as far as the amount. */
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
