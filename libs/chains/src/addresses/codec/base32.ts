import { regroupBits } from './bits';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** RFC 4648 without padding, as Stellar writes its keys. */
export function decodeBase32(text: string): Uint8Array | undefined {
  const groups = Array.from(text, (character) => ALPHABET.indexOf(character));
  return groups.includes(-1) ? undefined : regroupBits(groups, 5, 8);
}
