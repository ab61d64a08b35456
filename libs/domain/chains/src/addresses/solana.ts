import { decodeBase58 } from './codec/base58';
import { type AddressFormat, unownedAddress, accept, reject } from './format';

// Programs and the incinerator have no key, so money sent to them is lost.
const unownedMessage = new Set([
  '11111111111111111111111111111111',
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
  'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL',
  'So11111111111111111111111111111111111111112',
  'ComputeBudget111111111111111111111111111111',
  'Stake11111111111111111111111111111111111111',
  'Vote111111111111111111111111111111111111111',
  '1nc1nerator11111111111111111111111111111111',
]);

// Addresses of runtime programs and sysvars are names padded with ones. A key does not end with so many ones.
const system = /1{12}$/;

/** Solana addresses. The format has no checksum, so a typing mistake that still decodes to 32 bytes is not detected. */
export const solanaFormat: AddressFormat = {
  label: 'a Solana',
  looksLike: /^[1-9A-HJ-NP-Za-km-z]{32,44}$/,
  shape: 'the address must have 32 to 44 characters, letters and digits without 0, O, I and l',
  hasChecksum: false,
  read(text) {
    if (decodeBase58(text)?.length !== 32) {
      return reject(
        'the address does not stand for 32 bytes as Solana addresses do: check for missing characters',
      );
    }
    return unownedMessage.has(text) || system.test(text) ? reject(unownedAddress) : accept(text);
  },
};
