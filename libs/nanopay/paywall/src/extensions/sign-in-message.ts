import { createPublicKey, verify } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1';
import { keccak_256 } from '@noble/hashes/sha3';
import { isObject } from '@tollbridge/nanopay-protocol';
import { base58Bytes } from '../base58-bytes';

/** The header `Sign-In-With-X`: a signed message of CAIP-122. Its fields are not verified yet. */
export interface SignInMessage {
  domain: string;
  address: string;
  statement?: string;
  uri: string;
  version: string;
  chainId: string;
  nonce: string;
  issuedAt: string;
  expirationTime?: string;
  notBefore?: string;
  requestId?: string;
  resources?: readonly string[];
  signature: string;
}

const maxHeaderChars = 4_096;
const required = [
  'domain',
  'address',
  'uri',
  'version',
  'chainId',
  'nonce',
  'issuedAt',
  'signature',
] as const;
const optional = ['statement', 'expirationTime', 'notBefore', 'requestId'] as const;
const maxResources = 8;
/** One line of printable ASCII. With a line break, one text could be parsed as two messages. */
const line = /^[\x20-\x7e]{1,2048}$/;
const evmChain = /^eip155:([1-9][0-9]{0,15})$/;
const solanaChain = /^solana:([1-9A-HJ-NP-Za-km-z]{32})$/;

/** Returns undefined for a malformed header. */
export function readSignIn(header: string): SignInMessage | undefined {
  if (header.length > maxHeaderChars) return undefined;
  const json = parse(Buffer.from(header, 'base64').toString('utf8'));
  if (!isObject(json)) return undefined;
  for (const name of required) if (!isLine(json[name])) return undefined;
  for (const name of optional) if (json[name] !== undefined && !isLine(json[name])) return undefined;
  const { resources = [] } = json;
  if (!Array.isArray(resources) || resources.length > maxResources || !resources.every(isLine))
    return undefined;
  return json as unknown as SignInMessage;
}

export const isLine = (value: unknown): value is string => typeof value === 'string' && line.test(value);

/**
 * Returns the wallet that signed: `eip155:` and the address in lower case, or `solana:` and the address. Returns
 * undefined if the signature is not of this address. Smart wallets (EIP-1271) are not supported.
 */
export function walletOf(message: SignInMessage): string | undefined {
  const evm = evmChain.exec(message.chainId);
  if (evm) return evmWallet(message, textOf(message, 'Ethereum', evm[1]!, '\n'));
  const solana = solanaChain.exec(message.chainId);
  return solana ? solanaWallet(message, textOf(message, 'Solana', solana[1]!, '')) : undefined;
}

/** Returns a payer in the form of `walletOf`, or undefined for networks without such a message. */
export function walletOn(network: string, payer: string): string | undefined {
  if (evmChain.test(network)) return `eip155:${payer.toLowerCase()}`;
  return solanaChain.test(network) ? `solana:${payer}` : undefined;
}

export const canSignIn = (network: string): boolean => evmChain.test(network) || solanaChain.test(network);

/** The text of EIP-4361, and Phantom's variant for Solana. Without a statement, EIP-4361 has one more empty line. */
function textOf(message: SignInMessage, chain: string, reference: string, withoutStatement: string): string {
  const { domain, address, statement, uri, version, nonce, issuedAt } = message;
  const { expirationTime, notBefore, requestId, resources = [] } = message;
  const named = (name: string, value: string | undefined) =>
    value === undefined ? [] : [`${name}: ${value}`];
  const lines = [
    `${domain} wants you to sign in with your ${chain} account:`,
    address,
    statement === undefined ? withoutStatement : `\n${statement}\n`,
    `URI: ${uri}`,
    `Version: ${version}`,
    `Chain ID: ${reference}`,
    `Nonce: ${nonce}`,
    `Issued At: ${issuedAt}`,
    ...named('Expiration Time', expirationTime),
    ...named('Not Before', notBefore),
    ...named('Request ID', requestId),
    ...(resources.length > 0 ? ['Resources:', ...resources.map((resource) => `- ${resource}`)] : []),
  ];
  return lines.join('\n');
}

/** Verifies a signature of EIP-191. */
function evmWallet({ address, signature }: SignInMessage, text: string): string | undefined {
  const parts = /^0x([0-9a-f]{128})(1b|1c|00|01)$/i.exec(signature);
  if (!parts || !/^0x[0-9a-f]{40}$/i.test(address)) return undefined;
  const body = Buffer.from(text);
  const digest = keccak_256(
    Buffer.concat([Buffer.from(`\x19Ethereum Signed Message:\n${body.length}`), body]),
  );
  try {
    const parity = Number.parseInt(parts[2]!, 16) % 27;
    const key = secp256k1.Signature.fromCompact(parts[1]!.toLowerCase())
      .addRecoveryBit(parity)
      .recoverPublicKey(digest)
      .toRawBytes(false);
    const signer = `0x${Buffer.from(keccak_256(key.subarray(1)).subarray(12)).toString('hex')}`;
    return signer === address.toLowerCase() ? `eip155:${signer}` : undefined;
  } catch {
    return undefined;
  }
}

/** Prefix of an Ed25519 public key in SPKI. The key follows (RFC 8410). */
const ed25519Prefix = Buffer.from('302a300506032b6570032100', 'hex');

function solanaWallet({ address, signature }: SignInMessage, text: string): string | undefined {
  const key = base58Bytes(address, 32);
  const bytes = base58Bytes(signature, 64);
  if (!key || !bytes) return undefined;
  const publicKey = createPublicKey({
    key: Buffer.concat([ed25519Prefix, key]),
    format: 'der',
    type: 'spki',
  });
  return verify(null, Buffer.from(text), publicKey, bytes) ? `solana:${address}` : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
