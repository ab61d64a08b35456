import { SigningKey, hexlify } from 'ethers';
import { bytesOfWords, decodeBech32 } from './codec/bech32';
import { type AddressResult, unownedAddress, wrongChecksum, accept, isAllZero, reject } from './format';

/** Decodes a SegWit address (BIP 173, BIP 350) with this prefix; canonical is lower case. */
export function readSegwit(text: string, prefix: string): AddressResult {
  // Version 0 (the letter q) is defined with bech32, all later versions with bech32m. The wrong checksum would miss
  // some typing mistakes.
  const isVersion0 = text.charAt(prefix.length + 1).toLowerCase() === 'q';
  const decoded = decodeBech32(text, isVersion0 ? 'bech32' : 'bech32m');
  const [version, ...words] = decoded?.words ?? [];
  const program = bytesOfWords(words);
  if (!program || decoded?.prefix !== prefix) {
    return reject(wrongChecksum);
  }
  if (isAllZero(program)) {
    return reject(unownedAddress);
  }
  const isPayable =
    (version === 0 && (program.length === 20 || program.length === 32)) ||
    (version === 1 && program.length === 32 && isPublicKey(program));
  // Later versions have no rules yet, and anyone can spend outputs with two-byte programs of version 1.
  return isPayable
    ? accept(text.toLowerCase())
    : reject(
        'money sent to this kind of address could be taken by anyone or be lost: ask for another address',
      );
}

/** Half of all 32-byte numbers are not the x coordinate of a point. Money sent to them can never be spent. */
function isPublicKey(xCoordinate: Uint8Array): boolean {
  try {
    SigningKey.computePublicKey(`0x02${hexlify(xCoordinate).slice(2)}`);
    return true;
  } catch {
    return false;
  }
}
