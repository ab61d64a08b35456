import { feature, operation } from '@tollbridge/rpc';
import { Flag, FreeForm, Integer, Nested, OneOf, Text, Timestamp } from '../decorators';
import { LedgerPosition } from './accounts.api';
import { HexBytes, TonAccount } from './fields';

export class AttestationRequest {
  @Text('Nonce of the client, at most 64 bytes in hexadecimal: proves that the reply is fresh', {
    optional: true,
    maxLength: 128,
    pattern: /^([0-9a-fA-F]{2})+$/,
    patternMessage: 'must be hexadecimal digits, two for each byte',
    example: '00'.repeat(16),
  })
  nonce?: string;
}

const modes = ['tdx', 'nitro', 'sev-snp', 'tdx-simulator', 'none'] as const;
const hex = (description: string, example: string) => ({
  description,
  nullable: true,
  maxLength: 20_000,
  example,
});

/** Attestation of the payment ledger. `docs/attestation.md` explains each field and how to verify it. */
export class AttestationReply {
  @Integer('Version of this document: 1', { example: 1 }) version: number;
  @OneOf(modes, 'Kind of attestation. `none` and a simulator attest nothing', { example: 'none' })
  mode: (typeof modes)[number];
  @Flag('Whether genuine hardware attests the payment ledger, as checked by itself', { example: false })
  attested: boolean;
  @Flag('Whether it runs without such hardware') isDevelopment: boolean;
  @HexBytes(32, 'Public key of the receipt signatures') teePublicKey: string;
  @Integer('Number of the current key', { min: 1, example: 1 }) keyEpoch: number;
  @Text('Network, CAIP-2', { example: 'tvm:-239' }) network: string;
  @TonAccount('Contract of the deployment, raw form') verifyingContract: string;
  @Text(hex('Nonce of the client; null without one', '00'.repeat(16))) nonce: string | null;
  @HexBytes(
    64,
    'Report data of the quote: one half covers key, network, contract and epoch, the other half the nonce',
  )
  reportData: string;
  @Text(hex('Hardware quote in hexadecimal; null without hardware', '040002008100')) quote: string | null;
  @FreeForm({ type: 'array', items: { type: 'object' } }, 'Measurements of the running system', {
    example: [],
  })
  eventLog: Record<string, unknown>[];
  @FreeForm({ type: 'object' }, 'MRTD and RTMR0 to 3; null without hardware', { nullable: true })
  measurements: Record<string, unknown> | null;
  @Text('App id, from the agent of the hardware', { nullable: true }) appId: string | null;
  @Text("Hash of the app's composition", { nullable: true }) composeHash: string | null;
  @FreeForm({ type: 'object' }, 'Assessment of the platform by its vendor', { optional: true, example: {} })
  collateral?: Record<string, unknown>;
  @Nested(() => LedgerPosition, 'State of the receipt chain') ledger: LedgerPosition;
  @Timestamp('Creation time', { example: '2026-11-22T12:00:00.000Z' }) issuedAt: string;
  @Timestamp('Expiry', { example: '2026-11-22T12:01:00.000Z' }) expiresAt: string;
  @Text('Signature by the key above over all other fields, base64', { maxLength: 88, example: 'iMPk…' })
  signature: string;
  @Text('What this document does not attest', {
    optional: true,
    maxLength: 500,
    example: 'Nothing attests this enclave.',
  })
  warning?: string;
}

export const nanoAttestationApi = feature('nanopay', 'attestation', 'Nano-payments', {
  getAttestation: operation('GET /attestation', {
    auth: 'public',
    summary: 'Read the attestation of the payment ledger',
    description:
      'Send a nonce of your own: without one, a client cannot distinguish a document cached for up to a minute from a new one.',
    input: AttestationRequest,
    output: AttestationReply,
    errors: ['SERVICE_UNAVAILABLE'],
  }),
});
