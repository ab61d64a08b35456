import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { keccak_256 } from '@noble/hashes/sha3';
import { isObject, readPaymentJson } from '@tollbridge/nanopay-protocol';
import type { Headers } from '../answers';
import type { OfficialRequirements } from '../x402/official-types';
import type { Settled } from './facilitator-client';
import type { Stablecoin } from './known-assets';
import type { OfferedPayment, Rejected } from './offered-payment';
import { readSignedPayment } from './signed-payment';

export interface MppOptions {
  /** Authenticates challenges: at least 32 characters, and the same in all processes of a seller. */
  secret: string;
  /** By default the host of the base URL. */
  realm?: string;
}

/** What a challenge is made for. */
export interface ChallengedRequest {
  method: string;
  url: string;
  offers: readonly OfficialRequirements[];
  assetOf: (offer: OfficialRequirements) => Stablecoin | undefined;
}

/** A payment by a credential. It is late when its challenge has expired. */
export type MppPayment = OfferedPayment & { isLate: boolean };

/** The fields of a challenge that its id authenticates, as they are sent. */
interface Challenge {
  realm: string;
  method: string;
  intent: string;
  request: string;
  expires: string;
  opaque: string;
}

const scheme = /^payment +([A-Za-z0-9_-]+={0,2})$/i;
const maxChars = 11_000;
const minSecretChars = 32;
const evm = { method: 'evm', intent: 'charge' };

/** Whether a header `Authorization` carries a payment. */
export const isPaymentAuthorization = (authorization: string | undefined): authorization is string =>
  authorization !== undefined && /^payment /i.test(authorization);

/**
 * The HTTP authentication scheme `Payment` (draft-httpauth-payment) with the method `evm` and the intent `charge`: an
 * EIP-3009 authorization with the hash of the challenge as its nonce. Every challenge is for one request.
 */
export class MppChallenges {
  private readonly realm: string;
  private readonly secret: string;

  constructor({ secret, realm }: MppOptions, baseUrl: string) {
    if (secret.length < minSecretChars)
      throw new TypeError(`The secret of challenges has at least ${minSecretChars} characters.`);
    this.secret = secret;
    this.realm = realm ?? new URL(baseUrl).host;
    if (!/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/.test(this.realm))
      throw new TypeError('The realm is no quoted text.');
  }

  /** The value of `WWW-Authenticate`; undefined where no offer can be paid in this way. */
  headerFor({ method, url, offers, assetOf }: ChallengedRequest, nowMs: number): string | undefined {
    const challenges = offers.filter(isAuthorization).map((offer) => {
      const expires = new Date(nowMs + offer.maxTimeoutSeconds * 1_000).toISOString();
      const salt = randomBytes(16).toString('base64url');
      const opaque = encoded({ method, salt, url });
      const request = encoded(requestOf(offer, assetOf(offer)));
      const fields = { realm: this.realm, ...evm, request, expires, opaque };
      return `Payment ${parametersOf({ id: this.idOf(fields), ...fields })}`;
    });
    return challenges.length > 0 ? challenges.join(', ') : undefined;
  }

  /** The payment in a header `Authorization`. */
  read(
    authorization: string,
    request: ChallengedRequest,
    nowMs: number,
  ): MppPayment | Rejected | 'malformed' {
    const token = authorization.length <= maxChars ? scheme.exec(authorization)?.[1] : undefined;
    const credential = token === undefined ? undefined : readPaymentJson(token.replace(/=+$/, ''));
    const challenge = credential && readChallenge(credential.challenge);
    if (!challenge || !isObject(credential.payload)) return 'malformed';
    if (!this.isOurs(challenge)) return rejected('invalid_challenge', 'The challenge is not of this server.');
    const { method, url } = decoded(challenge.opaque);
    if (method !== request.method || url !== request.url)
      return rejected('invalid_challenge', 'The challenge is for another request.');
    const offer = request.offers
      .filter(isAuthorization)
      .find((one) => encoded(requestOf(one, request.assetOf(one))) === challenge.request);
    if (!offer) return rejected('invalid_challenge', 'The price has changed. Pay the new challenge.');
    return offered(offer, challenge, credential.payload, Date.parse(challenge.expires) <= nowMs);
  }

  /** As the draft recommends: all fields in fixed positions. The empty one is the digest of a body. */
  private idOf({ realm, method, intent, request, expires, opaque }: Challenge): string {
    const bound = [realm, method, intent, request, expires, '', opaque].join('|');
    return createHmac('sha256', this.secret).update(bound).digest('base64url');
  }

  private isOurs(challenge: Challenge & { id: string }): boolean {
    const [given, ours] = [Buffer.from(challenge.id), Buffer.from(this.idOf(challenge))];
    return given.length === ours.length && timingSafeEqual(given, ours);
  }
}

export const receiptHeader = ({ transaction }: Settled, nowMs: number): Headers => ({
  'Payment-Receipt': encoded({
    method: evm.method,
    reference: transaction,
    status: 'success',
    timestamp: new Date(nowMs).toISOString(),
  }),
});

function offered(
  offer: OfficialRequirements,
  { id, realm }: { id: string; realm: string },
  payload: Record<string, unknown>,
  isLate: boolean,
): MppPayment | Rejected {
  const { from, to, value, validAfter, validBefore, nonce, signature, type } = payload;
  const hash = `0x${Buffer.from(keccak_256(Buffer.from(id + realm, 'utf8'))).toString('hex')}`;
  if (type !== 'authorization' || String(nonce).toLowerCase() !== hash)
    return rejected('verification_failed', 'The authorization is for another challenge.');
  const paid = { signature, authorization: { from, to, value, validAfter, validBefore, nonce } };
  const signed = readSignedPayment(offer, paid);
  if (typeof signed === 'string')
    return rejected('verification_failed', `${signed} is malformed, or differs from the price.`);
  return { offer, payload: paid, extensions: undefined, signed, isLate };
}

const rejected = (reason: string, message: string): Rejected => ({ reason, message });

const isAuthorization = ({ scheme: of, network, extra }: OfficialRequirements): boolean =>
  of === 'exact' && network.startsWith('eip155:') && extra.assetTransferMethod === undefined;

/** Keys are in the order of RFC 8785, in which clients write it again. */
const requestOf = (
  { amount, asset, network, payTo }: OfficialRequirements,
  token: Stablecoin | undefined,
) => ({
  amount,
  currency: asset,
  methodDetails: {
    chainId: Number(network.slice('eip155:'.length)),
    credentialTypes: ['authorization'],
    ...(token ? { decimals: token.decimals } : {}),
  },
  recipient: payTo,
});

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const decoded = (text: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(text, 'base64url').toString()) as Record<string, unknown>;

const parametersOf = (parameters: object): string =>
  Object.entries(parameters)
    .map(([name, value]) => `${name}="${String(value)}"`)
    .join(', ');

function readChallenge(value: unknown): (Challenge & { id: string }) | undefined {
  if (!isObject(value)) return undefined;
  const { id, realm, method, intent, request, expires, opaque } = value;
  const read = { id, realm, method, intent, request, expires, opaque };
  const isComplete = Object.values(read).every((field) => typeof field === 'string');
  return isComplete && value.digest === undefined ? (read as Challenge & { id: string }) : undefined;
}
