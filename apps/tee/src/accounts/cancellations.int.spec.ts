import { randomBytes } from 'node:crypto';
import { AnyCaller, teeAccountsApi, type OwnerSignature } from '@tollbridge/contracts';
import { BusClient, callContext, type DomainError } from '@tollbridge/rpc';
import {
  cancellationBytes,
  confirmationIdOf,
  digestOf,
  signingKey,
  type FrameItem,
} from '@tollbridge/nanopay-protocol';
import { ManualClock } from '@tollbridge/testing';
import { Buyer, statusOf, TeeHarness } from '../testing/tee-harness';

const { cancel } = teeAccountsApi.operations;

let clock: ManualClock;
let harness: TeeHarness;
let client: BusClient;
let buyer: Buyer;

beforeAll(async () => {
  clock = new ManualClock(Date.now());
  harness = await TeeHarness.start(clock);
  await harness.startApp();
  client = new BusClient(harness.bus, new AnyCaller());
});
afterAll(async () => {
  client?.close();
  await harness?.close();
});
beforeEach(async () => {
  buyer = new Buyer();
  await harness.fund(buyer, 10_000n);
});

function proofFor(nonce: Buffer, signer = buyer, validForS = 60n): OwnerSignature {
  const validBeforeS = harness.nowS + validForS;
  return {
    signature: signer.key.sign(digestOf(cancellationBytes(buyer.scope, nonce, validBeforeS))).toString('hex'),
    validBefore: validBeforeS.toString(),
    publicKey: signer.key.publicKey.toString('hex'),
    signatureKind: 'raw',
  };
}
const ask = (nonce: Buffer, proof = proofFor(nonce)): Promise<string> =>
  client.call(cancel, { address: buyer.address, nonce: nonce.toString('hex'), proof }, callContext()).then(
    ({ status }) => status,
    (error: DomainError) => error.code,
  );
const send = async (item: FrameItem): Promise<string> => statusOf(await harness.sendOne(item));
const asNewCall = (item: FrameItem, changes: object = {}): FrameItem =>
  ({ ...item, callKey: randomBytes(16), ...changes }) as FrameItem;

/** A grant of the buyer to an agent, with payments under it. */
function session() {
  const agent = signingKey(randomBytes(32));
  const grant = buyer.grant(agent, harness.nowS, { validBeforeS: harness.nowS + 86_400n * 30n });
  const pay = (call: Partial<FrameItem> = {}): FrameItem => {
    const item = buyer.pay(harness.nowMs, { flags: 5 }, { ...call, session: grant } as Partial<FrameItem>);
    return { ...item, signature: agent.sign(digestOf((item as { payment: Buffer }).payment)) } as FrameItem;
  };
  return { grant, pay };
}

describe('cancellation of a payment', () => {
  it('prevents every later charge, also after a restart', async () => {
    const nonce = randomBytes(32);
    const item = buyer.pay(harness.nowMs, { nonce });
    expect(await ask(nonce)).toBe('cancelled');
    expect(await ask(nonce)).toBe('cancelled');
    for (const kind of ['charge', 'hold', 'check'])
      expect(await send(asNewCall(item, { kind }))).toBe('payment_cancelled');
    await harness.startApp();
    expect(await send(asNewCall(item))).toBe('payment_cancelled');
    expect(await harness.balanceOf(buyer.address)).toMatchObject({ available: '10000', spent: '0' });
    // Other payments can still be charged.
    expect(await send(buyer.pay(harness.nowMs))).toBe('captured');
  });

  it('releases a held payment', async () => {
    const nonce = randomBytes(32);
    const item = buyer.pay(harness.nowMs, { nonce }, { kind: 'hold' });
    const other = buyer.pay(harness.nowMs, {}, { kind: 'hold' });
    expect([await send(item), await send(other)]).toEqual(['held', 'held']);
    expect(await ask(nonce)).toBe('cancelled');
    expect(await harness.balanceOf(buyer.address)).toMatchObject({ available: '9000', reserved: '1000' });
    expect(await send(asNewCall(item, { kind: 'charge' }))).toBe('payment_cancelled');
    expect(await send({ ...item, kind: 'charge' } as FrameItem)).toBe('payment_cancelled');
    expect(await send(item)).toBe('payment_cancelled');
    await harness.startApp();
    expect(await send(asNewCall(item, { kind: 'charge' }))).toBe('duplicate_settlement');
    expect(await send(asNewCall(other, { kind: 'charge' }))).toBe('captured');
  });

  it('returns CONFLICT after the charge, also long after it', async () => {
    const nonce = randomBytes(32);
    expect(await send(buyer.pay(harness.nowMs, { nonce }))).toBe('captured');
    expect(await ask(nonce)).toBe('CONFLICT');
    await harness.startApp();
    expect(await ask(nonce)).toBe('CONFLICT');
    clock.advance(700_000);
    expect(await ask(nonce)).toBe('CONFLICT');
  });

  it('accepts a cancellation of a refunded payment', async () => {
    const nonce = randomBytes(32);
    const item = buyer.pay(harness.nowMs, { nonce });
    await send(item);
    const digest = digestOf((item as { payment: Buffer }).payment);
    const confirmationId = Buffer.from(confirmationIdOf(digest), 'hex');
    expect(await send({ kind: 'void', callKey: item.callKey, confirmationId })).toBe('voided');
    expect(await ask(nonce)).toBe('cancelled');
  });

  it('excludes a concurrent charge: exactly one of the two succeeds', async () => {
    for (let round = 0; round < 10; round++) {
      const nonce = randomBytes(32);
      const proof = proofFor(nonce);
      const [paid, answer] = await Promise.all([
        send(buyer.pay(harness.nowMs, { nonce, amountAtomic: 1n })),
        ask(nonce, proof),
      ]);
      expect([
        ['captured', 'CONFLICT'],
        ['payment_cancelled', 'cancelled'],
      ]).toContainEqual([paid, answer]);
    }
  });
});

describe('cancellation without the signature of the buyer', () => {
  it.each<[string, (nonce: Buffer) => OwnerSignature]>([
    ['another key', (nonce) => proofFor(nonce, new Buyer())],
    ['a signature for another payment', () => proofFor(randomBytes(32))],
    ['an expired signature', (nonce) => proofFor(nonce, buyer, -1n)],
    ['a signature that is valid for a day', (nonce) => proofFor(nonce, buyer, 86_400n)],
    [
      'a signature with a changed expiry',
      (nonce) => ({ ...proofFor(nonce), validBefore: (harness.nowS + 61n).toString() }),
    ],
  ])('rejects %s', async (_, proof) => {
    const nonce = randomBytes(32);
    expect(await ask(nonce, proof(nonce))).toBe('FORBIDDEN');
    expect(await send(buyer.pay(harness.nowMs, { nonce }))).toBe('captured');
  });

  it('applies to the nonce of the signing account only', async () => {
    const [nonce, neighbour] = [randomBytes(32), new Buyer()];
    await harness.fund(neighbour, 10_000n);
    expect(await ask(nonce)).toBe('cancelled');
    expect(await send(neighbour.pay(harness.nowMs, { nonce }))).toBe('captured');
  });
});

describe('cancellation of a grant', () => {
  it("rejects the grant's payments until the grant expires, and releases its holds", async () => {
    const { grant, pay } = session();
    const held = pay({ kind: 'hold' });
    expect([await send(pay()), await send(held)]).toEqual(['captured', 'held']);
    expect(await ask(grant.nonce)).toBe('cancelled');
    expect(await send(pay())).toBe('payment_cancelled');
    expect(await send(asNewCall(held, { kind: 'charge' }))).toBe('payment_cancelled');
    expect(await harness.balanceOf(buyer.address)).toMatchObject({
      available: '9000',
      reserved: '0',
      spent: '1000',
    });
    clock.advance(86_400_000 * 2);
    await harness.startApp();
    expect(await send(pay())).toBe('payment_cancelled');
    // The wallet and its other agents can still pay.
    expect([await send(session().pay()), await send(buyer.pay(harness.nowMs))]).toEqual([
      'captured',
      'captured',
    ]);
  });
});
