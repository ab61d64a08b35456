import { feature, Flag, FreeForm, Integer, Nested, OneOf, operation, Text, Timestamp } from '@tollbridge/rpc';
import { LedgerPosition } from './accounts.api';
import { HexBytes, TonAccount } from './fields';

export class AttestationRequest {
  @Text({
    description: 'Yours, at most 64 bytes as hexadecimal digits: what is answered was made for it',
    ...{
      optional: true,
      maxLength: 128,
      pattern: /^([0-9a-fA-F]{2})+$/,
      patternMessage: 'must be hexadecimal digits, two for each byte',
    },
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

/** What the enclave says of itself; `docs/attestation.md` has what it means, and how it is checked. */
export class AttestationReply {
  @Integer({ description: 'Of this document: 1', example: 1 })
  version: number;
  @OneOf(modes, {
    description: 'What attests; none attests nothing, and a simulator neither',
    example: 'none',
  })
  mode: (typeof modes)[number];
  @Flag({
    description: 'Whether genuine hardware attests it, as checked by the enclave itself',
    example: false,
  })
  attested: boolean;
  @Flag({ description: 'That it runs without such hardware', example: true })
  isDevelopment: boolean;
  @HexBytes(32, { description: 'The key that receipts are signed with' })
  teePublicKey: string;
  @Integer({ description: 'Counts the keys of this enclave', min: 1, example: 1 })
  keyEpoch: number;
  @Text({ description: 'Its network, CAIP-2', example: 'tvm:-239' })
  network: string;
  @TonAccount({ description: 'Its deployment, raw' })
  verifyingContract: string;
  @Text(hex('Yours; null without one', '00'.repeat(16)))
  nonce: string | null;
  @HexBytes(64, {
    description:
      'What the quote is about: key, network, contract and epoch in one half, your nonce in the other',
  })
  reportData: string;
  @Text(hex('The quote of the hardware, hexadecimal digits; null without hardware', '040002008100'))
  quote: string | null;
  @FreeForm(
    { type: 'array', items: { type: 'object' } },
    { description: 'What was measured after the start', example: [] },
  )
  eventLog: unknown[];
  @FreeForm(
    { type: 'object' },
    { description: 'MRTD and RTMR0 to 3; null without hardware', nullable: true, example: null },
  )
  measurements: unknown;
  @Text({ description: 'The app, as its agent names it', nullable: true, example: null })
  appId: string | null;
  @Text({ description: 'Hash of what the app was composed of', nullable: true, example: null })
  composeHash: string | null;
  @FreeForm(
    { type: 'object' },
    { description: 'What the vendor says of this platform', optional: true, example: {} },
  )
  collateral?: unknown;
  @Nested(() => LedgerPosition, { description: 'Where the chain of receipts stands' })
  ledger: LedgerPosition;
  @Timestamp({ description: 'When it was made', example: '2026-11-22T12:00:00.000Z' })
  issuedAt: string;
  @Timestamp({ description: 'Until when it may be believed', example: '2026-11-22T12:01:00.000Z' })
  expiresAt: string;
  @Text({ description: 'By the key above over all the rest, base64', maxLength: 88, example: 'iMPk…' })
  signature: string;
  @Text({
    description: 'What this does not attest',
    optional: true,
    maxLength: 500,
    example: 'Nothing attests this enclave.',
  })
  warning?: string;
}

export const nanoAttestationApi = feature('nanopay', 'attestation', 'Nano-payments', {
  getAttestation: operation({
    ...{ method: 'GET', path: '/attestation', auth: 'public' },
    summary: 'What the enclave says of itself, for sellers to check',
    description:
      'Send a nonce of your own: without one, you cannot tell a new document from one that was kept for a minute.',
    ...{ input: AttestationRequest, output: AttestationReply, errors: ['SERVICE_UNAVAILABLE'] },
  }),
});
