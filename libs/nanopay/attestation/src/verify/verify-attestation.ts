import {
  isSignature,
  isStrongKey,
  publicKeyOf,
  readAccount,
  readNetwork,
} from '@tollbridge/nanopay-protocol';
import {
  maxLifetimeMs,
  maxNonceBytes,
  type AttestationDocument,
  type AttestationMode,
  type Measurements,
} from '../document/document';
import { readAttestation } from '../document/read-document';
import { reportData } from '../document/report-data';
import { documentDigest } from '../document/sign-document';
import { Rejected, rejectionOf, type Rejection } from '../rejection';
import { checkMachine, type ExpectedMachine } from './expected-machine';
import { isAcceptable, type AcceptedTcb, type TcbStatus } from './tcb-status';
import { verifyTdxQuote, type VerifiedQuote } from './tdx-quote';

interface ExpectedDeployment {
  /** In any accepted spelling. */
  network: string;
  verifyingContract: string;
  /** Hexadecimal digits of 16 to 64 random bytes, made by the seller for this request. */
  nonce: string;
  /** Lowest accepted epoch of the receipt key. */
  leastKeyEpoch: number;
  /** The known receipt key, 64 hexadecimal digits; undefined if the seller does not know it yet. */
  receiptKey?: string;
  /** Accepted statuses beside `UpToDate`; by default none. */
  acceptedTcb?: AcceptedTcb;
  /** Lowest accepted TCB evaluation number of the collateral. */
  leastTcbEvaluation?: number;
}

/** Requirements of the seller. The expected machine may be omitted only with an explicit opt-out. */
export type ExpectedAttestation = ExpectedDeployment &
  (
    | { allowUnattested?: false; machine: ExpectedMachine }
    | { allowUnattested: true; machine?: ExpectedMachine }
  );

export interface VerificationParts {
  now: Date;
  /** Collateral of the vendor or a cache; by default that of the document. */
  collateral?: unknown;
}

interface AcceptedAttestation {
  ok: true;
  mode: AttestationMode;
  /** The receipt key: a receipt of any other key is not from this enclave. */
  teePublicKey: string;
  keyEpoch: number;
  /** Later receipts of this enclave must not be below this position. */
  ledger: AttestationDocument['ledger'];
  expiresAt: Date;
}

/** `attested: false` only with `allowUnattested`: then nothing is proven but the signature of the key. */
export type AttestationVerdict =
  | (AcceptedAttestation & {
      attested: true;
      tcbStatus: TcbStatus;
      advisoryIds: string[];
      measurements: Measurements;
    })
  | (AcceptedAttestation & { attested: false; warning: string })
  | Rejection;

// Clocks differ; the same as in payments.
const maxSkewMs = 5_000;
const leastNonceBytes = 16;

/** Verifies that the document is from the expected enclave, on genuine hardware, and for the nonce of the seller. */
export function verifyAttestation(
  document: unknown,
  expected: ExpectedAttestation,
  parts: VerificationParts,
): Promise<AttestationVerdict> {
  return verifyAttestationBy(verifyTdxQuote, document, expected, parts);
}

/** `verifyAttestation` with another verification of quotes, for tests, which have no hardware. */
export async function verifyAttestationBy(
  verifyQuote: typeof verifyTdxQuote,
  input: unknown,
  expected: ExpectedAttestation,
  parts: VerificationParts,
): Promise<AttestationVerdict> {
  try {
    checkExpectation(expected);
    const document = readAttestation(input);
    const tdx = isToBeVerified(document, expected)
      ? await checkHardware(verifyQuote, { document, expected, parts })
      : undefined;
    checkDeployment(document, expected, tdx);
    checkSignature(document);
    checkFreshness(document, parts.now);
    return acceptedVerdict(document, tdx);
  } catch (error) {
    return rejectionOf(error, 'document_malformed');
  }
}

function checkExpectation({
  network,
  verifyingContract,
  nonce,
  leastKeyEpoch,
  ...rest
}: ExpectedAttestation) {
  const isNonce = new RegExp(`^(?:[0-9a-f]{2}){${leastNonceBytes},${maxNonceBytes}}$`).test(nonce);
  const isDeployment = readNetwork(network) && readAccount(verifyingContract) === verifyingContract;
  if (!isNonce || !isDeployment || !Number.isSafeInteger(leastKeyEpoch))
    throw new Rejected('expectation_invalid', 'invalid expectation: network, contract, nonce or epoch');
  if (!rest.machine && rest.allowUnattested !== true)
    throw new Rejected('expectation_invalid', 'missing expectation: set machine, or allowUnattested');
}

/** Without hardware or without a verified quote, the document passes only with an explicit opt-out. */
function isToBeVerified(document: AttestationDocument, expected: ExpectedAttestation): boolean {
  const { mode, attested } = document;
  if (attested && mode === 'tdx' && expected.machine) return true;
  if (attested && mode !== 'tdx')
    throw new Rejected('mode_unsupported', `unsupported mode of attestation: ${mode}`);
  if (expected.allowUnattested === true) return false;
  throw new Rejected('not_attested', document.warning ?? `nothing attests this enclave (${mode})`);
}

interface Question {
  document: AttestationDocument;
  expected: ExpectedAttestation;
  parts: VerificationParts;
}

async function checkHardware(
  verifyQuote: typeof verifyTdxQuote,
  { document, expected, parts }: Question,
): Promise<VerifiedQuote> {
  const collateral = parts.collateral ?? document.collateral;
  const quote = Buffer.from(document.quote ?? '', 'hex');
  const verdict = await verifyQuote(quote, collateral, parts.now);
  if (!verdict.ok) throw new Rejected(verdict.reason, verdict.message);
  if (verdict.tcbEvaluationDataNumber < (expected.leastTcbEvaluation ?? 0))
    throw new Rejected('collateral_outdated', 'the vendor has reassessed platforms since this collateral');
  if (!isAcceptable(verdict, expected.acceptedTcb))
    throw new Rejected('tcb_status_refused', tcbText(verdict));
  checkMachine(verdict.report, document, expected.machine!);
  return verdict;
}

const tcbText = ({ tcbStatus, advisoryIds }: VerifiedQuote): string =>
  `the platform is ${tcbStatus}${advisoryIds.length > 0 ? `: ${advisoryIds.join(', ')}` : ''}`;

/** Verifies that document and quote are for this deployment and nonce. */
function checkDeployment(
  document: AttestationDocument,
  expected: ExpectedAttestation,
  verified: VerifiedQuote | undefined,
): void {
  const { network, verifyingContract, nonce, leastKeyEpoch, receiptKey } = expected;
  const { teePublicKey, keyEpoch } = document;
  if (readNetwork(network)?.caip2 !== document.network)
    throw new Rejected('network_mismatch', `the document is for the network ${document.network}`);
  if (document.verifyingContract !== verifyingContract)
    throw new Rejected('contract_mismatch', 'the document is for another contract');
  if (keyEpoch < leastKeyEpoch) throw new Rejected('key_epoch_too_old', `the key is of epoch ${keyEpoch}`);
  if (receiptKey !== undefined && receiptKey !== teePublicKey)
    throw new Rejected('receipt_key_mismatch', 'the attested key is not the key of receipts');
  if (document.nonce !== nonce) throw new Rejected('nonce_mismatch', 'the document has another nonce');
  const wanted = reportData({ teePublicKey, network, verifyingContract, keyEpoch, nonce });
  const quoted = verified?.report.reportData ?? wanted;
  if (!quoted.equals(wanted) || document.reportData !== wanted.toString('hex'))
    throw new Rejected('report_data_mismatch', 'the report data of the quote does not match the document');
}

function checkSignature(document: AttestationDocument): void {
  const key = Buffer.from(document.teePublicKey, 'hex');
  if (!isStrongKey(key)) throw new Rejected('weak_key', 'any signature is valid for such a key');
  if (!isSignature(documentDigest(document), Buffer.from(document.signature, 'base64'), publicKeyOf(key)))
    throw new Rejected('document_signature_invalid', 'the document is not signed by the attested key');
}

/** The comparisons are false for an invalid date, which therefore rejects the document. */
function checkFreshness(document: AttestationDocument, now: Date): void {
  const [issuedMs, expiresMs] = [Date.parse(document.issuedAt), Date.parse(document.expiresAt)];
  if (!(issuedMs <= now.getTime() + maxSkewMs)) throw new Rejected('not_yet_valid', 'issued in the future');
  if (!(expiresMs > now.getTime() && expiresMs <= issuedMs + maxLifetimeMs))
    throw new Rejected('expired', 'the document has expired, or its lifetime is too long');
}

function acceptedVerdict(
  document: AttestationDocument,
  verified: VerifiedQuote | undefined,
): AttestationVerdict {
  const { mode, teePublicKey, keyEpoch, ledger, expiresAt, warning } = document;
  const shared = {
    ...({ ok: true, mode, teePublicKey, keyEpoch, ledger } as const),
    expiresAt: new Date(expiresAt),
  };
  if (!verified)
    return { ...shared, attested: false, warning: warning ?? 'nothing about this enclave was verified' };
  const { tcbStatus, advisoryIds } = verified;
  const { mrtd, rtmr0, rtmr1, rtmr2, rtmr3 } = verified.report;
  const measurements = { mrtd, rtmr0, rtmr1, rtmr2, rtmr3 };
  return { ...shared, attested: true, tcbStatus, advisoryIds, measurements };
}
