import {
  feature,
  Flag,
  Integer,
  internalFeature,
  internalOperation,
  ListOf,
  Nested,
  OneOf,
  operation,
  Text,
  Timestamp,
  Uuid,
} from '@tollbridge/rpc';

export const signInSchemes = ['eip4361', 'ton_proof', 'solana'] as const;

/** Why a proof is refused, `details.reason` of a 401, and what the caller is told. */
export const proofRefusalSentences = {
  nonce_unknown: 'This nonce was not issued here for this wallet; ask for a challenge first.',
  nonce_used: 'This nonce has been used; ask for a new challenge.',
  challenge_expired: 'This challenge has expired; ask for a new one.',
  challenge_not_yet_valid: 'This challenge is not valid yet; ask for a new one.',
  wrong_domain: 'The domain that was signed is not that of the challenge; sign on the right page.',
  wrong_wallet: 'The message that was signed names another wallet, or another spelling of it.',
  wrong_uri: 'The message that was signed names another URI than the challenge.',
  wrong_chain: 'The message that was signed names another chain than the challenge.',
  wrong_nonce: 'What was signed holds another nonce than the challenge.',
  message_changed: 'The message that was signed is not the one of the challenge, to the byte.',
  wrong_time: 'The time of the proof is more than five minutes off; set the clock of the wallet.',
  wrong_state_init: 'The state-init is not that of this address.',
  unknown_wallet_contract: 'This TON wallet is none of v3r1, v3r2, v4r1, v4r2 and v5r1; use one of those.',
  wrong_signature: 'The signature is not one of this wallet.',
  chain_without_node:
    'The signature is not that of an ordinary wallet, and contract wallets cannot be asked on this chain here.',
  other_chain: 'This contract wallet has proven itself on another chain; sign in on that one.',
} as const;

const wallet = {
  description: 'The address of the wallet: EVM, Solana or TON',
  maxLength: 128,
  example: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
};
const canonicalWallet = { ...wallet, description: 'The wallet, in its canonical form' };
const nonce = {
  description: 'Good for one sign-in of this wallet within five minutes',
  pattern: /^[0-9a-f]{64}$/,
  patternMessage: 'must be the nonce of a challenge: 64 hexadecimal digits in lower case',
  example: '6a12c4500000210539e1f0a7c2d4b8866c0f7d1be4a95f20a3c8d7e6b5f40912',
};
const chainId = { min: 1, max: 4_294_967_295, example: 8453 };
const scheme = { description: 'How the wallet proves itself', example: 'eip4361' };
const expiresAt = { description: 'When it ends', example: '2026-11-27T12:00:00.000Z' };
const signedText = { optional: true, isMultiline: true, maxLength: 2_048 };
const signature = {
  description: 'EVM: hexadecimal, also of contract wallets (ERC-1271, ERC-6492). Solana: base58 of 64 bytes',
  optional: true,
  // 8 KiB: a dozen owners, or the deployment of a wallet with a passkey.
  maxLength: 16_386,
  example: `0x${'a1'.repeat(64)}1b`,
};
/** What challenges and their proofs have in common, whatever an address is proven for. */
export const proofFields = { address: wallet, nonce, chainId, scheme, signedText, signature };
const sessionId = {
  description: 'The session',
  example: '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d',
};

/** The text of a challenge (EIP-4361) as the examples show it. */
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
  @Text(wallet)
  wallet: string;
  @Integer({
    ...chainId,
    description: 'EVM only: the chain on which a contract wallet is asked; 1 if absent',
    optional: true,
  })
  chainId?: number;
}

export class ChallengeReply {
  @Text(canonicalWallet)
  wallet: string;
  @OneOf(signInSchemes, scheme)
  scheme: (typeof signInSchemes)[number];
  @Text(nonce)
  nonce: string;
  @Text({
    ...signedText,
    description: 'EVM and Solana: the text to be signed, as it is, with `personal_sign` or `signMessage`',
    example: messageExample,
  })
  message?: string;
  @Text({ ...nonce, description: 'TON: the payload of `ton_proof`', optional: true })
  payload?: string;
  @Text({ description: 'The domain that is signed', example: 'shop.example' })
  domain: string;
  @Integer({ ...chainId, description: 'EVM: the chain', optional: true })
  chainId?: number;
  @Timestamp({ description: 'When it was issued', example: '2026-11-20T12:00:00.000Z' })
  issuedAt: string;
  @Timestamp({ ...expiresAt, example: '2026-11-20T12:05:00.000Z' })
  expiresAt: string;
}

export class ProofDomain {
  @Integer({ description: 'Bytes of its UTF-8', min: 0, max: 1_024, example: 12 })
  lengthBytes: number;
  @Text({ description: 'The domain that the wallet has shown', example: 'shop.example' })
  value: string;
}

export class TonProofRequest {
  @Integer({ description: 'Unix seconds', min: 0, max: 4_294_967_295, example: 1795176000 })
  timestamp: number;
  @Nested(() => ProofDomain, { description: 'The domain' })
  domain: ProofDomain;
  @Text({ description: 'The payload of the challenge', example: nonce.example })
  payload: string;
  @Text({
    description: 'Base64 of 64 bytes',
    pattern: /^[A-Za-z0-9+/]{86}==$/,
    patternMessage: 'must be base64 of 64 bytes',
    example: `${'A'.repeat(86)}==`,
  })
  signature: string;
  @Text({
    description: 'Base64 of the state-init of the account: `walletStateInit` of TON Connect',
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
  @Text(wallet)
  wallet: string;
  @Text(nonce)
  nonce: string;
  @Text({
    ...signedText,
    description: 'EVM and Solana: the message of the challenge, unchanged',
    example: messageExample,
  })
  message?: string;
  @Text(signature)
  signature?: string;
  @Nested(() => TonProofRequest, { description: 'TON: `ton_proof` as TON Connect gives it', optional: true })
  proof?: TonProofRequest;
}

export class VerifyReply {
  @Text({
    description: 'Shown this once. Send it as `Authorization: Bearer`, beside `x-wallet`',
    example: 'tb_test_ws_REPLACE_ME',
  })
  token: string;
  @Text(canonicalWallet)
  wallet: string;
  @Uuid({ ...sessionId, description: 'The session, for revoking it' })
  sessionId: string;
  @Timestamp(expiresAt)
  expiresAt: string;
}

export class SessionsRequest {}

export class Session {
  @Uuid(sessionId)
  id: string;
  @OneOf(signInSchemes, scheme)
  scheme: (typeof signInSchemes)[number];
  @Integer({ ...chainId, description: 'EVM: the chain of the challenge', nullable: true })
  chainId: number | null;
  @Timestamp({ description: 'When the wallet signed in', example: '2026-11-20T12:00:00.000Z' })
  createdAt: string;
  @Timestamp(expiresAt)
  expiresAt: string;
}

export class SessionsReply {
  @ListOf(() => Session, { description: 'Sessions that are taken, newest first', maxItems: 100 })
  sessions: Session[];
}

export class RevokeSessionRequest {
  @Uuid(sessionId)
  id: string;
}

export class SessionRevokedReply {
  @Flag({ description: 'Always true', example: true })
  ok: boolean;
}

export const authApi = feature('merchant', 'auth', 'Sign-in', {
  createChallenge: operation({
    operationId: 'createSignInChallenge',
    method: 'POST',
    path: '/api/auth/challenge',
    summary: 'Ask for what a wallet has to sign',
    description:
      'The wallet is any spelling of its address. Nothing is stored until it is signed. In the sandbox signing in is possible and not needed.',
    input: ChallengeRequest,
    output: ChallengeReply,
    errors: [],
    auth: 'public',
  }),
  verifyChallenge: operation({
    operationId: 'signIn',
    method: 'POST',
    path: '/api/auth/verify',
    summary: 'Sign in: prove a wallet, and get a session token',
    description:
      'Each nonce makes one session. A refused proof is `401` with `details.reason`; the nonce stays good until it is used or expires. 60 refused proofs a minute of one address are followed by `429`.',
    input: VerifyRequest,
    output: VerifyReply,
    errors: ['UNAUTHORIZED', 'UPSTREAM_UNAVAILABLE'],
    auth: 'public',
    isSignIn: true,
    keepsSecret: true,
    // A contract wallet is asked on its chain, which may take some seconds.
    timeoutMs: 15_000,
  }),
  listSessions: operation({
    method: 'GET',
    path: '/api/auth/sessions',
    summary: 'List the sessions of a wallet, without their tokens',
    input: SessionsRequest,
    output: SessionsReply,
    errors: [],
    auth: { wallet: true },
  }),
  revokeSession: operation({
    method: 'DELETE',
    path: '/api/auth/sessions/{id}',
    summary: 'End a session; its token is refused within a second',
    input: RevokeSessionRequest,
    output: SessionRevokedReply,
    errors: ['NOT_FOUND'],
    auth: { wallet: true },
  }),
  revokeSessions: operation({
    operationId: 'revokeAllSessions',
    method: 'DELETE',
    path: '/api/auth/sessions',
    summary: 'End all sessions of the wallet, also the one that asks',
    input: SessionsRequest,
    output: SessionRevokedReply,
    errors: [],
    auth: { wallet: true },
  }),
});

export class AuthenticateSessionRequest {
  @Text({
    description: 'SHA-256 of the token, which itself never leaves the gateway',
    pattern: /^[0-9a-f]{64}$/,
    patternMessage: 'must be 64 hexadecimal digits in lower case',
    example: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  })
  digest: string;
}

export class AuthenticateSessionReply {
  @Uuid(sessionId)
  sessionId: string;
  @Text(canonicalWallet)
  wallet: string;
}

/** Sessions, as the gateway asks about them. */
export const internalSessionsApi = internalFeature('merchant', 'sessions', {
  authenticate: internalOperation({
    summary: 'Authenticate a session token: its wallet, or why it is rejected (`details.reason`)',
    input: AuthenticateSessionRequest,
    output: AuthenticateSessionReply,
    errors: ['UNAUTHORIZED'],
    timeoutMs: 2_000,
  }),
});
