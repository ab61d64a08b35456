import { readAmountNumber } from '@tollbridge/http';

// https://aptos.dev/rest-api/operations/get_account_balance

/** The native coin. The node includes its balance as a fungible asset. */
export const coinAsset = '0x1::aptos_coin::AptosCoin';

/** Parses a plain number of up to 64 bits. An account that does not exist has 0 coins, but may have assets. */
export function readBalance(reply: unknown): bigint {
  return readAmountNumber(reply, 'balance');
}

/** Older nodes return a specific 404 for an account that does not exist. */
export function isUnknownAccount(body: unknown): boolean {
  if (typeof body !== 'object' || body === null || !('error_code' in body)) return false;
  return body.error_code === 'account_not_found' || body.error_code === 'resource_not_found';
}
