import { readAmountNumber } from '@tollbridge/http';

// https://aptos.dev/rest-api/operations/get_account_balance

/** The native coin; the node adds its balance as a fungible asset. */
export const coinAsset = '0x1::aptos_coin::AptosCoin';

/** A bare number of up to 64 bits. An account that does not exist has 0 coins, but may hold assets. */
export function readBalance(reply: unknown): bigint {
  return readAmountNumber(reply, 'balance');
}

/** Older nodes answer an account that does not exist with a 404 of their own. */
export function isUnknownAccount(body: unknown): boolean {
  if (typeof body !== 'object' || body === null || !('error_code' in body)) return false;
  return body.error_code === 'account_not_found' || body.error_code === 'resource_not_found';
}
