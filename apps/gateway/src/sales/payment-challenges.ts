// Supports the HTTP authentication scheme `Payment` as another form of `exact` payments with EIP-3009.
import {
  authorizedTransfer,
  challengeHeader,
  challengeText,
  chargeRequest,
  credentialErrors,
  decodedField,
  encodedField,
  evmChargeMethod,
  readPaymentCredential,
  type ChallengeFields,
} from '@tollbridge/nanopay-protocol';
import { createHash } from 'node:crypto';

type Json = Record<string, unknown>;

/** A request to a sold operation. */
export interface ChallengedRequest {
  method: string;
  url: string;
}

/** The reason to reject a credential. Its client gets new challenges. */
export interface CredentialProblem {
  reason: string;
  message: string;
}

interface Charged {
  amount: string;
  currency: string;
  recipient: string;
  chainId: number;
  offer: string;
}

// The 402 contains the offers in another header too, and clients read at most 16 KiB of headers.
const maxChallenges = 4;

/**
 * Writes and reads challenges without a secret or a store. The selling service signs the offer in a challenge, and
 * compares it with the body, the price and the receiver. The id of a challenge is a hash of all its fields, and the
 * payer signs it as the nonce.
 */
export class PaymentChallenges {
  private readonly realm: string;

  constructor(publicUrl: string) {
    this.realm = new URL(publicUrl).host;
  }

  /** A challenge for each `exact` offer on an EVM chain; undefined without such an offer. */
  headerFor(
    accepts: readonly Json[],
    { method, url }: ChallengedRequest,
    nowMs = Date.now(),
  ): string | undefined {
    const challenges = accepts.filter(isAuthorization).slice(0, maxChallenges);
    if (challenges.length === 0) return undefined;
    return challenges
      .map(({ amount, asset, network, payTo, maxTimeoutSeconds, extra }) => {
        const fields = {
          realm: this.realm,
          ...evmChargeMethod,
          request: chargeRequest({ amount, asset, network, payTo }),
          expires: new Date(nowMs + maxTimeoutSeconds * 1_000).toISOString(),
          opaque: encodedField({ method, offer: extra.offer, url }),
        };
        return challengeHeader({ id: idOf(fields), ...fields });
      })
      .join(', ');
  }

  /** The x402 payment that is equivalent to a header `Authorization`. */
  read(authorization: string, { method, url }: ChallengedRequest): Json | CredentialProblem {
    const credential = readPaymentCredential(authorization);
    if (!credential) return problem('malformed_credential', credentialErrors.malformed);
    const { challenge } = credential;
    const charged = readCharged(challenge);
    if (!charged || challenge.id !== idOf(challenge) || challenge.realm !== this.realm)
      return problem('invalid_challenge', credentialErrors.foreign);
    const about = decodedField(challenge.opaque)!;
    if (about.method !== method || about.url !== url)
      return problem('invalid_challenge', credentialErrors.otherRequest);
    const payload = authorizedTransfer(credential);
    if (!payload) return problem('verification_failed', credentialErrors.otherChallenge);
    const { amount, currency: asset, recipient: payTo, chainId, offer } = charged;
    const accepted = {
      scheme: 'exact',
      network: `eip155:${chainId}`,
      asset,
      payTo,
      amount,
      extra: { offer },
    };
    return { x402Version: 2, accepted, payload };
  }
}

export const isProblem = (read: Json | CredentialProblem): read is CredentialProblem => 'reason' in read;

const problem = (reason: string, message: string): CredentialProblem => ({ reason, message });

const idOf = (fields: ChallengeFields): string =>
  createHash('sha256').update(challengeText(fields)).digest('base64url');

interface Authorizable {
  amount: string;
  asset: string;
  network: string;
  payTo: string;
  maxTimeoutSeconds: number;
  extra: Json;
}

/** Permit2 and other chains have no nonce of 32 bytes that could contain the challenge. */
const isAuthorization = (offer: Json): offer is Json & Authorizable =>
  offer.scheme === 'exact' &&
  String(offer.network).startsWith('eip155:') &&
  (offer.extra as Json).assetTransferMethod === undefined;

function readCharged({ method, intent, request, opaque }: ChallengeFields): Charged | undefined {
  const { amount, currency, recipient, methodDetails } = decodedField(request) ?? {};
  const { offer } = decodedField(opaque) ?? {};
  const { chainId } = (methodDetails ?? {}) as Json;
  const isText = [amount, currency, recipient, offer].every((field) => typeof field === 'string');
  const isCharge = method === evmChargeMethod.method && intent === evmChargeMethod.intent;
  return isCharge && isText && Number.isSafeInteger(chainId)
    ? ({ amount, currency, recipient, chainId, offer } as Charged)
    : undefined;
}
