import type { Chain, ChainFamily } from '../registry/chain';
import { aleoFormat } from './aleo';
import { cardanoFormat } from './cardano';
import { evmFormat } from './evm';
import { type AddressFormat, type AddressResult, refuse } from './format';
import { moveFormat } from './move';
import { nearFormat } from './near';
import { solanaFormat } from './solana';
import { starknetFormat } from './starknet';
import { stellarFormat } from './stellar';
import { tonFormat } from './ton';
import { tronFormat } from './tron';
import { utxoFormats } from './utxo';
import { xrpFormat } from './xrp';

// The longest address in use is a unified one of Zcash, with all receivers some 210 characters.
const MAX_LENGTH = 256;

// Base58 decoding is quadratic, so nothing is looked at before its length is known.
const FOREIGN_CHARACTER = /[^\x21-\x7e]/;

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
 * The formats in the order in which a text without a chain is tried. Those with a checksum come first: Solana, NEAR
 * and bare hexadecimal accept whatever has the right length.
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
 * The one spelling of an address on a chain, or a sentence that tells the person who typed it what is wrong. An
 * address that cannot receive money there, or whose key nobody holds, is refused.
 */
export function canonicalAddress(chain: Chain, text: string): AddressResult {
  const refusal = refuseUnreadable(text);
  if (refusal) {
    return refusal;
  }
  const format = formatOf(chain);
  const hasForm = format.looksLike.test(text);
  const result = hasForm ? format.read(text, chain.isTestnet) : refuse(format.shape);
  if (result.ok) {
    return result;
  }
  // A text of the right form but with a mistake is another chain's address only if a checksum there says so.
  const other = recognise(text);
  return other && other.format !== format && (!hasForm || other.format.hasChecksum)
    ? refuse(`this is ${other.format.label} address; the order's chain is ${chain.name}`)
    : result;
}

/**
 * The canonical spelling of an address whose chain is not known, null for any other text. Chains that write an
 * account alike (all EVM chains; Sui, Aptos and Starknet) also share the canonical form, so the answer finds the
 * account's orders on each of them.
 */
export function canonicalPayer(text: string): string | null {
  return refuseUnreadable(text) ? null : (recognise(text)?.address ?? null);
}

function refuseUnreadable(text: string): AddressResult | undefined {
  if (text.length === 0) {
    return refuse('the address is empty');
  }
  if (text.length > MAX_LENGTH) {
    return refuse(`an address has at most ${MAX_LENGTH} characters; this has ${text.length}`);
  }
  if (FOREIGN_CHARACTER.test(text)) {
    return refuse('the address contains a space or a character that addresses do not have: copy it again');
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

/** The first format that reads the text without complaint, on the main or on the test network. */
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
