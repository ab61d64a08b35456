// Describes the replies of toncenter's api/v2, field by field.
import { createHash } from 'node:crypto';
import type { Account, ShardAccount } from '@ton/core';
import { contractOf } from './ton-chain';
import { base64Of, base64OfHash, describeTransactionId, extra } from './toncenter-encoding';
import { describeStackEntry } from './toncenter-stack.wire';
import type { TvmAnswer } from './tvm';

interface BlockId {
  '@type': string;
  workchain: number;
  shard: string;
  seqno: number;
  root_hash: string;
  file_hash: string;
}

const masterchainShard = '-9223372036854775808';
/** Id of the main network, because clients may accept only this id. */
export const globalId = -239;

// The blocks have no content, so their hashes are derived from their numbers.
const hashOf = (...parts: (string | number)[]): string =>
  createHash('sha256').update(parts.join(':')).digest('base64');

export const describeBlock = (seqno: number): BlockId => ({
  '@type': 'ton.blockIdExt',
  workchain: -1,
  shard: masterchainShard,
  seqno,
  root_hash: hashOf('root', seqno),
  file_hash: hashOf('file', seqno),
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

/** The time and the block of a read. */
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
    global_id: globalId,
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
