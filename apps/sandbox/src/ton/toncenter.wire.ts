// Replies of toncenter's api/v2, field by field.
import { createHash } from 'node:crypto';
import type { Account, Cell, Message, ShardAccount, Transaction, TupleItem } from '@ton/core';
import { contractOf } from './ton-chain';
import type { StoredTransaction } from './ton.repository';
import type { TvmAnswer } from './tvm';

type Core = typeof import('@ton/core');

const masterchainShard = '-9223372036854775808';
const base64Of = (cell: Cell): string => cell.toBoc().toString('base64');
const base64OfHash = (hash: bigint): string =>
  Buffer.from(hash.toString(16).padStart(64, '0'), 'hex').toString('base64');
// Block numbers have no blocks behind them, so hashes are derived from the numbers.
const hashOf = (...parts: (string | number)[]): string =>
  createHash('sha256').update(parts.join(':')).digest('base64');

/** Callers may measure the delay of the node. */
export const extra = (nowMs: number): string => `${nowMs / 1_000}:0:0.0`;

export const describeBlock = (seqno: number): object => ({
  '@type': 'ton.blockIdExt',
  workchain: -1,
  shard: masterchainShard,
  seqno,
  root_hash: hashOf('root', seqno),
  file_hash: hashOf('file', seqno),
});

const describeTransactionId = (lt: bigint, hash: string): object => ({
  '@type': 'internal.transactionId',
  lt: String(lt),
  hash,
});

const describeLast = ({ lastTransactionLt, lastTransactionHash }: ShardAccount): object =>
  describeTransactionId(lastTransactionLt, base64OfHash(lastTransactionHash));

export function stateOf(account: Account | null | undefined): 'active' | 'uninitialized' | 'frozen' {
  const type = account?.storage.state.type ?? 'uninit';
  return type === 'uninit' ? 'uninitialized' : type;
}

export const balanceOf = (account: Account | null | undefined): string =>
  String(account?.storage.balance.coins ?? 0n);

function codeAndData(account: Account | null | undefined): {
  code: string;
  data: string;
  frozen_hash: string;
} {
  const contract = contractOf(account);
  const state = account?.storage.state;
  return {
    code: contract ? base64Of(contract.code) : '',
    data: contract ? base64Of(contract.data) : '',
    frozen_hash: state?.type === 'frozen' ? base64OfHash(state.stateHash) : '',
  };
}

/** Time and place of a read. */
export interface Sight {
  seqno: number;
  nowMs: number;
}

export const describeAddress = (state: ShardAccount, { seqno, nowMs }: Sight): object => ({
  '@type': 'raw.fullAccountState',
  balance: balanceOf(state.account),
  extra_currencies: [],
  ...codeAndData(state.account),
  last_transaction_id: describeLast(state),
  block_id: describeBlock(seqno),
  sync_utime: Math.floor(nowMs / 1_000),
  '@extra': extra(nowMs),
  state: stateOf(state.account),
});

export function describeExtended(address: string, state: ShardAccount, { seqno, nowMs }: Sight): object {
  const { code, data, frozen_hash } = codeAndData(state.account);
  const isDeployed = stateOf(state.account) === 'active';
  return {
    '@type': 'fullAccountState',
    address: { '@type': 'accountAddress', account_address: address },
    balance: balanceOf(state.account),
    extra_currencies: [],
    last_transaction_id: describeLast(state),
    block_id: describeBlock(seqno),
    sync_utime: Math.floor(nowMs / 1_000),
    account_state: isDeployed
      ? { '@type': 'raw.accountState', code, data, frozen_hash }
      : { '@type': 'uninited.accountState', frozen_hash },
    revision: 0,
    '@extra': extra(nowMs),
  };
}

export const describeWallet = (
  state: ShardAccount,
  wallet: { type: string; seqno: number; walletId: number } | undefined,
): object => ({
  wallet: wallet !== undefined,
  balance: balanceOf(state.account),
  account_state: stateOf(state.account),
  ...(wallet && { wallet_type: wallet.type, seqno: wallet.seqno, wallet_id: wallet.walletId }),
  last_transaction_id: describeLast(state),
});

export const describeMasterchain = ({ seqno, nowMs }: Sight): object => ({
  '@type': 'blocks.masterchainInfo',
  last: describeBlock(seqno),
  state_root_hash: hashOf('state', seqno),
  init: describeBlock(0),
  '@extra': extra(nowMs),
});

export function describeHeader(seqno: number, genUtime: number, { nowMs }: Sight): object {
  return {
    '@type': 'blocks.header',
    id: describeBlock(seqno),
    global_id: -239,
    version: 0,
    flags: 0,
    after_merge: false,
    after_split: false,
    before_split: false,
    want_merge: false,
    want_split: false,
    validator_list_hash_short: 0,
    catchain_seqno: 0,
    min_ref_mc_seqno: Math.max(0, seqno - 1),
    is_key_block: false,
    prev_key_block_seqno: 0,
    start_lt: '0',
    end_lt: '0',
    gen_utime: genUtime,
    prev_blocks: seqno > 0 ? [describeBlock(seqno - 1)] : [],
    '@extra': extra(nowMs),
  };
}

export function describeRun(
  { exitCode, gasUsed, stack }: TvmAnswer,
  state: ShardAccount,
  { seqno, nowMs }: Sight,
): object {
  return {
    '@type': 'smc.runResult',
    gas_used: gasUsed,
    stack: stack.map(describeStackEntry),
    exit_code: exitCode,
    '@extra': extra(nowMs),
    block_id: describeBlock(seqno),
    last_transaction_id: describeLast(state),
  };
}

/** On top of the stack; slices are written as cells, as toncenter does. */
function describeStackEntry(item: TupleItem): [string, unknown] {
  switch (item.type) {
    case 'int':
      return ['num', hexNumber(item.value)];
    case 'nan':
      return ['num', 'NaN'];
    case 'cell':
    case 'slice':
    case 'builder':
      return ['cell', { bytes: base64Of(item.cell), object: {} }];
    case 'tuple':
      return ['tuple', { '@type': 'tvm.tuple', elements: item.items.map(describeElement) }];
    case 'null':
      return ['list', { '@type': 'tvm.list', elements: [] }];
  }
}

const hexNumber = (value: bigint): string =>
  value < 0n ? `-0x${(-value).toString(16)}` : `0x${value.toString(16)}`;

/** Within a tuple. */
function describeElement(item: TupleItem): object {
  switch (item.type) {
    case 'int':
    case 'nan': {
      const number = item.type === 'int' ? String(item.value) : 'NaN';
      return { '@type': 'tvm.stackEntryNumber', number: { '@type': 'tvm.numberDecimal', number } };
    }
    case 'cell':
    case 'builder':
      return { '@type': 'tvm.stackEntryCell', cell: { '@type': 'tvm.cell', bytes: base64Of(item.cell) } };
    case 'slice':
      return { '@type': 'tvm.stackEntrySlice', slice: { '@type': 'tvm.slice', bytes: base64Of(item.cell) } };
    case 'tuple': {
      const elements = item.items.map(describeElement);
      return { '@type': 'tvm.stackEntryTuple', tuple: { '@type': 'tvm.tuple', elements } };
    }
    case 'null':
      return { '@type': 'tvm.stackEntryList', list: { '@type': 'tvm.list', elements: [] } };
  }
}

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

/** Amount that the account paid, including forward fees, a part of which is in the messages. */
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

/** A comment as text, any other body as cells. */
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
