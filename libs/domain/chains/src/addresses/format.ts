export type AddressResult =
  | { readonly ok: true; readonly address: string }
  | { readonly ok: false; readonly reason: string };

/** How addresses of one kind of chain are written. */
export interface AddressFormat {
  /** Completes "this is … address", hence with its article. */
  readonly label: string;
  /** A cheap test of the form: texts of other formats are rejected without decoding. */
  readonly looksLike: RegExp;
  /** A sentence that describes the form, for users. */
  readonly shape: string;
  /** False where any text of the right length is accepted: reading it proves nothing about its chain. */
  readonly hasChecksum: boolean;
  /** Only called with texts that `looksLike` accepts. */
  read(text: string, isTestnet: boolean): AddressResult;
}

export const wrongChecksum = 'the checksum of the address does not match: check for a typing mistake';

export const unownedAddress =
  'no key controls this address, so money sent to it would be lost: give the address of a wallet';

export function accept(address: string): AddressResult {
  return { ok: true, address };
}

/** Reasons never quote the text itself: users paste private keys. */
export function reject(reason: string): AddressResult {
  return { ok: false, reason };
}

export function isAllZero(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0);
}
