import { ProviderError } from '@tollbridge/http';
import type { Cell, OutActionSendMsg, Slice } from '@ton/core';
import { isExecuted } from './deposits';
import type { AccountTransaction, TonAccountReader } from './account-reader';
import { numberAt } from './get-method-stack';
import { isQueryId } from './highload-query-id';
import { jettonTransferBody, jettonTransferNano, type JettonTransfer } from './jettons';
import { loadTonCore, loadTonweb } from './load';

/** What the address of a Highload wallet v3 follows from. */
export interface HighloadWallet {
  /** 32 bytes, Ed25519. */
  publicKey: Uint8Array;
  /**
   * How long a signed message can be used, and at least how long the wallet remembers what it has sent, in seconds: an
   * hour to a day. Part of the address.
   */
  timeoutS: number;
  subwalletId?: number;
}

export interface HighloadPayment {
  /** Raw: for jettons the payer's own jetton wallet, with the body of `jettonTransferBody`. */
  to: string;
  valueNano: bigint;
  body?: Cell;
  /** Whether the coins come back where the account cannot take the message; off for a wallet that is not deployed. */
  isBounceable?: boolean;
}

export interface HighloadBatch {
  /** Of `queryIdAt`; written down before anything is sent, and the same when it is sent again. */
  queryId: number;
  /**
   * Unix seconds, not in the chain's future: take some seconds off the clock. The message is good until the time-out
   * after it.
   */
  createdAtS: number;
  /** 1 to 254. Either all of them are sent, or none. */
  payments: readonly HighloadPayment[];
  /** Sends the wallet's code along: needed until its first message was taken. */
  withStateInit?: boolean;
}

export interface HighloadMessage {
  /** For `sendBoc`. The same bytes may be sent as often as one likes. */
  boc: Buffer;
  /** Raw. */
  wallet: string;
  /** Hex, of the message's body: equal for the same batch, with and without state-init. */
  bodyHash: string;
}

/** Ed25519 over the 32 bytes; 64 bytes. The key never leaves its holder. */
export type SignHash = (hash: Buffer) => Uint8Array | Promise<Uint8Array>;

export const mostPaymentsInBatch = 254;
// What a node takes of one external message.
const maxMessageBytes = 65_535;
const defaultSubwalletId = 0x10ad;
const batchOp = 0xae42e5a4;
// What is signed: subwallet, mode, query id, when it was made, time-out; behind the signature.
const [signatureBits, subwalletBits, modeBits, queryIdBits, createdAtBits, timeoutBits] = [
  512, 32, 8, 23, 64, 22,
];
const requestBits = subwalletBits + modeBits + queryIdBits + createdAtBits + timeoutBits;
// Fees on top of what is sent.
const payFeesSeparately = 1;
// Of the message to itself; the payments are taken from all that the wallet has. It pays for a hundred thousand of gas, of
// which a thousandth is needed, and stays with the wallet. Were all of the balance sent, nothing could follow at once.
const toItselfNano = 50_000_000n;
// What else the message to itself takes, with a part of each payment's: gas, and the fees of a message and of storage.
const feesNano = 50_000_000n;
// Of each payment: of its order in both messages and of the message that is sent, 1.6 million at the prices of 2025.
const paymentFeesNano = 5_000_000n;
// Of the audited contract, release v3.00: https://github.com/ton-blockchain/highload-wallet-contract-v3
const codeHash = '11acad7955844090f283bf238bc1449871f783e7cc0979408d3f4859483e8525';

/** Raw address of the wallet. */
export async function highloadAddress(wallet: HighloadWallet): Promise<string> {
  const { contractAddress } = await loadTonCore();
  return contractAddress(0, await highloadStateInit(wallet)).toRawString();
}

/** Code and first data of the wallet: enough for any account to deploy it. */
export async function highloadStateInit(wallet: HighloadWallet): Promise<{ code: Cell; data: Cell }> {
  const { publicKey, timeoutS, subwalletId = defaultSubwalletId } = wallet;
  if (publicKey.length !== 32) throw new RangeError('The public key has not 32 bytes.');
  const { beginCell } = await loadTonCore();
  const data = beginCell()
    .storeBuffer(Buffer.from(publicKey))
    .storeUint(subwalletId, 32)
    // Nothing was sent yet, lately or before.
    .storeDict(null)
    .storeDict(null)
    .storeUint(0, 64)
    .storeUint(timeoutS, 22);
  return { code: await highloadCode(), data: data.endCell() };
}

let code: Promise<Cell> | undefined;

/** From the package `tonweb`, where it is published under the MIT licence; compared with the hash that was audited. */
function highloadCode(): Promise<Cell> {
  code ??= Promise.all([loadTonweb(), loadTonCore()]).then(([tonweb, { Cell }]) => {
    const cell = Cell.fromBoc(
      Buffer.from(tonweb.HighloadWallets.HighloadWalletContractV3.codeHex, 'hex'),
    )[0]!;
    if (cell.hash().toString('hex') !== codeHash) throw new Error('The code is not that of Highload v3.');
    return cell;
  });
  return code;
}

/**
 * A transfer of jettons as one payment of a batch.
 * @param jettonWallet of the wallet that pays, by `jettonWalletOf`; raw
 */
export async function jettonPayment(
  jettonWallet: string,
  transfer: JettonTransfer,
): Promise<HighloadPayment> {
  const valueNano = jettonTransferNano + (transfer.forwardNano ?? 0n);
  return { to: jettonWallet, valueNano, body: await jettonTransferBody(transfer) };
}

/**
 * Nanotons that the wallet must have for so many transfers of jettons, which forward none. What of it is not used comes
 * back.
 */
export const jettonBatchNano = (payments: number): bigint =>
  toItselfNano + feesNano + BigInt(payments) * (jettonTransferNano + paymentFeesNano);

/** How many transfers of jettons a wallet with so many nanotons can send in a batch. */
export function jettonPaymentsFor(nano: bigint): number {
  const count = (nano - jettonBatchNano(0)) / (jettonTransferNano + paymentFeesNano);
  return Math.max(0, Math.min(mostPaymentsInBatch, Number(count)));
}

/** Builds and has signed what makes the wallet send a batch. */
export async function buildHighloadMessage(
  wallet: HighloadWallet,
  batch: HighloadBatch,
  sign: SignHash,
): Promise<HighloadMessage> {
  const { payments, queryId } = batch;
  if (payments.length < 1 || payments.length > mostPaymentsInBatch)
    throw new RangeError(`A batch has 1 to ${mostPaymentsInBatch} payments.`);
  if (!isQueryId(queryId)) throw new RangeError(`${queryId} is no query id.`);
  const core = await loadTonCore();
  const init = await highloadStateInit(wallet);
  const address = core.contractAddress(0, init);
  const request = core
    .beginCell()
    .storeUint(wallet.subwalletId ?? defaultSubwalletId, subwalletBits)
    .storeRef(await messageToItself(address.toRawString(), batch))
    .storeUint(payFeesSeparately, modeBits)
    .storeUint(queryId, queryIdBits)
    .storeUint(batch.createdAtS, createdAtBits)
    .storeUint(wallet.timeoutS, timeoutBits)
    .endCell();
  const signature = Buffer.from(await sign(request.hash()));
  if (signature.length !== 64) throw new Error('A signature has 64 bytes.');
  const body = core.beginCell().storeBuffer(signature).storeRef(request).endCell();
  const message = core.external({ to: address, body, ...(batch.withStateInit && { init }) });
  const boc = core.beginCell().store(core.storeMessage(message)).endCell().toBoc();
  if (boc.length > maxMessageBytes) throw new RangeError('The batch is too large: split it.');
  return { boc, wallet: address.toRawString(), bodyHash: body.hash().toString('hex') };
}

/** All payments are the orders of one message, since a single failure then undoes all: the wallet ignores no error. */
async function messageToItself(self: string, { queryId, payments }: HighloadBatch): Promise<Cell> {
  const { Address, beginCell, internal, storeMessageRelaxed, storeOutList } = await loadTonCore();
  const orders = payments.map(({ to, valueNano, body, isBounceable = true }): OutActionSendMsg => {
    const message = { to: Address.parseRaw(to), value: valueNano, bounce: isBounceable };
    const outMsg = internal(body ? { ...message, body } : message);
    return { type: 'sendMsg', mode: payFeesSeparately, outMsg };
  });
  const body = beginCell()
    .storeUint(batchOp, 32)
    .storeUint(queryId, 64)
    .storeRef(beginCell().store(storeOutList(orders)).endCell());
  const message = internal({ to: Address.parseRaw(self), value: toItselfNano, body: body.endCell() });
  return beginCell().store(storeMessageRelaxed(message)).endCell();
}

/**
 * Whether the wallet has taken a message with this query id. True is true. The wallet remembers for its time-out at least,
 * so that false, while the message is still good, says that it was not taken yet. Later it may have been forgotten: that a
 * message was never taken shows in the wallet's transactions since `createdAtS` (`batchOutcome`), once it is older than
 * the time-out. That it was taken does not say that its payments were made: that, too, shows there.
 * @throws ProviderError
 */
export async function isProcessed(
  reader: Pick<TonAccountReader, 'runGetMethod'>,
  wallet: string,
  queryId: number,
): Promise<boolean> {
  // 0: also what it still has, though it may forget it.
  const result = await reader.runGetMethod(wallet, 'processed?', [BigInt(queryId), 0n]);
  // Not deployed: it has never taken anything.
  if (result.exitCode === -13) return false;
  if (result.exitCode !== 0) throw unreadable();
  try {
    return numberAt(result, 0) !== 0n;
  } catch {
    throw unreadable();
  }
}

const unreadable = (): ProviderError =>
  new ProviderError('toncenter', { kind: 'badReply', message: 'the wallet does not say what it has sent' });

export interface BatchOutcome {
  queryId: number;
  /** `failed`: the batch was taken and nothing of it was sent, for want of coins for instance. It needs another query id. */
  state: 'sent' | 'failed';
  /** How many messages went out. */
  messages: number;
}

/**
 * What became of a batch, read from the wallet's transactions: the one in which it receives its own message carries the
 * payments out, and without coins for that message none ever comes. Undefined for every other transaction.
 */
export function batchOutcome(transaction: AccountTransaction): BatchOutcome | undefined {
  const message = transaction.parsed.inMessage;
  return message?.info.type === 'external-in'
    ? failedInTaking(transaction, message.body.beginParse())
    : outcomeInItself(transaction);
}

/** The wallet takes a message and ignores that it cannot send what it says. */
function failedInTaking({ parsed }: AccountTransaction, body: Slice): BatchOutcome | undefined {
  if (parsed.outMessagesCount > 0 || body.remainingBits !== signatureBits || body.remainingRefs !== 1)
    return undefined;
  const request = body.loadRef().beginParse();
  if (request.remainingBits !== requestBits) return undefined;
  const queryId = request.skip(subwalletBits + modeBits).loadUint(queryIdBits);
  return { queryId, state: 'failed', messages: 0 };
}

function outcomeInItself(transaction: AccountTransaction): BatchOutcome | undefined {
  const { account, parsed } = transaction;
  const message = parsed.inMessage;
  if (message?.info.type !== 'internal' || message.info.bounced) return undefined;
  if (message.info.src.toRawString() !== account) return undefined;
  const body = message.body.beginParse();
  if (body.remainingBits !== 96 || body.remainingRefs !== 1 || body.loadUint(32) !== batchOp)
    return undefined;
  const queryId = Number(body.loadUintBig(64));
  const isSent = isExecuted(transaction);
  return { queryId, state: isSent ? 'sent' : 'failed', messages: isSent ? parsed.outMessagesCount : 0 };
}
