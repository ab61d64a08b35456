import type { Chain, ChainFamily } from '../registry/chain';
import { aleoFormat } from './aleo';
import { cardanoFormat } from './cardano';
import { evmFormat } from './evm';
import { type AddressFormat, type AddressResult, reject } from './format';
import { moveFormat } from './move';
import { nearFormat } from './near';
import { solanaFormat } from './solana';
import { starknetFormat } from './starknet';
import { stellarFormat } from './stellar';
import { tonFormat } from './ton';
import { tronFormat } from './tron';
import { utxoFormats } from './utxo';
import { xrpFormat } from './xrp';

// The longest address in use is a unified address of Zcash with all receivers, of about 210 characters.
const maxLength = 256;

// Base58 decoding is quadratic, so the length is checked first.
const foreignCharacter = /[^\x21-\x7e]/;

const formatByFamily: Readonly<Record<Exclude<ChainFamily, 'utxo'>, AddressFormat>> = {
  evm: evmFormat,
  ton: tonFormat,
  solana: solanaFormat,
  tron: tronFormat,
  sui: moveFormat,
  aptos: moveFormat,
  near: nearFormat,
  stellar: stellarFormat,
  starknet: starknetFormat,
  cardano: cardanoFormat,
  aleo: aleoFormat,
  xrp: xrpFormat,
};

/**
 * Formats in the order to try for a text without a chain. Formats with a checksum come first, because Solana, NEAR and
 * plain hexadecimal accept any text of the right length.
 */
const recognisableFormats: readonly AddressFormat[] = [
  evmFormat,
  tonFormat,
  tronFormat,
  ...Object.values(utxoFormats),
  xrpFormat,
  stellarFormat,
  cardanoFormat,
  aleoFormat,
  moveFormat,
  starknetFormat,
  solanaFormat,
  nearFormat,
];

/**
 * Returns the canonical form of an address on a chain, or a sentence for the user with the reason. Rejects an address
 * that cannot receive money there, and an address without a key.
 */
export function canonicalAddress(chain: Chain, text: string): AddressResult {
  const rejection = rejectUnreadable(text);
  if (rejection) {
    return rejection;
  }
  const format = formatOf(chain);
  const hasForm = format.looksLike.test(text);
  const result = hasForm ? format.read(text, chain.isTestnet) : reject(format.shape);
  if (result.ok) {
    return result;
  }
  // A malformed text of the right form belongs to another chain only if a checksum of that chain matches.
  const other = recognise(text);
  return other && other.format !== format && (!hasForm || other.format.hasChecksum)
    ? reject(`this is ${other.format.label} address; the order's chain is ${chain.name}`)
    : result;
}

/**
 * Returns the canonical form of an address of an unknown chain; null for any other text. Chains with the same address
 * form (all EVM chains; Sui, Aptos and Starknet) share the canonical form, so that it finds the account's orders on all
 * of them.
 */
export function canonicalPayer(text: string): string | null {
  return rejectUnreadable(text) ? null : (recognise(text)?.address ?? null);
}

function rejectUnreadable(text: string): AddressResult | undefined {
  if (text.length === 0) {
    return reject('the address is empty');
  }
  if (text.length > maxLength) {
    return reject(`an address has at most ${maxLength} characters; this has ${text.length}`);
  }
  if (foreignCharacter.test(text)) {
    return reject('the address contains a space or a character that addresses do not have: copy it again');
  }
  return undefined;
}

function formatOf(chain: Chain): AddressFormat {
  const format = chain.family === 'utxo' ? utxoFormats[chain.id] : formatByFamily[chain.family];
  if (!format) {
    throw new Error(`no address format for the chain ${chain.id}`);
  }
  return format;
}

/** Returns the first format that accepts the text, on the main or on the test network. */
function recognise(text: string): { format: AddressFormat; address: string } | undefined {
  for (const format of recognisableFormats) {
    for (const isTestnet of format.looksLike.test(text) ? [false, true] : []) {
      const result = format.read(text, isTestnet);
      if (result.ok) {
        return { format, address: result.address };
      }
    }
  }
  return undefined;
}
