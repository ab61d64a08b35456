import { SaleTokens } from './offer-token';

const [former, current] = ['f'.repeat(32), 'c'.repeat(32)];
const tokens = new SaleTokens(current);
const request = { operation: 'op.service-api.sms.rent-number', inputHash: 'ab'.repeat(32) };
const terms = { expiresS: 1_795_348_800, costMicros: 550_000n, priceMicros: 660_000n };

describe('an offer', () => {
  it('returns its price and expiry for its own request', () => {
    expect(tokens.readOffer(tokens.offer(terms, request), request)).toEqual(terms);
  });

  it('differs each time, because it is a secret of its buyer', () => {
    expect(tokens.offer(terms, request)).not.toBe(tokens.offer(terms, request));
  });

  it.each([
    ['another operation', { ...request, operation: 'op.service-api.sms.send-sms' }],
    ['another body', { ...request, inputHash: 'cd'.repeat(32) }],
  ])('returns nothing for %s', (_title, other) => {
    expect(tokens.readOffer(tokens.offer(terms, request), other)).toBeUndefined();
  });

  it.each([0, 1, 2, 3, 4])('returns undefined when part %d is changed', (at) => {
    const parts = tokens.offer(terms, request).split('.');
    parts[at] = parts[at]!.startsWith('1') ? `2${parts[at]!.slice(1)}` : `1${parts[at]!.slice(1)}`;
    expect(tokens.readOffer(parts.join('.'), request)).toBeUndefined();
  });

  it('returns its terms while its secret is replaced, and nothing with another secret', () => {
    const offer = new SaleTokens(former).offer(terms, request);
    expect(new SaleTokens(`${current},${former}`).readOffer(offer, request)).toEqual(terms);
    expect(tokens.readOffer(offer, request)).toBeUndefined();
  });
});

describe('a purchase token', () => {
  const saleId = '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d';

  it('contains the id of its sale', () => {
    expect(tokens.readPurchaseToken(tokens.purchaseToken(saleId))).toBe(saleId);
  });

  it.each([
    '',
    saleId,
    `${saleId}.${'A'.repeat(43)}`,
    new SaleTokens(former).purchaseToken(saleId),
    tokens.offer(terms, request),
  ])('returns no sale for the text: %s', (token) => {
    expect(tokens.readPurchaseToken(token)).toBeUndefined();
  });

  it('returns no sale when its id is changed', () => {
    const token = tokens.purchaseToken(saleId).replace('0198', '0199');
    expect(tokens.readPurchaseToken(token)).toBeUndefined();
  });
});
