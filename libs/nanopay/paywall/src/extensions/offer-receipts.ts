import { LRUCache } from 'lru-cache';
import type { OfferInput, OfferReceiptIssuer } from './offer-receipt-issuer';

export interface OfferReceiptOptions {
  issuer: OfferReceiptIssuer;
  /**
   * Includes the transaction in receipts, so that it can be verified on the chain. The transaction reveals payer and
   * receiver. False by default.
   */
  includeTransaction?: boolean;
  /** Validity of offers in seconds. */
  offerValidityS?: number;
}

export const offerReceiptName = 'offer-receipt';

type Extension = Record<string, unknown>;

/** Clients return the offers in their payment, which must fit into a header. */
const maxOffersBytes = 4_096;
const maxUrls = 500;

const signedSchema = {
  type: 'object',
  properties: { format: { type: 'string' }, payload: { type: 'object' }, signature: { type: 'string' } },
  required: ['format', 'signature'],
};
const schemaOf = (name: string, value: object): Extension => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: { [name]: value },
  required: [name],
});
const offersSchema = schemaOf('offers', { type: 'array', items: signedSchema });
const receiptSchema = schemaOf('receipt', signedSchema);

/** The extension `offer-receipt`: the seller signs the offers of a 402 and the receipts of payments. */
export class OfferReceipts {
  private readonly offers: LRUCache<string, { issuedMs: number; extension: Extension | undefined }>;
  private readonly validityS: number;

  constructor(
    private readonly options: OfferReceiptOptions,
    private readonly onFailed: (error: unknown) => void,
  ) {
    this.validityS = options.offerValidityS ?? 300;
    this.offers = new LRUCache({ max: maxUrls });
  }

  /**
   * Returns the signed offers of a 402, or undefined if the issuer fails. Offers are signed again after half of their
   * validity.
   */
  async offersFor(url: string, accepts: readonly OfferInputSource[]): Promise<Extension | undefined> {
    const key = JSON.stringify([url, accepts]);
    const nowMs = performance.now();
    const known = this.offers.get(key);
    if (known && nowMs - known.issuedMs < this.validityS * 500) return known.extension;
    const extension = await this.guarded(() => this.issueOffers(url, accepts));
    if (extension) this.offers.set(key, { issuedMs: nowMs, extension });
    return extension;
  }

  /** Returns the receipt of a settled payment, or undefined if the issuer fails. */
  receiptFor(url: string, paid: SettledPayment): Promise<Extension | undefined> {
    const { issuer, includeTransaction = false } = this.options;
    return this.guarded(async () => {
      const transaction = includeTransaction ? paid.transaction : undefined;
      const receipt = await issuer.issueReceipt(url, paid.payer, paid.network, transaction);
      return { info: { receipt }, schema: receiptSchema };
    });
  }

  /** Signs the first offers, as many as fit into the header. */
  private async issueOffers(url: string, accepts: readonly OfferInputSource[]): Promise<Extension> {
    const offers: object[] = [];
    let byteLength = 0;
    for (const [acceptIndex, { scheme, network, asset, payTo, amount }] of accepts.entries()) {
      // Skips a network that is not in CAIP-2 form, because the same offer follows in that form.
      if (!network.includes(':')) continue;
      const terms = { scheme, network, asset, payTo, amount, offerValiditySeconds: this.validityS };
      const offer = await this.options.issuer.issueOffer(url, { acceptIndex, ...terms });
      byteLength += JSON.stringify(offer).length;
      if (byteLength > maxOffersBytes) break;
      offers.push(offer);
    }
    return { info: { offers }, schema: offersSchema };
  }

  private async guarded(issue: () => Promise<Extension>): Promise<Extension | undefined> {
    try {
      return await issue();
    } catch (error) {
      this.onFailed(error);
      return undefined;
    }
  }
}

export type OfferInputSource = Omit<OfferInput, 'acceptIndex' | 'offerValiditySeconds'>;

export interface SettledPayment {
  payer: string;
  network: string;
  transaction: string;
}
