export type AddressResult =
  | { readonly ok: true; readonly address: string }
  | { readonly ok: false; readonly reason: string };

/** Address format of one kind of chain. */
export interface AddressFormat {
  /** Completes "this is … address", so it includes the article. */
  readonly label: string;
  /** A fast test of the form, which rejects texts of other formats without decoding. */
  readonly looksLike: RegExp;
  /** A sentence that describes the form, for users. */
  readonly shape: string;
  /** False for a format that accepts any text of the right length. A valid text then does not identify the chain. */
  readonly hasChecksum: boolean;
  /** Decodes a text. Called only with texts that match `looksLike`. */
  read(text: string, isTestnet: boolean): AddressResult;
}

export const wrongChecksum = 'the checksum of the address does not match: check for a typing mistake';

export const unownedAddress =
  'no key controls this address, so money sent to it would be lost: give the address of a wallet';

export function accept(address: string): AddressResult {
  return { ok: true, address };
}

/** Creates a rejection. Reasons must never quote the text, because users may paste private keys. */
export function reject(reason: string): AddressResult {
  return { ok: false, reason };
}

export function isAllZero(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0);
}
