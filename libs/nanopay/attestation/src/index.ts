export { AttestationIssuer, type AttestationIssuerOptions } from './attesters/attestation-issuer';
export { AttestationUnavailable, type Attester, type Evidence } from './attesters/attester';
export { unattested } from './attesters/none';
export { loadOrCreateSeed, loadSeed } from './attesters/seed-file';
export { tdxAttester, type TdxAttesterOptions } from './attesters/tdx';
export { buildAttestation, type AttestationParts, type EnclaveIdentity } from './document/build-document';
export {
  maxDocumentBytes,
  type AttestationDocument,
  type AttestationMode,
  type Measurements,
} from './document/document';
export { readAttestation } from './document/read-document';
export { reportData, type ReportDataParts } from './document/report-data';
export { canonicalJson, documentDigest } from './document/sign-document';
export { attestationRejections, type AttestationRejection, type Rejection } from './rejection';
export { readTdxCollateral, type TdxCollateral } from './verify/collateral';
export { type ExpectedMachine, type PinnedImage } from './verify/expected-machine';
export { type RuntimeEvent } from './verify/event-log';
export { type TdReport } from './verify/quote-v4';
export { type AcceptedTcb, type TcbStatus } from './verify/tcb-status';
export { verifyTdxQuote, type QuoteVerdict, type VerifiedQuote } from './verify/tdx-quote';
export {
  verifyAttestation,
  type AttestationVerdict,
  type ExpectedAttestation,
  type VerificationParts,
} from './verify/verify-attestation';
