import { secretValues } from '@tollbridge/config';
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Price } from './sale';

/** The terms of an offer for one request. */
export interface OfferTerms extends Price {
  /** Unix seconds. */
  expiresS: number;
}

/** The request that an offer is for. */
export interface OfferedRequest {
  operation: string;
  inputHash: string;
}

const offerForm = /^(\d{1,12})\.(\d{1,15})\.(\d{1,15})\.([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})$/;
const purchaseForm = /^([0-9a-f-]{36})\.([A-Za-z0-9_-]{43})$/;

/**
 * Signs offers and purchase tokens. An offer is stateless: it contains its price and expiry, and its signature covers
 * them and the request. Its random part makes it a secret of the buyer, who receives it in a 402 and returns it with
 * the payment.
 */
export class SaleTokens {
  /** @param secrets one secret, or two during a rotation, the new one first */
  constructor(private readonly secrets: string) {}

  offer({ expiresS, costMicros, priceMicros }: OfferTerms, request: OfferedRequest): string {
    const salt = randomBytes(16).toString('base64url');
    const open = `${expiresS}.${costMicros}.${priceMicros}.${salt}`;
    return `${open}.${this.macs(offerText(open, request))[0]!}`;
  }

  /** @returns the terms; undefined unless this deployment made the offer for this request */
  readOffer(text: string, request: OfferedRequest): OfferTerms | undefined {
    const [, expires, cost, price, salt, mac] = offerForm.exec(text) ?? [];
    if (mac === undefined) return undefined;
    const open = `${expires}.${cost}.${price}.${salt}`;
    if (!this.isMac(mac, offerText(open, request))) return undefined;
    return { expiresS: Number(expires), costMicros: BigInt(cost!), priceMicros: BigInt(price!) };
  }

  purchaseToken(saleId: string): string {
    return `${saleId}.${this.macs(purchaseText(saleId))[0]!}`;
  }

  /** @returns the id of the sale; undefined for an invalid token */
  readPurchaseToken(token: string): string | undefined {
    const [, saleId, mac] = purchaseForm.exec(token) ?? [];
    if (saleId === undefined || mac === undefined) return undefined;
    return this.isMac(mac, purchaseText(saleId)) ? saleId : undefined;
  }

  private isMac(given: string, text: string): boolean {
    return this.macs(text).some((mac) => timingSafeEqual(Buffer.from(mac), Buffer.from(given)));
  }

  private macs(text: string): string[] {
    return secretValues(this.secrets).map((secret) =>
      createHmac('sha256', secret).update(text).digest('base64url'),
    );
  }
}

// Each signed text contains its purpose, so a token is valid for that purpose only.
const offerText = (open: string, { operation, inputHash }: OfferedRequest): string =>
  JSON.stringify(['sales offer', open, operation, inputHash]);
const purchaseText = (saleId: string): string => JSON.stringify(['sales purchase', saleId]);

export const offerHashOf = (offer: string): string => createHash('sha256').update(offer).digest('hex');
