export {
  attestationRejections,
  verifyAttestation,
  verifyTdxQuote,
  type AcceptedTcb,
  type AttestationDocument,
  type AttestationRejection,
  type AttestationVerdict,
  type ExpectedAttestation,
  type ExpectedMachine,
  type PinnedImage,
  type QuoteVerdict,
  type VerificationParts,
} from '@tollbridge/attestation/verify';
