import { randomBytes } from 'node:crypto';
import {
  confirmationIdOf,
  digestOf,
  maxGrantLifeS,
  signingKey,
  type FrameItem,
  type PaymentTerms,
  type PresentedSession,
  type SettledOutcome,
  type SigningKey,
} from '@tollbridge/nanopay-protocol';
import { eventually, ManualClock } from '@tollbridge/testing';
import { Buyer, statusOf, TeeHarness } from '../testing/tee-harness';

let clock: ManualClock;
let harness: TeeHarness;
let wallet: Buyer;
let agent: SigningKey;

beforeAll(async () => {
  clock = new ManualClock(Date.now());
  harness = await TeeHarness.start(clock);
  await harness.startApp();
});
afterAll(() => harness?.close());
beforeEach(async () => {
  [wallet, agent] = [new Buyer(), signingKey(randomBytes(32))];
  await harness.fund(wallet, 1_000_000n);
});

/** A grant of the wallet to the agent: at most 1000 per payment and 5000 in total, for a day. */
const grantOf = (changes: Partial<PresentedSession> = {}, signer = wallet.key) =>
  wallet.grant(agent, harness.nowS, changes, signer);

/** A payment that the agent's key signs. */
function payBy(
  session: PresentedSession,
  changes: Partial<PaymentTerms> = {},
  call: Partial<FrameItem> = {},
  signer = agent,
): FrameItem {
  const item = wallet.pay(harness.nowMs, { flags: 5, ...changes }, {
    ...call,
    session,
  } as Partial<FrameItem>);
  return { ...item, signature: signer.sign(digestOf((item as { payment: Buffer }).payment)) } as FrameItem;
}

const send = async (item: FrameItem): Promise<string> => statusOf(await harness.sendOne(item));
const voidOf = (item: FrameItem): FrameItem => ({
  kind: 'void',
  callKey: item.callKey,
  confirmationId: Buffer.from(confirmationIdOf(digestOf((item as { payment: Buffer }).payment)), 'hex'),
});
const spentOf = async ({ nonce }: PresentedSession): Promise<string | undefined> => {
  const rows = await harness.database.query<{ spent: string }>(
    'SELECT spent FROM tee.sessions WHERE nonce = $1',
    [nonce],
  );
  return rows[0]?.spent;
};
const sessionRejected = 'invalid_ton_nanopay_session';

describe('session payments', () => {
  it('charges the wallet that signed the grant, up to the total', async () => {
    const grant = grantOf();
    for (let count = 0; count < 5; count++) expect(await send(payBy(grant))).toBe('captured');
    expect(await send(payBy(grant))).toBe(sessionRejected);
    expect(await send(payBy(grant, { amountAtomic: 1n }))).toBe(sessionRejected);
    expect(await harness.balanceOf(wallet.address)).toMatchObject({ available: '995000', spent: '5000' });
    expect(await spentOf(grant)).toBe('5000');
  });

  it('repeats the outcome for the same call and rejects a copy', async () => {
    const item = payBy(grantOf());
    expect(await harness.sendOne(item)).toEqual(await harness.sendOne(item));
    expect(await send({ ...item, callKey: randomBytes(16) })).toBe('duplicate_settlement');
  });

  it('accepts a grant that was signed in a wallet dialog, long after the dialog', async () => {
    const dialog = { domain: 'localhost', timestampS: Number(harness.nowS) };
    const grant = grantOf({ dialog });
    clock.advance(3_600_000);
    expect(await send(payBy(grant))).toBe('captured');
  });

  it('previews a payment without any effect', async () => {
    const grant = grantOf({ maxTotalAtomic: 1000n });
    expect(await send(payBy(grant, {}, { kind: 'check' }))).toBe('checked');
    expect(await spentOf(grant)).toBeUndefined();
    expect(await send(payBy(grant))).toBe('captured');
    expect(await send(payBy(grant, {}, { kind: 'check' }))).toBe(sessionRejected);
  });

  it('allows payments to any seller when the grant specifies none', async () => {
    const other = `0:${'99'.repeat(32)}`;
    expect(await send(payBy(grantOf({ to: undefined }), { to: other }))).toBe('captured');
  });
});

describe('an invalid session payment', () => {
  const other = `0:${'99'.repeat(32)}`;
  const stranger = new Buyer();

  it.each<[string, () => FrameItem, string]>([
    ['a missing session flag', () => payBy(grantOf(), { flags: 1 }), sessionRejected],
    ['a missing grant', () => payBy(undefined as never), sessionRejected],
    [
      'the key of another agent',
      () => payBy(grantOf(), {}, {}, stranger.key),
      'invalid_ton_nanopay_signature',
    ],
    [
      'the key of the wallet instead of that of the agent',
      () => payBy(grantOf(), {}, {}, wallet.key),
      'invalid_ton_nanopay_signature',
    ],
    ['a grant signed by another wallet', () => payBy(grantOf({}, stranger.key)), sessionRejected],
    ['a grant signed by the agent', () => payBy(grantOf({}, agent)), sessionRejected],
    ['a total that was not signed', () => payBy({ ...grantOf(), maxTotalAtomic: 6000n }), sessionRejected],
    [
      'a maximum per payment that was not signed',
      () => payBy({ ...grantOf(), maxPerPaymentAtomic: 9000n }, { amountAtomic: 2000n }),
      sessionRejected,
    ],
    [
      'a session key that was not signed',
      () => payBy({ ...grantOf(), publicKey: stranger.key.publicKey }),
      sessionRejected,
    ],
    ['another seller', () => payBy(grantOf(), { to: other }), sessionRejected],
    [
      'an amount above the maximum per payment',
      () => payBy(grantOf(), { amountAtomic: 1001n }),
      sessionRejected,
    ],
    [
      'a maximum above the maximum per payment',
      () => payBy(grantOf(), { flags: 7, amountAtomic: 1001n }, { amountAtomic: 1n }),
      sessionRejected,
    ],
    ['an amount above the total', () => payBy(grantOf({ maxTotalAtomic: 999n })), sessionRejected],
    [
      'a grant that is not valid yet',
      () => payBy(grantOf({ validAfterS: harness.nowS + 60n })),
      sessionRejected,
    ],
    [
      'an expired grant',
      () => payBy(grantOf({ validBeforeS: harness.nowS - 5n, validAfterS: harness.nowS - 60n })),
      sessionRejected,
    ],
    [
      'a grant that is valid for too long',
      () => payBy(grantOf({ validBeforeS: harness.nowS + BigInt(maxGrantLifeS) })),
      sessionRejected,
    ],
    [
      'a dialog of another domain',
      () => payBy(grantOf({ dialog: { domain: 'evil.example', timestampS: Number(harness.nowS) } })),
      sessionRejected,
    ],
    [
      'a dialog in the future',
      () => payBy(grantOf({ dialog: { domain: 'localhost', timestampS: Number(harness.nowS) + 700 } })),
      sessionRejected,
    ],
    [
      'a dialog for the payment instead of the grant',
      () =>
        payBy(grantOf(), {}, { dialog: { domain: 'localhost', timestampS: Number(harness.nowS) } } as never),
      sessionRejected,
    ],
  ])('rejects %s', async (_, item, reason) => {
    expect(await send(item())).toBe(reason);
    expect(await harness.balanceOf(wallet.address)).toMatchObject({ available: '1000000', reserved: '0' });
  });

  it('rejects a session key of small order', async () => {
    // The neutral element: its signatures need no private key.
    const weak = Buffer.from(`01${'00'.repeat(31)}`, 'hex');
    expect(await send(payBy(grantOf({ publicKey: weak })))).toBe('invalid_ton_nanopay_weak_key');
  });

  it('rejects the grant of another wallet', async () => {
    const grant = grantOf();
    expect(await send(payBy(grant))).toBe('captured');
    const victim = new Buyer();
    await harness.fund(victim, 10_000n);
    const item = victim.pay(harness.nowMs, { flags: 5 }, { session: grant } as Partial<FrameItem>);
    const forged = {
      ...item,
      signature: agent.sign(digestOf((item as { payment: Buffer }).payment)),
    } as FrameItem;
    expect(await send(forged)).toBe(sessionRejected);
    expect(await harness.balanceOf(victim.address)).toMatchObject({ available: '10000' });
  });

  it('rejects the state-init of another wallet', async () => {
    const item = payBy(grantOf(), {}, { publicKey: agent.publicKey });
    expect(await send(item)).toBe('invalid_ton_nanopay_unknown_key');
  });
});

describe('the total of a grant', () => {
  it('limits a hundred concurrent payments', async () => {
    const grant = grantOf({ maxTotalAtomic: 7500n });
    const outcomes = await harness.send(Array.from({ length: 100 }, () => payBy(grant)));
    expect(outcomes.filter(({ status }) => status === 'captured')).toHaveLength(7);
    expect(outcomes.filter((outcome) => statusOf(outcome) === sessionRejected)).toHaveLength(93);
    expect(await spentOf(grant)).toBe('7000');
  });

  it('survives a restart', async () => {
    const grant = grantOf({ maxTotalAtomic: 3000n });
    expect(await send(payBy(grant))).toBe('captured');
    const [item, heldItem] = [payBy(grant, {}, { kind: 'hold' }), payBy(grant, {}, { kind: 'hold' })];
    expect(statusOf(await harness.sendOne(item))).toBe('held');
    expect(statusOf(await harness.sendOne(heldItem))).toBe('held');
    await harness.startApp();
    expect(await send(payBy(grant))).toBe(sessionRejected);
    // Holds from before the restart can be released after it.
    expect(await send(voidOf(item))).toBe('voided');
    expect(await spentOf(grant)).toBe('2000');
    const outcomes = await harness.send([payBy(grant), payBy(grant)]);
    expect(outcomes.map(statusOf).sort()).toEqual(['captured', sessionRejected].sort());
    expect(await send({ ...heldItem, kind: 'charge', callKey: randomBytes(16) } as FrameItem)).toBe(
      'captured',
    );
    expect(await spentOf(grant)).toBe('3000');
  });

  it('increases again by a hold that expires after a restart', async () => {
    const grant = grantOf({ maxTotalAtomic: 1000n });
    expect(await send(payBy(grant, {}, { kind: 'hold', holdS: 5 }))).toBe('held');
    await harness.startApp();
    clock.advance(6_000);
    await eventually(async () => expect(await spentOf(grant)).toBe('0'));
    expect(await harness.balanceOf(wallet.address)).toMatchObject({ available: '1000000', reserved: '0' });
    expect(await send(payBy(grant))).toBe('captured');
  });

  it('increases again by refunds, released holds and remainders', async () => {
    const grant = grantOf({ maxTotalAtomic: 1000n });
    const charged = payBy(grant);
    expect(await send(charged)).toBe('captured');
    expect(await send(voidOf(charged))).toBe('voided');
    expect(await spentOf(grant)).toBe('0');
    const held = payBy(grant, {}, { kind: 'hold', holdS: 5 });
    expect(await send(held)).toBe('held');
    expect(await send(payBy(grant))).toBe(sessionRejected);
    clock.advance(6_000);
    const upTo = payBy(grant, { flags: 7 }, { amountAtomic: 400n });
    // A hold expires within a second after its end.
    await eventually(async () => expect(await spentOf(grant)).toBe('0'));
    expect(((await harness.sendOne(upTo)) as SettledOutcome).amountAtomic).toBe(400n);
    expect(await send(payBy(grant, { amountAtomic: 601n }))).toBe(sessionRejected);
    expect(await send(payBy(grant, { amountAtomic: 600n }))).toBe('captured');
    expect(await spentOf(grant)).toBe('1000');
  });
});
