// Describes transactions, messages and fees for toncenter's replies.
import type { Cell, Message, Transaction } from '@ton/core';
import type { StoredTransaction } from './ton.repository';
import { base64Of, describeTransactionId, extra } from './toncenter-encoding';

type Core = typeof import('@ton/core');

export function describeTransaction({ account, lt, hash, boc }: StoredTransaction, core: Core): object {
  const transaction = core.loadTransaction(core.Cell.fromBase64(boc).beginParse());
  const { inMessage, outMessages, now } = transaction;
  const { fee, storageFee } = feesOf(transaction);
  return {
    '@type': 'raw.transaction',
    address: { '@type': 'accountAddress', account_address: friendly(core.Address.parseRaw(account)) },
    utime: now,
    data: boc,
    transaction_id: describeTransactionId(lt, Buffer.from(hash, 'hex').toString('base64')),
    fee: String(fee),
    storage_fee: String(storageFee),
    other_fee: String(fee - storageFee),
    ...(inMessage && { in_msg: describeMessage(inMessage, core) }),
    out_msgs: outMessages.values().map((message) => describeMessage(message, core)),
  };
}

const friendly = (address: { toString(): string } | null | undefined): string => address?.toString() ?? '';

/**
 * Returns the amount that the account paid, including forward fees. The messages contain a part of the forward fees.
 */
export function feesOf({ totalFees, description, outMessages }: Transaction): {
  fee: bigint;
  storageFee: bigint;
} {
  const storage = description.type === 'generic' ? description.storagePhase : undefined;
  const forwarded = outMessages
    .values()
    .reduce((sum, { info }) => sum + (info.type === 'internal' ? info.forwardFee : 0n), 0n);
  return { fee: totalFees.coins + forwarded, storageFee: storage?.storageFeesCollected ?? 0n };
}

function describeMessage(message: Message, core: Core): object {
  const { info, body, init } = message;
  const isInternal = info.type === 'internal';
  const cell = core.beginCell().store(core.storeMessage(message)).endCell();
  return {
    '@type': 'raw.message',
    hash: cell.hash().toString('base64'),
    source: friendly(info.src),
    destination: friendly(info.dest),
    value: String(isInternal ? info.value.coins : 0n),
    extra_currencies: [],
    fwd_fee: String(isInternal ? info.forwardFee : 0n),
    ihr_fee: String(isInternal ? info.ihrFee : 0n),
    created_lt: String(info.type === 'external-in' ? 0n : info.createdLt),
    body_hash: body.hash().toString('base64'),
    ...describeBody(body, init ? core.beginCell().store(core.storeStateInit(init)).endCell() : undefined),
  };
}

/** Describes a comment as text, and any other body as cells. */
function describeBody(body: Cell, init: Cell | undefined): object {
  const slice = body.beginParse();
  const isComment = slice.remainingBits >= 32 && slice.remainingBits % 8 === 0 && slice.preloadUint(32) === 0;
  if (isComment) {
    const text = slice.skip(32).loadStringTail();
    const encoded = Buffer.from(text).toString('base64');
    return { msg_data: { '@type': 'msg.dataText', text: encoded }, message: text };
  }
  const init_state = init ? base64Of(init) : '';
  return { msg_data: { '@type': 'msg.dataRaw', body: base64Of(body), init_state }, message: '' };
}

export function describeFees(transaction: Transaction, nowMs: number): object {
  const { storageFee } = feesOf(transaction);
  const { description, inMessage, outMessages } = transaction;
  const compute = description.type === 'generic' ? description.computePhase : undefined;
  const gasFee = compute?.type === 'vm' ? compute.gasFees : 0n;
  const importFee = inMessage?.info.type === 'external-in' ? inMessage.info.importFee : 0n;
  const inFwdFee = transaction.totalFees.coins - storageFee - gasFee - actionFeesOf(transaction);
  const fwdFee = outMessages
    .values()
    .reduce(
      (sum, { info }) => sum + (info.type === 'internal' ? info.forwardFee : 0n),
      actionFeesOf(transaction),
    );
  return {
    '@type': 'query.fees',
    source_fees: {
      '@type': 'fees',
      in_fwd_fee: Number(inFwdFee > 0n ? inFwdFee : importFee),
      storage_fee: Number(storageFee),
      gas_fee: Number(gasFee),
      fwd_fee: Number(fwdFee),
    },
    destination_fees: [],
    '@extra': extra(nowMs),
  };
}

function actionFeesOf({ description }: Transaction): bigint {
  return description.type === 'generic' ? (description.actionPhase?.totalActionFees ?? 0n) : 0n;
}
