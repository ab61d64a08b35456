import { decodeBase58, toBeHex } from 'ethers';
import { atomicNumber, atomicText, listField, recordField, requireSame, WrongShape } from '../wire-fields';

// https://developers.tron.network/reference/get-account-info-by-address

export interface TronAccount {
  sun: bigint;
  trc20: Map<string, bigint>;
}

/**
 * An account that was never activated is an empty list. It can hold tokens all the same, but no coin to send them with:
 * nothing can be paid from it.
 */
export function readAccount(reply: unknown, address: string): TronAccount {
  const envelope = recordField(reply, 'reply');
  requireSame(envelope['success'], true, 'success');
  const accounts = listField(envelope['data'], 'data');
  if (accounts.length === 0) return { sun: 0n, trc20: new Map() };
  if (accounts.length > 1) throw new WrongShape('data');
  const account = recordField(accounts[0], 'data[0]');
  requireSame(account['address'], hexOf(address), 'address');
  const { balance } = account;
  // Like all protobuf nodes it leaves out what is zero. Bare sun: above 2^53 for the largest wallets.
  const sun = balance === undefined ? 0n : atomicNumber(balance, 'balance');
  return { sun, trc20: readTokens(account['trc20']) };
}

/** A list of objects with one field each: the contract. */
function readTokens(value: unknown): Map<string, bigint> {
  const entries = listField(value, 'trc20').flatMap((entry) => Object.entries(recordField(entry, 'trc20[]')));
  return new Map(entries.map(([contract, amount]) => [contract, atomicText(amount, 'trc20[]')]));
}

/** 21 bytes, the checksum cut off. */
function hexOf(address: string): string {
  return toBeHex(decodeBase58(address), 25).slice(2, 44);
}
