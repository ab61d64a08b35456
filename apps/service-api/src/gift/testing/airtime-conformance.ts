import { DomainError } from '@tollbridge/rpc';
import { randomUUID } from 'node:crypto';
import type { AirtimeProvider, TopUpTerms } from '../airtime/airtime-provider';

/** An airtime provider with the test data that its suite needs. */
export interface AirtimeSubject {
  provider: AirtimeProvider;
  /** A top-up that the provider delivers as credit. */
  terms: TopUpTerms;
  /** A top-up that the provider delivers as a PIN. */
  withPin: TopUpTerms;
  /** A top-up that the provider declines. */
  declined: TopUpTerms;
  unknownOperatorId: number;
  /** A number without a detectable operator, as digits and country. */
  undetectable: { phone: string; countryCode: string };
  close(): Promise<void>;
}

/** Tests the behaviour that every airtime provider must have. */
export function describeAirtimeProvider(name: string, open: () => Promise<AirtimeSubject>): void {
  describe(`AirtimeProvider ${name}`, () => {
    let subject: AirtimeSubject;
    beforeAll(async () => {
      subject = await open();
    }, 60_000);
    afterAll(() => subject?.close());

    testOperators(() => subject);
    testTopUps(() => subject);
  });
}

function testOperators(subject: () => AirtimeSubject): void {
  it('reads an operator by id, and detects it by a phone number', async () => {
    const { provider, terms } = subject();
    const { operatorId, countryCode, phone } = terms;
    expect(await provider.operator(operatorId)).toMatchObject({ shown: { operatorId, countryCode } });
    expect(await provider.detectOperator(phone, countryCode)).toMatchObject({ shown: { operatorId } });
  });

  it('returns undefined for an unknown operator and for an undetectable number', async () => {
    const { provider, unknownOperatorId, undetectable } = subject();
    expect(await provider.operator(unknownOperatorId)).toBeUndefined();
    expect(await provider.detectOperator(undetectable.phone, undetectable.countryCode)).toBeUndefined();
  });
}

function testTopUps(subject: () => AirtimeSubject): void {
  it('tops up, and finds the top-up by its reference', async () => {
    const { provider, terms } = subject();
    const reference = randomUUID();
    const bought = await provider.topUp(terms, reference);
    expect(bought).toMatchObject({ result: { operatorId: terms.operatorId } });
    const found = await provider.find(reference);
    expect(found).toMatchObject({ providerId: bought.providerId, status: 'completed' });
    expect(await provider.pinOf(found!.result!.transactionId)).toBeNull();
  });

  it('returns the PIN that an operator delivers, separately from the result', async () => {
    const { provider, withPin } = subject();
    const { result } = await provider.topUp(withPin, randomUUID());
    const pin = await provider.pinOf(result!.transactionId);
    expect(pin!.code).not.toBe('');
    expect(JSON.stringify(result)).not.toContain(pin!.code);
  });

  it('does not sell twice under one reference', async () => {
    const { provider, withPin } = subject();
    const reference = randomUUID();
    const first = await provider.topUp(withPin, reference);
    expect(await provider.topUp(withPin, reference)).toMatchObject({ providerId: first.providerId });
  });

  it('returns undefined for an unknown reference', async () => {
    expect(await subject().provider.find(randomUUID())).toBeUndefined();
  });

  it('throws PURCHASE_REFUSED with a reason when it declines, and stores no such top-up', async () => {
    const { provider, declined } = subject();
    const reference = randomUUID();
    const error: unknown = await provider.topUp(declined, reference).catch((failure: unknown) => failure);
    expect(error).toBeInstanceOf(DomainError);
    expect(error).toMatchObject({ code: 'PURCHASE_REFUSED', details: { reason: expect.any(String) } });
    expect(await provider.find(reference)).toBeUndefined();
  });
}
