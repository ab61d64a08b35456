import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import {
  authorizedTransfer,
  challengeHeader,
  challengeText,
  chargeRequest,
  credentialErrors,
  decodedField,
  encodedField,
  evmChargeMethod,
  isRealm,
  paymentReceipt,
  readPaymentCredential,
  type ChallengeFields,
  type PaymentChallenge,
  type PaymentCredential,
} from '@tollbridge/nanopay-protocol';
import type { Headers } from '../answers';
import type { OfficialRequirements } from '../x402/official-types';
import type { Settled } from './facilitator-client';
import type { Stablecoin } from './known-assets';
import type { OfferedPayment, Rejected } from './offered-payment';
import { readSignedPayment } from './signed-payment';

export interface MppOptions {
  /** Authenticates challenges. At least 32 characters, and the same in all processes of a seller. */
  secret: string;
  /** The host of the base URL by default. */
  realm?: string;
}

/** The request of a challenge, with its offers. */
export interface ChallengedRequest {
  method: string;
  url: string;
  offers: readonly OfficialRequirements[];
  assetOf: (offer: OfficialRequirements) => Stablecoin | undefined;
}

/** A payment by a credential. `isLate` is true if its challenge has expired. */
export type MppPayment = OfferedPayment & { isLate: boolean };

const minSecretChars = 32;

/**
 * The HTTP authentication scheme `Payment` (draft-httpauth-payment) with the method `evm` and the intent `charge`. The
 * credential is an EIP-3009 authorization with the hash of the challenge as its nonce. A challenge is valid for one
 * request.
 */
export class MppChallenges {
  private readonly realm: string;
  private readonly secret: string;

  constructor({ secret, realm }: MppOptions, baseUrl: string) {
    if (secret.length < minSecretChars)
      throw new TypeError(`The secret of challenges must have at least ${minSecretChars} characters.`);
    this.secret = secret;
    this.realm = realm ?? new URL(baseUrl).host;
    if (!isRealm(this.realm)) throw new TypeError('Invalid realm: it cannot be written as a quoted string.');
  }

  /** Returns the value of `WWW-Authenticate`, or undefined if no offer supports this scheme. */
  headerFor({ method, url, offers, assetOf }: ChallengedRequest, nowMs: number): string | undefined {
    const challenges = offers.filter(isAuthorization).map((offer) => {
      const expires = new Date(nowMs + offer.maxTimeoutSeconds * 1_000).toISOString();
      const salt = randomBytes(16).toString('base64url');
      const opaque = encodedField({ method, salt, url });
      const request = requestOf(offer, assetOf(offer));
      const fields = { realm: this.realm, ...evmChargeMethod, request, expires, opaque };
      return challengeHeader({ id: this.idOf(fields), ...fields });
    });
    return challenges.length > 0 ? challenges.join(', ') : undefined;
  }

  /** Returns the payment in an `Authorization` header. */
  read(authorization: string, request: ChallengedRequest, nowMs: number): MppPayment | Rejected {
    const credential = readPaymentCredential(authorization);
    if (!credential) return rejected('malformed_credential', credentialErrors.malformed);
    const { challenge } = credential;
    if (!this.isOurs(challenge)) return rejected('invalid_challenge', credentialErrors.foreign);
    const { method, url } = decodedField(challenge.opaque) ?? {};
    if (method !== request.method || url !== request.url)
      return rejected('invalid_challenge', credentialErrors.otherRequest);
    const offer = request.offers
      .filter(isAuthorization)
      .find((one) => requestOf(one, request.assetOf(one)) === challenge.request);
    if (!offer) return rejected('invalid_challenge', 'The price has changed. Pay the new challenge.');
    return offered(offer, credential, Date.parse(challenge.expires) <= nowMs);
  }

  private idOf(fields: ChallengeFields): string {
    return createHmac('sha256', this.secret).update(challengeText(fields)).digest('base64url');
  }

  private isOurs(challenge: PaymentChallenge): boolean {
    const [given, ours] = [Buffer.from(challenge.id), Buffer.from(this.idOf(challenge))];
    return given.length === ours.length && timingSafeEqual(given, ours);
  }
}

export const receiptHeader = ({ transaction }: Settled, nowMs: number): Headers => ({
  'Payment-Receipt': paymentReceipt(transaction, nowMs),
});

function offered(
  offer: OfficialRequirements,
  credential: PaymentCredential,
  isLate: boolean,
): MppPayment | Rejected {
  const paid = authorizedTransfer(credential);
  if (!paid) return rejected('verification_failed', credentialErrors.otherChallenge);
  const signed = readSignedPayment(offer, paid);
  if (typeof signed === 'string')
    return rejected('verification_failed', `${signed} is malformed, or differs from the price.`);
  return { offer, payload: paid, extensions: undefined, signed, isLate };
}

const rejected = (reason: string, message: string): Rejected => ({ reason, message });

const isAuthorization = ({ scheme, network, extra }: OfficialRequirements): boolean =>
  scheme === 'exact' && network.startsWith('eip155:') && extra.assetTransferMethod === undefined;

const requestOf = (offer: OfficialRequirements, token: Stablecoin | undefined): string =>
  chargeRequest({ ...offer, decimals: token?.decimals });
