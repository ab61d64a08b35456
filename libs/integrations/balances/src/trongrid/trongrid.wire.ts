import { UnreadableReply, readAmount, readAmountNumber, readFields, readList } from '@tollbridge/http';
import { decodeBase58, toBeHex } from 'ethers';
import { requireSame } from '../wire-fields';

// https://developers.tron.network/reference/get-account-info-by-address

export interface TronAccount {
  sun: bigint;
  trc20: Map<string, bigint>;
}

/**
 * Parses an account. The list is empty for an account that was never activated. Such an account can have tokens, but no
 * coins for the fee, so it cannot pay.
 */
export function readAccount(reply: unknown, address: string): TronAccount {
  const envelope = readFields(reply, 'reply');
  requireSame(envelope['success'], true, 'success');
  const accounts = readList(envelope['data'], 'data');
  if (accounts.length === 0) return { sun: 0n, trc20: new Map() };
  if (accounts.length > 1) throw new UnreadableReply('data is malformed');
  const account = readFields(accounts[0], 'data[0]');
  requireSame(account['address'], hexOf(address), 'address');
  const { balance } = account;
  // Like all protobuf nodes, it omits zeros. Sun is a plain number, which exceeds 2^53 for the largest wallets.
  const sun = balance === undefined ? 0n : readAmountNumber(balance, 'balance');
  return { sun, trc20: readTokens(account['trc20']) };
}

/** Parses an array of objects with one field each: the contract. */
function readTokens(value: unknown): Map<string, bigint> {
  const entries = readList(value, 'trc20').flatMap((entry) => Object.entries(readFields(entry, 'trc20[]')));
  return new Map(entries.map(([contract, amount]) => [contract, readAmount(amount, 'trc20[]')]));
}

/** Returns the 21 bytes of the address without the checksum. */
function hexOf(address: string): string {
  return toBeHex(decodeBase58(address), 25).slice(2, 44);
}
