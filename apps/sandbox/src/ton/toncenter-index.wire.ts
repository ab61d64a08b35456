// Replies of toncenter's index (api/v3).
import type { Cell, Message, Transaction } from '@ton/core';
import type { StoredTransaction } from './ton.repository';
import { describeBlock, globalId } from './toncenter.wire';

type Core = typeof import('@ton/core');

/** Returns the address in upper case, like the index. */
const describeAccount = (raw: string): string => raw.toUpperCase();
const base64 = (hex: string): string => Buffer.from(hex, 'hex').toString('base64');
const hexOf = (hash: bigint): string => hash.toString(16).padStart(64, '0');

export function describeIndexBlock(seqno: number, timeS: number): object {
  const { workchain, root_hash, file_hash } = describeBlock(seqno);
  const id = { workchain, shard: '8000000000000000', seqno };
  return {
    ...id,
    root_hash,
    file_hash,
    global_id: globalId,
    gen_utime: String(timeS),
    masterchain_block_ref: id,
    prev_blocks: seqno > 1 ? [{ ...id, seqno: seqno - 1 }] : [],
  };
}

export function describeIndexTransaction(stored: StoredTransaction, core: Core): object {
  const cell = core.Cell.fromBase64(stored.boc);
  const transaction = core.loadTransaction(cell.beginParse());
  const { inMessage, outMessages } = transaction;
  const [messages] = cell.refs;
  return {
    account: describeAccount(stored.account),
    hash: base64(stored.hash),
    lt: String(stored.lt),
    now: transaction.now,
    mc_block_seqno: stored.seqno,
    ...(stored.trace !== null && { trace_id: base64(stored.trace) }),
    prev_trans_hash: base64(hexOf(transaction.prevTransactionHash)),
    prev_trans_lt: String(transaction.prevTransactionLt),
    orig_status: transaction.oldStatus,
    end_status: transaction.endStatus,
    total_fees: String(transaction.totalFees.coins),
    description: describeDescription(transaction),
    in_msg: inMessage ? describeMessage(inMessage, messages!.refs[0]!) : null,
    out_msgs: outMessages.values().map((message) => {
      const written = core.beginCell().store(core.storeMessage(message)).endCell();
      return describeMessage(message, written);
    }),
    emulated: false,
  };
}

function describeDescription({ description }: Transaction): object {
  if (description.type !== 'generic') return { type: description.type };
  const { aborted, destroyed, computePhase, actionPhase } = description;
  const compute =
    computePhase.type === 'vm'
      ? { skipped: false, success: computePhase.success, exit_code: computePhase.exitCode }
      : { skipped: true, reason: computePhase.reason };
  return {
    type: 'ord',
    aborted,
    destroyed,
    compute_ph: compute,
    ...(actionPhase && { action: { success: actionPhase.success, result_code: actionPhase.resultCode } }),
  };
}

function describeMessage({ info, body }: Message, cell: Cell): object {
  const slice = body.beginParse();
  const opcode = slice.remainingBits >= 32 ? slice.loadUint(32) : null;
  const isInternal = info.type === 'internal';
  return {
    hash: cell.hash().toString('base64'),
    source: isInternal || info.type === 'external-out' ? describeAccount(info.src.toRawString()) : null,
    destination: info.type === 'external-out' ? null : describeAccount(info.dest.toRawString()),
    value: isInternal ? String(info.value.coins) : null,
    created_lt: info.type === 'external-in' ? null : String(info.createdLt),
    opcode: opcode === null ? null : `0x${opcode.toString(16).padStart(8, '0')}`,
    bounce: isInternal ? info.bounce : null,
    bounced: isInternal ? info.bounced : null,
    message_content: { hash: body.hash().toString('base64') },
  };
}

/** Describes a trace in the order of logical times. A trace is stored in one commit, so it is always complete. */
export function describeTrace(
  transactions: readonly StoredTransaction[],
  described: readonly object[],
): object {
  const [first, last] = [transactions[0]!, transactions.at(-1)!];
  const hashes = transactions.map(({ hash }) => base64(hash));
  return {
    trace_id: base64(first.trace!),
    mc_seqno_start: String(first.seqno),
    mc_seqno_end: String(last.seqno),
    start_lt: String(first.lt),
    end_lt: String(last.lt),
    trace_info: {
      trace_state: 'complete',
      messages: transactions.length,
      transactions: transactions.length,
      pending_messages: 0,
      classification_state: 'unclassified',
    },
    is_incomplete: false,
    transactions_order: hashes,
    transactions: Object.fromEntries(hashes.map((hash, at) => [hash, described[at]])),
  };
}

export interface JettonWalletState {
  /** Raw address. */
  address: string;
  owner: string;
  master: string;
  balance: bigint;
  lastTransactionLt: bigint;
}

export const describeJettonWallet = (state: JettonWalletState): object => ({
  address: describeAccount(state.address),
  balance: String(state.balance),
  owner: describeAccount(state.owner),
  jetton: describeAccount(state.master),
  last_transaction_lt: String(state.lastTransactionLt),
});
