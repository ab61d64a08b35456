import { DomainError } from '@tollbridge/rpc';
import { eventually } from '@tollbridge/testing';
import { randomUUID } from 'node:crypto';
import type { BillProvider, BillTerms } from '../bills/bill-provider';

/** A bill provider with the test data that its suite needs. */
export interface BillSubject {
  provider: BillProvider;
  /** A country that the provider serves. */
  country: string;
  /** A payment that the provider completes, with a token. */
  terms: BillTerms;
  /** A payment that the provider declines. */
  declined: BillTerms;
  unknownBillerId: number;
  /** Advances the provider's clock until an accepted payment is processed. */
  passTime(): void;
  close(): Promise<void>;
}

/** Tests the behaviour that every bill provider must have. */
export function describeBillProvider(name: string, open: () => Promise<BillSubject>): void {
  describe(`BillProvider ${name}`, () => {
    let subject: BillSubject;
    beforeAll(async () => {
      subject = await open();
    }, 60_000);
    afterAll(() => subject?.close());

    testBillers(() => subject);
    testPayments(() => subject);
  });
}

function testBillers(subject: () => BillSubject): void {
  it('lists the biller that it also returns by id, with and without a country', async () => {
    const { provider, country, terms } = subject();
    expect(await provider.biller(terms.billerId)).toMatchObject({
      shown: { id: terms.billerId, countryCode: country },
    });
    for (const filter of [country, undefined]) {
      const ids = (await provider.billersOf(filter)).map(({ shown }) => shown.id);
      expect(ids).toContain(terms.billerId);
    }
  });

  it('returns undefined for an unknown biller', async () => {
    const { provider, unknownBillerId } = subject();
    expect(await provider.biller(unknownBillerId)).toBeUndefined();
  });
}

function testPayments(subject: () => BillSubject): void {
  it('pays, finds the payment by its reference, and returns its token separately from the result', async () => {
    const { provider, terms, passTime } = subject();
    const reference = randomUUID();
    const paid = await provider.pay(terms, reference);
    const found = await eventually(async () => {
      passTime();
      const progress = await provider.find(reference);
      expect(progress).toMatchObject({ providerId: paid.providerId, status: 'completed' });
      return progress!;
    });
    const token = await provider.tokenOf(found.result!.transactionId);
    expect(token!.code).not.toBe('');
    expect(JSON.stringify(found)).not.toContain(token!.code);
  });

  it('does not pay twice under one reference', async () => {
    const { provider, terms } = subject();
    const reference = randomUUID();
    const first = await provider.pay(terms, reference);
    expect(await provider.pay(terms, reference)).toMatchObject({ providerId: first.providerId });
  });

  it('returns undefined for an unknown reference', async () => {
    expect(await subject().provider.find(randomUUID())).toBeUndefined();
  });

  it('throws PURCHASE_REFUSED with a reason when it declines, and stores no such payment', async () => {
    const { provider, declined } = subject();
    const reference = randomUUID();
    const error: unknown = await provider.pay(declined, reference).catch((failure: unknown) => failure);
    expect(error).toBeInstanceOf(DomainError);
    expect(error).toMatchObject({ code: 'PURCHASE_REFUSED', details: { reason: expect.any(String) } });
    expect(await provider.find(reference)).toBeUndefined();
  });
}
