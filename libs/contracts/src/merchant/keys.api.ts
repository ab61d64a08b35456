import { internalFeature, internalOperation, permissions, type Permission } from '@tollbridge/rpc';
import { Integer, ListOf, Nested, OneOf, Text, Uuid } from '../decorators';
import { idExample } from '../shared-fields';
import { walletExample } from '../pay-orders/fields';

export const keyKinds = ['publishable', 'secret'] as const;
export const keyPlans = ['free', 'pro', 'enterprise'] as const;
export type KeyPlan = (typeof keyPlans)[number];

/** Messages of rejected keys by reason, which is `details.reason` of the 401. */
export const keyRejectionMessages = {
  missing: 'This operation needs an API key. Send it as Authorization: Bearer or as X-API-Key.',
  malformed:
    'The value sent is not an API key: its format or checksum is wrong. Send the whole key or secret, once.',
  unknown: 'The API key is unknown. Check that the value is current, or create a new key.',
  disabled: 'This API key is disabled. Enable it, or use another key.',
  deleted: 'This API key was deleted. Use another key.',
  foreign_environment:
    'This API key belongs to another environment. Use a key of this one: tb_test_ outside production, tb_live_ in production.',
  session_unknown:
    'The session token is unknown. Sign in again with POST /api/auth/challenge and /api/auth/verify.',
  session_expired:
    'The session has expired. Sign in again with POST /api/auth/challenge and /api/auth/verify.',
  session_revoked:
    'The session was revoked. Sign in again with POST /api/auth/challenge and /api/auth/verify.',
  wallet_missing: 'The header x-wallet is missing. Send the address of your wallet in it.',
  wallet_malformed:
    'The header x-wallet is not an address of a supported chain, or its checksum is wrong. Send one whole address.',
  wallet_mismatch:
    'The wallet in x-wallet does not own the API key or session sent with it. Send the wallet that owns it, or leave x-wallet out.',
  wallet_unproven:
    'The wallet in x-wallet is not authenticated. Sign in with POST /api/auth/challenge and /api/auth/verify, and send the session token.',
} as const;
export type KeyRejection = keyof typeof keyRejectionMessages;

export class AuthenticateRequest {
  @Text('SHA-256 of the presented credential. The credential itself never leaves the gateway', {
    pattern: /^[0-9a-f]{64}$/,
    patternMessage: 'must be 64 hexadecimal digits in lower case',
    example: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  })
  digest: string;
  @OneOf(keyKinds, 'Kind of credential, by its format', { example: 'secret' })
  kind: (typeof keyKinds)[number];
}

export class KeyRate {
  @Integer('Sustained rate, requests per minute', { min: 1, example: 1000 }) perMinute: number;
  @Integer('Largest number of requests in any 60 seconds', { min: 1, example: 2000 }) burst: number;
}

export class AuthenticateReply {
  @Uuid('Id of the API key', { example: idExample }) keyId: string;
  @Text('Wallet that owns the key', { example: walletExample }) owner: string;
  @ListOf('string', 'Permissions of the key', { maxItems: permissions.length, example: ['read', 'pay'] })
  permissions: Permission[];
  @OneOf(keyPlans, 'Plan of the key', { example: 'pro' }) plan: KeyPlan;
  @Nested(() => KeyRate, 'Rate limits of the plan; null means no limit', { nullable: true })
  rate: KeyRate | null;
}

/** API key operations for other services. */
export const internalKeysApi = internalFeature('merchant', 'keys', {
  authenticate: internalOperation({
    isRead: true,
    summary: 'Authenticate an API key: returns its owner, or why it is rejected (`details.reason`)',
    input: AuthenticateRequest,
    output: AuthenticateReply,
    errors: ['UNAUTHORIZED'],
    // A client request waits for this reply. The look-up takes a millisecond.
    timeoutMs: 2_000,
  }),
});
