import { facilitatorApi, keylessCallPrefix } from '@tollbridge/contracts';
import { callContext, DomainError, type BusClient, type Claim } from '@tollbridge/rpc';
import { OfficialSchemes } from './official-schemes';

const payment = { paymentPayload: { x402Version: 2 }, paymentRequirements: { scheme: 'exact' } };
const pending = {
  success: false,
  transaction: '0xab',
  network: 'eip155:8453',
  errorReason: 'settlement_pending',
};

function schemesWith(call: (operation: unknown, input: unknown) => Promise<unknown>) {
  return new OfficialSchemes({ call } as unknown as BusClient);
}

describe('OfficialSchemes', () => {
  it.each([
    ['exact', 'eip155:8453', true],
    ['upto', 'eip155:8453', true],
    ['batch-settlement', 'eip155:8453', true],
    ['exact', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', true],
    ['exact', 'tvm:-239', false],
    ['ton-nanopay', 'eip155:8453', false],
    [undefined, undefined, false],
  ])('includes %s on %s: %s', (scheme, network, expected) => {
    expect(schemesWith(async () => ({})).includes({ scheme, network })).toBe(expected);
  });

  it('returns a pending settlement as such, but as unknown under an Idempotency-Key', async () => {
    const schemes = schemesWith(async () => pending);
    expect(await schemes.settle(payment, callContext())).toEqual({ ...pending, extra: {} });
    const claim = { idempotencyKey: 'k' } as Claim;
    const keyed = schemes.settle(payment, { ...callContext(), claim });
    await expect(keyed).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it('forwards the extra fields of the scheme', async () => {
    const extra = { balance: '10000' };
    const settled = { success: true, transaction: '0xab', network: 'eip155:8453', extra };
    const schemes = schemesWith(async (operation) =>
      operation === facilitatorApi.operations.verifyFacilitated ? { isValid: true, extra } : settled,
    );
    expect(await schemes.verify(payment)).toMatchObject({ isValid: true, extra });
    expect(await schemes.settle(payment, callContext())).toEqual(settled);
  });

  it('sends one call key for each Idempotency-Key, and a random, marked key without one', async () => {
    const keys: string[] = [];
    const schemes = schemesWith(async (operation, input) => {
      expect(operation).toBe(facilitatorApi.operations.settleFacilitated);
      keys.push((input as { callKey: string }).callKey);
      return { ...pending, errorReason: 'other' };
    });
    const claim = { idempotencyKey: 'k' } as Claim;
    for (const context of [
      callContext(),
      callContext(),
      { ...callContext(), claim },
      { ...callContext(), claim },
    ])
      await schemes.settle(payment, context);
    expect(new Set(keys).size).toBe(3);
    expect(keys[2]).toBe(keys[3]);
    expect(keys.map((key) => [key.length, key.startsWith(keylessCallPrefix)])).toEqual([
      [32, true],
      [32, true],
      [32, false],
      [32, false],
    ]);
  });

  it('returns the last known kinds while pay-orders does not answer', async () => {
    const known = { kinds: [{ scheme: 'exact', network: 'eip155:8453', extra: {} }], signers: [] };
    const replies = [
      () => Promise.reject(new DomainError('SERVICE_UNAVAILABLE')),
      () => Promise.resolve(known),
      () => Promise.reject(new DomainError('SERVICE_UNAVAILABLE')),
    ];
    const schemes = schemesWith(() => replies.shift()!());
    expect(await schemes.kinds()).toEqual({ kinds: [], signers: [] });
    expect(await schemes.kinds()).toEqual(known);
    expect(await schemes.kinds()).toEqual(known);
  });
});
