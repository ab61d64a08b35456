import { createHash } from 'node:crypto';
import { isEd25519Signature } from './ed25519';
import { readStateInit } from './ton-state-init';
import { provenByKey, rejected, type ProofVerdict } from './verdict';

/** A `ton_proof` from TON Connect, with the state-init of the account. */
export interface TonProof {
  /** Unix time in seconds, by the wallet's clock. */
  timestamp: number;
  domain: { lengthBytes: number; value: string };
  payload: string;
  /** Base64 of the 64-byte signature. */
  signature: string;
  /** Base64 of a bag of cells. */
  stateInit: string;
}

export interface ExpectedTonProof {
  /** Wallet address in canonical form. */
  wallet: string;
  domain: string;
  payload: string;
  nowMs: number;
}

// Clocks of phones are off by minutes. The nonce in the payload limits the age of a proof more strictly.
const mostClockSkewSeconds = 300;

const sha256 = (...parts: Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest();

export async function checkTonProof(proof: TonProof, expected: ExpectedTonProof): Promise<ProofVerdict> {
  const { domain, payload, timestamp, signature } = proof;
  if (domain.value !== expected.domain || domain.lengthBytes !== Buffer.byteLength(domain.value))
    return rejected('wrong_domain');
  if (payload !== expected.payload) return rejected('wrong_nonce');
  if (Math.abs(expected.nowMs / 1000 - timestamp) > mostClockSkewSeconds) return rejected('wrong_time');
  const account = accountOf(expected.wallet);
  const stateInit = await readStateInit(proof.stateInit);
  if (!stateInit?.hash.equals(account.hash)) return rejected('wrong_state_init');
  if (!stateInit.publicKey) return rejected('unknown_wallet_contract');
  const message = signedBytes({ ...account, domain: domain.value, timestamp, payload });
  const isSigned = isEd25519Signature(message, decoded(signature), stateInit.publicKey);
  return isSigned ? provenByKey : rejected('wrong_signature');
}

interface Signed {
  workchain: number;
  hash: Uint8Array;
  domain: string;
  timestamp: number;
  payload: string;
}

/** Returns the signed bytes, as specified by TON Connect. */
function signedBytes({ workchain, hash, domain, timestamp, payload }: Signed): Buffer {
  const name = Buffer.from(domain);
  const numbers = { workchain: Buffer.alloc(4), length: Buffer.alloc(4), time: Buffer.alloc(8) };
  numbers.workchain.writeInt32BE(workchain);
  numbers.length.writeUInt32LE(name.length);
  numbers.time.writeBigUInt64LE(BigInt(timestamp));
  const item = sha256(
    Buffer.from('ton-proof-item-v2/'),
    numbers.workchain,
    hash,
    numbers.length,
    name,
    numbers.time,
    Buffer.from(payload),
  );
  return sha256(Buffer.from('ffff', 'hex'), Buffer.from('ton-connect'), item);
}

/** @param wallet canonical form: kind and workchain in two bytes, the hash, and a checksum of two bytes */
function accountOf(wallet: string): { workchain: number; hash: Buffer } {
  const bytes = Buffer.from(wallet, 'base64url');
  return { workchain: bytes.readInt8(1), hash: bytes.subarray(2, 34) };
}

/** Decodes base64 strictly, because Node skips invalid characters. */
function decoded(base64: string): Buffer {
  const bytes = Buffer.from(base64, 'base64');
  return bytes.toString('base64') === base64 ? bytes : Buffer.alloc(0);
}
