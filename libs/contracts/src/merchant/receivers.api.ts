import { feature, listOf, merchantAuth, operation } from '@tollbridge/rpc';
import { Flag, Integer, Nested, OneOf, Text, Timestamp } from '../decorators';
import { challengeExample, proofFields, signInSchemes, TonProofRequest } from './auth.api';

const addressExample = '0x90F79bf6EB2c4f870365E785982E1f101E93b906';
const address = {
  ...proofFields.address,
  description: 'Receiving address: EVM, Solana or TON',
  example: addressExample,
};
const canonicalAddress = { ...address, description: 'Receiving address in canonical form' };
const merchantWallet = { ...proofFields.address, description: 'Wallet of the merchant' };
const nonce = {
  ...proofFields.nonce,
  description: 'Valid for one proof of this address within five minutes',
};

export const receiverStatement = (wallet: string): string =>
  `Prove that this address receives payments of the Tollbridge merchant ${wallet}. This costs nothing and moves no money.`;

const messageExample = challengeExample(addressExample, receiverStatement(merchantWallet.example));

export class ReceiverChallengeRequest {
  @Text(address) address: string;
  @Integer('EVM only: the chain that verifies a contract; 1 if absent', {
    ...proofFields.chainId,
    optional: true,
  })
  chainId?: number;
}

export class ReceiverChallengeReply {
  @Text(canonicalAddress) address: string;
  @Text(merchantWallet) wallet: string;
  @OneOf(signInSchemes, 'Method of the proof', proofFields.scheme)
  scheme: (typeof signInSchemes)[number];
  @Text(nonce) nonce: string;
  @Text(
    'EVM and Solana: the text to sign with the receiving address, unchanged, by `personal_sign` or `signMessage`',
    { ...proofFields.signedText, example: messageExample },
  )
  message?: string;
  @Text('TON: the payload of `ton_proof`', { ...nonce, optional: true }) payload?: string;
  @Text('The signed domain', { example: 'shop.example' }) domain: string;
  @Integer('EVM: the chain', { ...proofFields.chainId, optional: true }) chainId?: number;
  @Timestamp('Issue time') issuedAt: string;
  @Timestamp('Expiry time', { example: '2026-11-20T12:05:00.000Z' }) expiresAt: string;
}

export class VerifyReceiverRequest {
  static readonly example = {
    address: addressExample,
    nonce: nonce.example,
    message: messageExample,
    signature: `0x${'a1'.repeat(64)}1b`,
  };
  @Text(address) address: string;
  @Text(nonce) nonce: string;
  @Text('EVM and Solana: the message of the challenge, unchanged', {
    ...proofFields.signedText,
    example: messageExample,
  })
  message?: string;
  @Text(proofFields.signature) signature?: string;
  @Nested(() => TonProofRequest, 'TON: `ton_proof` as TON Connect returns it', { optional: true })
  proof?: TonProofRequest;
}

export class Receiver {
  @Text(canonicalAddress) address: string;
  @OneOf(signInSchemes, 'Method of the proof', proofFields.scheme)
  scheme: (typeof signInSchemes)[number];
  @Integer(
    'The only chain that the proof is valid on, because a contract signed there. Null: the proof is valid on all chains of the family',
    { ...proofFields.chainId, nullable: true, example: null },
  )
  chainId: number | null;
  @Timestamp('Time of the proof', { example: '2026-11-20T12:01:00.000Z' }) verifiedAt: string;
}

export class ReceiversQuery {}

export class ReceiverRequest {
  @Text(address) address: string;
}

export class ReceiverDeleted {
  @Flag('Always true: the proof is deleted') ok: boolean;
}

// Requires `settings` like the settings API: a stolen till key must not change receiving addresses of the merchant.
const changes = merchantAuth('settings');

/** Proofs that the merchant receives payments at an address other than the merchant's wallet. */
export const receiversApi = feature('merchant', 'receivers', 'Receiving addresses', {
  createReceiverChallenge: operation('POST /api/receivers/challenge', {
    summary: 'Create a challenge for a receiving address',
    description:
      "Sign the text with the receiving address, then send the signature to `POST /api/receivers/verify`. The wallet's own address needs no proof. Nothing is stored until the proof is verified.",
    input: ReceiverChallengeRequest,
    output: ReceiverChallengeReply,
    auth: changes,
  }),
  verifyReceiver: operation('POST /api/receivers/verify', {
    summary: 'Prove a receiving address',
    description:
      'All PayLinks of the wallet to this address become `receiver_verified`. EVM keys and contracts (ERC-1271, ERC-6492), TON and Solana can sign. Several wallets can prove one address; each needs its own proof. A rejected proof is 400 with `details.reason`; the nonce stays valid until it is used or expires. A wallet has at most 100 proven addresses (409).',
    input: VerifyReceiverRequest,
    output: Receiver,
    errors: ['INVALID_SIGNATURE', 'CONFLICT', 'UPSTREAM_UNAVAILABLE'],
    auth: changes,
    // The verification of a contract calls its chain, which may take some seconds.
    timeoutMs: 15_000,
  }),
  listReceivers: operation('GET /api/receivers', {
    summary: 'List the proven receiving addresses of a wallet',
    description: 'Newest first, without pages: a wallet has at most 100. Its own address needs no proof.',
    input: ReceiversQuery,
    output: listOf(Receiver),
    auth: merchantAuth('read'),
  }),
  deleteReceiver: operation('DELETE /api/receivers/{address}', {
    summary: 'Delete the proof of a receiving address',
    description:
      'PayLinks to the address remain but are no longer `receiver_verified`. Counted payments stay counted.',
    input: ReceiverRequest,
    output: ReceiverDeleted,
    errors: ['NOT_FOUND'],
    auth: changes,
  }),
});
