import {
  Integer,
  internalFeature,
  internalOperation,
  ListOf,
  Nested,
  OneOf,
  permissions,
  Text,
  Uuid,
  type Permission,
} from '@tollbridge/bus';

export const keyKinds = ['publishable', 'secret'] as const;
export const keyPlans = ['free', 'pro', 'enterprise'] as const;
export type KeyPlan = (typeof keyPlans)[number];

/** Why a key is refused, `details.reason` of a 401, and what the caller is told. */
export const keyRefusalSentences = {
  missing: 'This call needs an API key: send it as Authorization: Bearer or as X-API-Key.',
  malformed: 'What was presented is no API key; check that it is whole, and that only one is sent.',
  unknown: 'There is no such API key.',
  disabled: 'This API key is disabled; enable it, or use another.',
  deleted: 'This API key was deleted; use another.',
  foreign_environment: 'This API key belongs to another environment.',
  session_unknown: 'There is no such session; sign in again.',
  session_expired: 'This session has expired; sign in again.',
  session_revoked: 'This session was revoked; sign in again.',
  wallet_missing: 'This call needs the header x-wallet with the address of your wallet.',
  wallet_malformed:
    'The header x-wallet must hold one address of a supported chain, whole and with its checksum.',
  wallet_mismatch: 'The header x-wallet names another wallet than what was presented beside it.',
  wallet_unproven:
    'The wallet in x-wallet must be proven: sign in by POST /api/auth/challenge and /api/auth/verify.',
} as const;
export type KeyRefusal = keyof typeof keyRefusalSentences;

export class AuthenticateRequest {
  @Text({
    description: 'SHA-256 of what the caller presented, which itself never leaves the gateway',
    pattern: /^[0-9a-f]{64}$/,
    patternMessage: 'must be 64 hexadecimal digits in lower case',
    example: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  })
  digest: string;
  @OneOf(keyKinds, { description: 'What it says it is', example: 'secret' })
  kind: (typeof keyKinds)[number];
}

export class KeyRate {
  @Integer({ description: 'Requests a minute in the long run', min: 1, example: 1000 })
  perMinute: number;
  @Integer({ description: 'Requests in any 60 seconds', min: 1, example: 2000 })
  burst: number;
}

export class AuthenticateReply {
  @Uuid({ description: 'The key', example: '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d' })
  keyId: string;
  @Text({
    description: 'The wallet that it belongs to',
    example: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  })
  owner: string;
  @ListOf('string', {
    description: 'What it may do',
    maxItems: permissions.length,
    example: ['read', 'pay'],
  })
  permissions: Permission[];
  @OneOf(keyPlans, { description: 'Its plan', example: 'pro' })
  plan: KeyPlan;
  @Nested(() => KeyRate, { description: 'What the plan allows; null is no limit', nullable: true })
  rate: KeyRate | null;
}

/** API keys, as the other services ask about them. */
export const internalKeysApi = internalFeature('merchant', 'keys', {
  authenticate: internalOperation({
    summary: 'Tell whose key was presented, or why it is not taken (`details.reason`)',
    input: AuthenticateRequest,
    output: AuthenticateReply,
    errors: ['UNAUTHORIZED'],
    // A request waits for it; the look-up takes a millisecond.
    timeoutMs: 2_000,
  }),
});
