import { readNetwork, type SigningKey } from '@tollbridge/nanopay-protocol';
import type { Evidence } from '../attesters/attester';
import type { AttestationDocument, AttestationMode, UnsignedAttestation } from './document';
import { maxLifetimeMs } from './document';
import { reportData } from './report-data';
import { documentDigest } from './sign-document';

/** The deployment and the epoch of the key. */
export interface EnclaveIdentity {
  network: string;
  verifyingContract: string;
  keyEpoch: number;
}

export interface AttestationParts {
  identity: EnclaveIdentity;
  key: SigningKey;
  mode: AttestationMode;
  /** Evidence for the `reportData` of these parts; null without hardware. */
  evidence: Evidence | null;
  nonce: string | null;
  ledger: { seq: bigint; head: Buffer };
  now: Date;
}

const withoutEvidence: Evidence = {
  attested: false,
  quote: null,
  eventLog: [],
  measurements: null,
  appId: null,
  composeHash: null,
  warning:
    'Nothing attests this enclave: it runs without trusted hardware, and its operator can read its key.',
};

/** Builds and signs the document. Only a mode with hardware can be attested, whatever the evidence claims. */
export function buildAttestation(parts: AttestationParts): AttestationDocument {
  const { identity, key, mode, nonce, ledger, now } = parts;
  const { attested, ...evidence } = parts.evidence ?? withoutEvidence;
  const { keyEpoch, verifyingContract } = identity;
  const network = readNetwork(identity.network);
  if (!network) throw new RangeError('not a network of TON');
  const teePublicKey = key.publicKey.toString('hex');
  const isHardware = mode !== 'none' && mode !== 'tdx-simulator';
  const unsigned: UnsignedAttestation = {
    version: 1,
    mode,
    attested: isHardware && attested,
    isDevelopment: !isHardware,
    teePublicKey,
    keyEpoch,
    network: network.caip2,
    verifyingContract,
    nonce,
    reportData: reportData({ ...identity, teePublicKey, nonce }).toString('hex'),
    ...evidence,
    ledger: { seq: ledger.seq.toString(), head: ledger.head.toString('hex') },
    issuedAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + maxLifetimeMs).toISOString(),
  };
  return { ...unsigned, signature: key.sign(documentDigest(unsigned)).toString('base64') };
}
