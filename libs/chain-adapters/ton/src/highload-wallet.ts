import { ProviderError } from '@tollbridge/http';
import type { Cell, OutActionSendMsg, Slice } from '@ton/core';
import { isExecuted } from './deposits';
import type { AccountTransaction, TonAccountReader } from './account-reader';
import { numberAt } from './get-method-stack';
import { isQueryId } from './highload-query-id';
import { jettonTransferBody, jettonTransferNano, type JettonTransfer } from './jettons';
import { loadTonCore, loadTonweb } from './load';

/** The data that determines the address of a Highload wallet v3. */
export interface HighloadWallet {
  /** Ed25519 public key, 32 bytes. */
  publicKey: Uint8Array;
  /**
   * Validity of a signed message in seconds, from an hour to a day. The wallet stores used query ids for at least this
   * time. It determines the address.
   */
  timeoutS: number;
  subwalletId?: number;
}

export interface HighloadPayment {
  /** Raw address. For jettons, the payer's own jetton wallet, with the body from `jettonTransferBody`. */
  to: string;
  valueNano: bigint;
  body?: Cell;
  /**
   * Whether the coins return if the account cannot accept the message. Set it to false for a wallet that is not
   * deployed.
   */
  isBounceable?: boolean;
}

export interface HighloadBatch {
  /** Created by `queryIdAt`. Store it before the first broadcast, and reuse it for every rebroadcast. */
  queryId: number;
  /**
   * Unix seconds, not in the future of the chain, so subtract some seconds from the clock. The message is valid until
   * the time-out after this time.
   */
  createdAtS: number;
  /** 1 to 254 payments. Either all of them are sent, or none. */
  payments: readonly HighloadPayment[];
  /** Includes the wallet's state-init, which is required until its first message is accepted. */
  withStateInit?: boolean;
}

export interface HighloadMessage {
  /** The argument of `sendBoc`. The same bytes can be sent any number of times. */
  boc: Buffer;
  /** Raw address. */
  wallet: string;
  /** Hash of the message body in hexadecimal. It is equal for the same batch with and without state-init. */
  bodyHash: string;
}

/** Signs 32 bytes by Ed25519 and returns 64 bytes. */
export type SignHash = (hash: Buffer) => Uint8Array | Promise<Uint8Array>;

export const mostPaymentsInBatch = 254;
// Maximum size of an external message.
const maxMessageBytes = 65_535;
const defaultSubwalletId = 0x10ad;
const batchOp = 0xae42e5a4;
// The signed part after the signature: subwallet, mode, query id, creation time and time-out.
const [signatureBits, subwalletBits, modeBits, queryIdBits, createdAtBits, timeoutBits] = [
  512, 32, 8, 23, 64, 22,
];
const requestBits = subwalletBits + modeBits + queryIdBits + createdAtBits + timeoutBits;
// Send mode: fees are paid in addition to the sent amounts.
const payFeesSeparately = 1;
// Value of the message to itself, while the payments may use the whole balance. It covers far more gas than needed, and
// the rest stays in the wallet. Sending the whole balance would leave nothing for the next batch.
const toItselfNano = 50_000_000n;
// Further costs of the message to itself: gas and the fees of messages and storage.
const feesNano = 50_000_000n;
// Cost of each payment in both messages: 1.6 million nanotons at the prices of 2025.
const paymentFeesNano = 5_000_000n;
// Code hash of the audited contract, release v3.00: https://github.com/ton-blockchain/highload-wallet-contract-v3
const codeHash = '11acad7955844090f283bf238bc1449871f783e7cc0979408d3f4859483e8525';

/** Returns the raw address of the wallet. */
export async function highloadAddress(wallet: HighloadWallet): Promise<string> {
  const { contractAddress } = await loadTonCore();
  return contractAddress(0, await highloadStateInit(wallet)).toRawString();
}

/** Returns the code and initial data of the wallet. Any account can deploy the wallet with them. */
export async function highloadStateInit(wallet: HighloadWallet): Promise<{ code: Cell; data: Cell }> {
  const { publicKey, timeoutS, subwalletId = defaultSubwalletId } = wallet;
  if (publicKey.length !== 32) throw new RangeError('The public key must have 32 bytes.');
  const { beginCell } = await loadTonCore();
  const data = beginCell()
    .storeBuffer(Buffer.from(publicKey))
    .storeUint(subwalletId, 32)
    // Empty dictionaries of used query ids, the current and the previous one.
    .storeDict(null)
    .storeDict(null)
    .storeUint(0, 64)
    .storeUint(timeoutS, 22);
  return { code: await highloadCode(), data: data.endCell() };
}

let code: Promise<Cell> | undefined;

/** Code from the package `tonweb` (MIT licence), verified by the hash of the audited code. */
function highloadCode(): Promise<Cell> {
  code ??= Promise.all([loadTonweb(), loadTonCore()]).then(([tonweb, { Cell }]) => {
    const cell = Cell.fromBoc(
      Buffer.from(tonweb.HighloadWallets.HighloadWalletContractV3.codeHex, 'hex'),
    )[0]!;
    if (cell.hash().toString('hex') !== codeHash) throw new Error('The code is not the code of Highload v3.');
    return cell;
  });
  return code;
}

/**
 * Returns a transfer of jettons as one payment of a batch.
 * @param jettonWallet raw address of the paying wallet's jetton wallet, from `jettonWalletOf`
 */
export async function jettonPayment(
  jettonWallet: string,
  transfer: JettonTransfer,
): Promise<HighloadPayment> {
  const valueNano = jettonTransferNano + (transfer.forwardNano ?? 0n);
  return { to: jettonWallet, valueNano, body: await jettonTransferBody(transfer) };
}

/**
 * Returns the nanotons that the wallet needs for this number of jetton transfers without forwarded coins. The unused
 * part returns to the wallet.
 */
export const jettonBatchNano = (payments: number): bigint =>
  toItselfNano + feesNano + BigInt(payments) * (jettonTransferNano + paymentFeesNano);

/** Returns the number of jetton transfers in a batch that this balance of nanotons covers. */
export function jettonPaymentsFor(nano: bigint): number {
  const count = (nano - jettonBatchNano(0)) / (jettonTransferNano + paymentFeesNano);
  return Math.max(0, Math.min(mostPaymentsInBatch, Number(count)));
}

/** Builds and signs the message that makes the wallet send a batch. */
export async function buildHighloadMessage(
  wallet: HighloadWallet,
  batch: HighloadBatch,
  sign: SignHash,
): Promise<HighloadMessage> {
  const { payments, queryId } = batch;
  if (payments.length < 1 || payments.length > mostPaymentsInBatch)
    throw new RangeError(`A batch must have 1 to ${mostPaymentsInBatch} payments.`);
  if (!isQueryId(queryId)) throw new RangeError(`${queryId} is not a query id.`);
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
  if (signature.length !== 64) throw new Error('The signature must have 64 bytes.');
  const body = core.beginCell().storeBuffer(signature).storeRef(request).endCell();
  const message = core.external({ to: address, body, ...(batch.withStateInit && { init }) });
  const boc = core.beginCell().store(core.storeMessage(message)).endCell().toBoc();
  if (boc.length > maxMessageBytes) throw new RangeError('The batch is too large: split it.');
  return { boc, wallet: address.toRawString(), bodyHash: body.hash().toString('hex') };
}

/** All payments are actions of one message to itself, so that one failure reverts all of them. */
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
 * Whether the wallet has accepted a message with this query id. `false` is conclusive only while the message is valid.
 * Later the wallet may have dropped the id; then only its transactions since `createdAtS` show the outcome
 * (`batchOutcome`). These also show whether the payments of an accepted message were made.
 * @throws ProviderError
 */
export async function isProcessed(
  reader: Pick<TonAccountReader, 'runGetMethod'>,
  wallet: string,
  queryId: number,
): Promise<boolean> {
  // With 0, the result includes ids that the wallet may drop soon.
  const result = await reader.runGetMethod(wallet, 'processed?', [BigInt(queryId), 0n]);
  // A wallet that is not deployed has accepted no message.
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
  /**
   * `failed`: the batch was accepted, but no payment was sent, for example without coins. A retry needs another query
   * id.
   */
  state: 'sent' | 'failed';
  /** Number of sent messages. */
  messages: number;
}

/**
 * Parses the outcome of a batch from a transaction of the wallet. Payments are sent by the transaction that receives
 * the wallet's own message. Without coins for that message, the transaction never happens. Returns undefined for any
 * other transaction.
 */
export function batchOutcome(transaction: AccountTransaction): BatchOutcome | undefined {
  const message = transaction.parsed.inMessage;
  return message?.info.type === 'external-in'
    ? failedInTaking(transaction, message.body.beginParse())
    : outcomeInItself(transaction);
}

/** The outcome if the wallet accepted the message but could not send its message to itself. */
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
