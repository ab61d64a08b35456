import { feature, internalFeature, internalOperation, operation } from '@tollbridge/rpc';
import { Flag, Integer, ListOf, Nested, OneOf, Secret, Text, Timestamp, Uuid } from '../decorators';
import { idExample } from '../shared-fields';
import { walletExample } from '../pay-orders/fields';

export const signInSchemes = ['eip4361', 'ton_proof', 'solana'] as const;

/** Messages of rejected proofs by reason, which is `details.reason` of the 401. */
export const proofRejectionMessages = {
  nonce_unknown: 'This nonce was not issued for this wallet. Request a challenge first.',
  nonce_used: 'This nonce was already used. Request a new challenge.',
  challenge_expired: 'This challenge has expired. Request a new one.',
  challenge_not_yet_valid: 'This challenge is not valid yet. Request a new one.',
  wrong_domain:
    'The signed domain differs from the domain of the challenge. Sign on the page that requested it.',
  wrong_wallet: 'The signed message names another wallet, or another spelling of the address.',
  wrong_uri: 'The signed message names a URI other than the one in the challenge.',
  wrong_chain: 'The signed message names a chain other than the one in the challenge.',
  wrong_nonce: 'The signed message contains a nonce other than the one in the challenge.',
  message_changed: 'The signed message is not byte-for-byte the message of the challenge.',
  wrong_time: 'The time of the proof is more than five minutes off. Set the clock of the wallet.',
  wrong_state_init: 'The state-init does not belong to this address.',
  unknown_wallet_contract: 'This TON wallet version is not supported. Use v3r1, v3r2, v4r1, v4r2 or v5r1.',
  wrong_signature: 'The signature was not made by this wallet.',
  chain_without_node:
    'The signature was not made by a key of this wallet, and this deployment cannot verify contract wallets on this chain.',
  other_chain: 'This contract wallet signed in on another chain before. Sign in on that chain.',
} as const;

const wallet = { description: 'Wallet address: EVM, Solana or TON', maxLength: 128, example: walletExample };
const canonicalWallet = { ...wallet, description: 'Wallet address in canonical form' };
const nonce = {
  description: 'Valid for one sign-in of this wallet within five minutes',
  pattern: /^[0-9a-f]{64}$/,
  patternMessage: 'must be the nonce of a challenge: 64 hexadecimal digits in lower case',
  example: '6a12c4500000210539e1f0a7c2d4b8866c0f7d1be4a95f20a3c8d7e6b5f40912',
};
const chainId = { min: 1, max: 4_294_967_295, example: 8453 };
const scheme = { description: 'Method of the wallet proof', example: 'eip4361' };
const expiresAt = { description: 'Expiry time', example: '2026-11-27T12:00:00.000Z' };
const signedText = { optional: true, isMultiline: true, maxLength: 2_048 };
const signature = {
  description:
    'EVM: hexadecimal, including contract wallets (ERC-1271, ERC-6492). Solana: base58 of 64 bytes',
  isSecret: true,
  optional: true,
  // 8 KiB are enough for a dozen owners, or the deployment of a passkey wallet.
  maxLength: 16_386,
  example: `0x${'a1'.repeat(64)}1b`,
};
/** Common fields of challenges and proofs. */
export const proofFields = { address: wallet, nonce, chainId, scheme, signedText, signature };
const sessionId = { description: 'Id of the session', example: idExample };

/** Text of a challenge (EIP-4361) for examples. */
export const challengeExample = (
  address: string,
  statement: string,
): string => `shop.example wants you to sign in with your Ethereum account:
${address}

${statement}

URI: https://shop.example
Version: 1
Chain ID: 8453
Nonce: ${nonce.example}
Issued At: 2026-11-20T12:00:00.000Z
Expiration Time: 2026-11-20T12:05:00.000Z`;

const messageExample = challengeExample(
  '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  'Sign in to Tollbridge. This costs nothing and moves no money.',
);

export class ChallengeRequest {
  @Text(wallet) wallet: string;
  @Integer('EVM only: the chain that verifies a contract wallet; 1 if absent', { ...chainId, optional: true })
  chainId?: number;
}

export class ChallengeReply {
  @Text(canonicalWallet) wallet: string;
  @OneOf(signInSchemes, scheme) scheme: (typeof signInSchemes)[number];
  @Text(nonce) nonce: string;
  @Text('EVM and Solana: the text to sign unchanged, with `personal_sign` or `signMessage`', {
    ...signedText,
    example: messageExample,
  })
  message?: string;
  @Text('TON: the payload of `ton_proof`', { ...nonce, optional: true }) payload?: string;
  @Text('The signed domain', { example: 'shop.example' }) domain: string;
  @Integer('EVM: the chain', { ...chainId, optional: true }) chainId?: number;
  @Timestamp('Issue time') issuedAt: string;
  @Timestamp({ ...expiresAt, example: '2026-11-20T12:05:00.000Z' }) expiresAt: string;
}

export class ProofDomain {
  @Integer('Length in UTF-8 bytes', { min: 0, max: 1_024, example: 12 }) lengthBytes: number;
  @Text('The domain that the wallet showed', { example: 'shop.example' }) value: string;
}

export class TonProofRequest {
  @Integer('Unix seconds', { min: 0, max: 4_294_967_295, example: 1795176000 }) timestamp: number;
  @Nested(() => ProofDomain, 'Domain and its length') domain: ProofDomain;
  @Text('Payload of the challenge', { example: nonce.example }) payload: string;
  @Secret('Base64 of 64 bytes', {
    pattern: /^[A-Za-z0-9+/]{86}==$/,
    patternMessage: 'must be base64 of 64 bytes',
    example: `${'A'.repeat(86)}==`,
  })
  signature: string;
  @Text("Base64 of the account's state-init: `walletStateInit` of TON Connect", {
    maxLength: 8_192,
    pattern: /^[A-Za-z0-9+/]+={0,2}$/,
    patternMessage: 'must be base64',
    example: 'te6cckEBAwEAWQACATQCAQBdAAAAAH////6AAAAAAABiiaflnMPOFnwP/uGjmp6BjnjCKcCYfuoTRAqQRF+03SA=',
  })
  stateInit: string;
}

export class VerifyRequest {
  static readonly example = {
    wallet: wallet.example,
    nonce: nonce.example,
    message: messageExample,
    signature: `0x${'a1'.repeat(64)}1b`,
  };
  @Text(wallet) wallet: string;
  @Text(nonce) nonce: string;
  @Text('EVM and Solana: the message of the challenge, unchanged', { ...signedText, example: messageExample })
  message?: string;
  @Text(signature) signature?: string;
  @Nested(() => TonProofRequest, 'TON: `ton_proof` as TON Connect returns it', { optional: true })
  proof?: TonProofRequest;
}

export class VerifyReply {
  @Secret('Session token, shown only once. Send it as `Authorization: Bearer` together with `x-wallet`', {
    example: 'tb_test_ws_REPLACE_ME',
  })
  token: string;
  @Text(canonicalWallet) wallet: string;
  @Uuid('Id of the session, for revoking it', sessionId) sessionId: string;
  @Timestamp(expiresAt) expiresAt: string;
}

export class SessionsRequest {}

export class Session {
  @Uuid(sessionId) id: string;
  @OneOf(signInSchemes, scheme) scheme: (typeof signInSchemes)[number];
  @Integer('EVM: the chain of the challenge', { ...chainId, nullable: true }) chainId: number | null;
  @Timestamp('Sign-in time') createdAt: string;
  @Timestamp(expiresAt) expiresAt: string;
}

export class SessionsReply {
  @ListOf(() => Session, 'Active sessions, newest first', { maxItems: 100 }) sessions: Session[];
}

export class RevokeSessionRequest {
  @Uuid(sessionId) id: string;
}

export class SessionRevokedReply {
  @Flag('Always true') ok: boolean;
}

export const authApi = feature('merchant', 'auth', 'Sign-in', {
  createChallenge: operation('POST /api/auth/challenge', {
    operationId: 'createSignInChallenge',
    summary: 'Create a sign-in challenge for a wallet',
    description:
      'The wallet may be any spelling of its address. Nothing is stored until the challenge is signed. In the sandbox, signing in is possible but not required.',
    input: ChallengeRequest,
    output: ChallengeReply,
    auth: 'public',
  }),
  verifyChallenge: operation('POST /api/auth/verify', {
    operationId: 'signIn',
    summary: 'Sign in: verify a wallet proof and create a session token',
    description:
      'Each nonce creates one session. A rejected proof returns `401` with `details.reason`; the nonce stays valid until it is used or expires. After 60 rejected proofs within a minute from one address, the gateway returns `429`.',
    input: VerifyRequest,
    output: VerifyReply,
    errors: ['UNAUTHORIZED', 'UPSTREAM_UNAVAILABLE'],
    auth: 'public',
    isSignIn: true,
    // The verification of a contract wallet calls its chain, which may take some seconds.
    timeoutMs: 15_000,
  }),
  listSessions: operation('GET /api/auth/sessions', {
    summary: 'List the sessions of a wallet, without their tokens',
    input: SessionsRequest,
    output: SessionsReply,
    auth: { wallet: true },
  }),
  revokeSession: operation('DELETE /api/auth/sessions/{id}', {
    summary: 'Revoke a session; all gateways reject its token within one second',
    input: RevokeSessionRequest,
    output: SessionRevokedReply,
    errors: ['NOT_FOUND'],
    auth: { wallet: true },
  }),
  revokeSessions: operation('DELETE /api/auth/sessions', {
    operationId: 'revokeAllSessions',
    summary: 'Revoke all sessions of the wallet, including the current one',
    input: SessionsRequest,
    output: SessionRevokedReply,
    auth: { wallet: true },
  }),
});

export class AuthenticateSessionRequest {
  @Text('SHA-256 of the token. The token itself never leaves the gateway', {
    pattern: /^[0-9a-f]{64}$/,
    patternMessage: 'must be 64 hexadecimal digits in lower case',
    example: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  })
  digest: string;
}

export class AuthenticateSessionReply {
  @Uuid(sessionId) sessionId: string;
  @Text(canonicalWallet) wallet: string;
}

/** Session operations for the gateway. */
export const internalSessionsApi = internalFeature('merchant', 'sessions', {
  authenticate: internalOperation({
    isRead: true,
    summary: 'Authenticate a session token: returns its wallet, or why it is rejected (`details.reason`)',
    input: AuthenticateSessionRequest,
    output: AuthenticateSessionReply,
    errors: ['UNAUTHORIZED'],
    timeoutMs: 2_000,
  }),
});
