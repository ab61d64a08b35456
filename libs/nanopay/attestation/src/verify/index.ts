// The entry point for sellers: verification only, without the agents of attested machines.
export type { AttestationDocument, AttestationMode, Measurements } from '../document/document';
export { attestationRejections, type AttestationRejection, type Rejection } from '../rejection';
export type { TdxCollateral } from './collateral';
export type { ExpectedMachine, PinnedImage } from './expected-machine';
export type { AcceptedTcb, TcbStatus } from './tcb-status';
export { verifyTdxQuote, type QuoteVerdict, type VerifiedQuote } from './tdx-quote';
export {
  verifyAttestation,
  type AttestationVerdict,
  type ExpectedAttestation,
  type VerificationParts,
} from './verify-attestation';
