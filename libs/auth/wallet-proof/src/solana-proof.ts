import { base58 } from '@scure/base';
import { isEd25519Signature } from './ed25519';
import { provenByKey, rejected, type ProofVerdict } from './verdict';

/** @param signature base58 of 64 bytes, as returned by a wallet's `signMessage` */
export function checkSolanaProof(wallet: string, message: string, signature: string): ProofVerdict {
  const isSigned = isEd25519Signature(Buffer.from(message), decode(signature), base58.decode(wallet));
  return isSigned ? provenByKey : rejected('wrong_signature');
}

function decode(text: string): Uint8Array {
  try {
    return base58.decode(text);
  } catch {
    return new Uint8Array();
  }
}
