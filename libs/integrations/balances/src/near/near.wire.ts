import { UnreadableReply, readAmount, readAmountNumber, readFields, readList } from '@tollbridge/http';
import { type Amount, nothing } from '../holding';
import { NodeError, readRpcReply, readRpcResult } from '../json-rpc';

// https://docs.near.org/api/rpc/contracts#view-account,
// https://docs.near.org/api/rpc/contracts#call-a-contract-function,
// https://nomicon.io/Standards/Tokens/FungibleToken/Core

// https://docs.near.org/protocol/storage/storage-staking: 100 kB of storage lock 1 NEAR.
const yoctoPerByte = 10n ** 19n;
// NEP-448: an account up to this size locks nothing.
const freeBytes = 770n;

/** Parses an account. The node's error for an account that does not exist has its own cause. */
export function readAccount(reply: unknown): Amount {
  const answer = readRpcReply(reply);
  if ('error' in answer) {
    const { cause } = answer.error;
    const isUnknown = readFields(cause ?? {}, 'cause')['name'] === 'UNKNOWN_ACCOUNT';
    if (isUnknown) return nothing;
    throw new NodeError(answer.error);
  }
  const account = readFields(answer.result, 'result');
  const bytes = readAmountNumber(account['storage_usage'], 'storage_usage');
  const lockedAtomic = bytes > freeBytes ? bytes * yoctoPerByte : 0n;
  // Staked coins are in a separate field, `locked`.
  return { amountAtomic: readAmount(account['amount'], 'amount'), lockedAtomic };
}

/** Parses the bytes that a contract returned: JSON with an amount in quotes. */
export function readFtBalance(reply: unknown): bigint {
  const bytes = readList(readFields(readRpcResult(reply), 'result')['result'], 'result.result');
  const isBytes = bytes.every((byte) => typeof byte === 'bigint' && byte >= 0n && byte <= 255n);
  if (!isBytes) throw new UnreadableReply('result.result is malformed');
  const [, digits] = /^"(\d+)"$/.exec(Buffer.from(bytes.map(Number)).toString('utf8')) ?? [];
  return readAmount(digits, 'ft_balance_of');
}
