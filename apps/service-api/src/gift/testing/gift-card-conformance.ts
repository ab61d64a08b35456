import { DomainError } from '@tollbridge/rpc';
import { randomUUID } from 'node:crypto';
import type { GiftCardProvider, GiftCardTerms } from '../gift-cards/gift-card-provider';

/** A gift-card provider with the test data that its suite needs. */
export interface GiftCardSubject {
  provider: GiftCardProvider;
  /** A country that the provider serves. */
  country: string;
  /** An order that the provider delivers. */
  terms: GiftCardTerms;
  /** An order that the provider declines. */
  declined: GiftCardTerms;
  unknownProductId: number;
  unservedCountry: string;
  close(): Promise<void>;
}

/** Tests the behaviour that every gift-card provider must have. */
export function describeGiftCardProvider(name: string, open: () => Promise<GiftCardSubject>): void {
  describe(`GiftCardProvider ${name}`, () => {
    let subject: GiftCardSubject;
    beforeAll(async () => {
      subject = await open();
    }, 60_000);
    afterAll(() => subject?.close());

    testCatalogue(() => subject);
    testOrders(() => subject);
  });
}

function testCatalogue(subject: () => GiftCardSubject): void {
  it('lists the product that it also returns by id', async () => {
    const { provider, country, terms } = subject();
    const product = await provider.product(terms.productId);
    expect(product).toMatchObject({ shown: { productId: terms.productId, countryCode: country } });
    const listed = (await provider.productsOf(country))!.map(({ shown }) => shown.productId);
    expect(listed).toContain(terms.productId);
  });

  it('returns undefined for an unknown product and for an unserved country', async () => {
    const { provider, unknownProductId, unservedCountry } = subject();
    expect(await provider.product(unknownProductId)).toBeUndefined();
    expect(await provider.productsOf(unservedCountry)).toBeUndefined();
  });

  it('reports the balance in a currency', async () => {
    const { balance, currencyCode } = await subject().provider.balance();
    expect(balance).toBeGreaterThan(0);
    expect(currencyCode).toMatch(/^[A-Z]{3}$/);
  });
}

function testOrders(subject: () => GiftCardSubject): void {
  it('orders, finds the order by its reference, and returns one code per card', async () => {
    const { provider, terms } = subject();
    const reference = randomUUID();
    const ordered = await provider.order(terms, reference);
    expect(ordered).toMatchObject({ result: { product: { productId: terms.productId } } });
    const found = await provider.find(reference);
    expect(found).toMatchObject({ providerId: ordered.providerId, status: 'completed' });
    expect(await provider.codesOf(found!.result!.transactionId)).toHaveLength(terms.quantity);
  });

  it('does not sell twice under one reference', async () => {
    const { provider, terms } = subject();
    const reference = randomUUID();
    const first = await provider.order(terms, reference);
    expect(await provider.order(terms, reference)).toMatchObject({ providerId: first.providerId });
  });

  it('returns undefined for an unknown reference', async () => {
    expect(await subject().provider.find(randomUUID())).toBeUndefined();
  });

  it('throws PURCHASE_REFUSED with a reason when it declines, and stores no such order', async () => {
    const { provider, declined } = subject();
    const reference = randomUUID();
    const error: unknown = await provider.order(declined, reference).catch((failure: unknown) => failure);
    expect(error).toBeInstanceOf(DomainError);
    expect(error).toMatchObject({ code: 'PURCHASE_REFUSED', details: { reason: expect.any(String) } });
    expect(await provider.find(reference)).toBeUndefined();
  });
}
