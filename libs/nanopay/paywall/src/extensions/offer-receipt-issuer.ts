import { createPrivateKey, createPublicKey, sign, type KeyObject } from 'node:crypto';
import { base58 } from '@scure/base';

/** An entry of `accepts` to sign. */
export interface OfferInput {
  acceptIndex: number;
  scheme: string;
  network: string;
  asset: string;
  payTo: string;
  amount: string;
  offerValiditySeconds?: number;
}

/**
 * Signs offers and receipts. The issuers of `@x402/extensions/offer-receipt`, such as `createEIP712OfferReceiptIssuer`,
 * have this interface.
 */
export interface OfferReceiptIssuer {
  issueOffer(resourceUrl: string, offer: OfferInput): Promise<object>;
  issueReceipt(resourceUrl: string, payer: string, network: string, transaction?: string): Promise<object>;
}

export interface JwsIssuerOptions {
  /** An Ed25519 key: PEM, or the 32 bytes of its seed as hexadecimal digits. */
  key: string | KeyObject;
  /**
   * DID URL of the key, such as `did:web:api.example.com#key-1`. By default the key's `did:key`, which does not
   * identify the seller.
   */
  kid?: string;
}

/** Prefix of an Ed25519 key in PKCS #8. The seed follows (RFC 8410). */
const ed25519Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');
/** Multicodec prefix of an Ed25519 public key. */
const multicodec = Buffer.from('ed01', 'hex');
const version = 1;
const defaultValidityS = 300;

/**
 * Signs as JWS with `EdDSA`.
 * @throws TypeError for another kind of key
 */
export function jwsIssuer(options: JwsIssuerOptions): OfferReceiptIssuer {
  const key = keyOf(options.key);
  const header = base64url({ alg: 'EdDSA', kid: options.kid ?? didOf(key) });
  const jws = (payload: Record<string, unknown>) => {
    const signed = `${header}.${base64url(sorted(payload))}`;
    return `${signed}.${sign(null, Buffer.from(signed), key).toString('base64url')}`;
  };
  return {
    async issueOffer(resourceUrl, { acceptIndex, offerValiditySeconds = defaultValidityS, ...terms }) {
      const { scheme, network, asset, payTo, amount } = terms;
      const validUntil = nowS() + offerValiditySeconds;
      const payload = { version, resourceUrl, scheme, network, asset, payTo, amount, validUntil };
      return { format: 'jws', acceptIndex, signature: jws(payload) };
    },
    async issueReceipt(resourceUrl, payer, network, transaction) {
      const payload = { version, network, resourceUrl, payer, issuedAt: nowS() };
      return { format: 'jws', signature: jws({ ...payload, ...(transaction ? { transaction } : {}) }) };
    },
  };
}

function keyOf(given: string | KeyObject): KeyObject {
  const key = typeof given === 'string' ? read(given) : given;
  if (key.type !== 'private' || key.asymmetricKeyType !== 'ed25519')
    throw new TypeError('The key of offers and receipts is not an Ed25519 private key.');
  return key;
}

function read(text: string): KeyObject {
  if (!/^[0-9a-f]{64}$/i.test(text)) return createPrivateKey(text);
  const der = Buffer.concat([ed25519Prefix, Buffer.from(text, 'hex')]);
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
}

function didOf(key: KeyObject): string {
  const { x } = createPublicKey(key).export({ format: 'jwk' });
  const id = `z${base58.encode(Buffer.concat([multicodec, Buffer.from(x!, 'base64url')]))}`;
  return `did:key:${id}#${id}`;
}

/** Sorts the names as RFC 8785 requires, which suffices for flat objects of strings and integers. */
const sorted = (payload: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(payload).sort(([a], [b]) => (a < b ? -1 : 1)));

const base64url = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const nowS = (): number => Math.floor(Date.now() / 1_000);
