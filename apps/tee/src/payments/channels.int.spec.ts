import { randomBytes } from 'node:crypto';
import {
  cancellationBytes,
  channelHash,
  channelNoticeS,
  confirmationIdOf,
  digestOf,
  flags,
  hashed,
  isReceipt,
  maxSettlementHashes,
  policyBytes,
  receiptOf,
  settlementDigest,
  signingKey,
  type ChannelOutcome,
  type ChannelTerms,
  type ChargeItem,
  type FrameItem,
  type PaymentTerms,
  type SettleItem,
  withdrawalBytes,
} from '@tollbridge/nanopay-protocol';
import { AnyCaller, teeAccountsApi, teeMoneyApi } from '@tollbridge/contracts';
import { BusClient, type BusOperation } from '@tollbridge/rpc';
import { eventually, ManualClock } from '@tollbridge/testing';
import { Buyer, seller, statusOf, TeeHarness } from '../testing/tee-harness';

const { attest, cancel, readPayment, writePolicy } = teeAccountsApi.operations;

let clock: ManualClock;
let harness: TeeHarness;
let client: BusClient;
let wallet: Buyer;

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
  wallet = new Buyer();
  await harness.fund(wallet, 1_000_000n);
});
afterEach(async () => {
  expect(await harness.differences()).toEqual({ balance: 0n, reserved: 0n, settling: 0n });
});

const ask = <I, O>(operation: BusOperation<I, O>, input: Partial<I> & object): Promise<O> =>
  client.call(operation, input as I);

/** A channel of 200 links worth 1000 each, for an hour. */
class Channel {
  readonly secret = randomBytes(32);
  readonly terms: ChannelTerms;
  readonly open: ChargeItem;
  readonly digest: Buffer;
  readonly callKey = randomBytes(16);

  constructor(
    changes: Partial<ChannelTerms> = {},
    payment: Partial<PaymentTerms> = {},
    call: Partial<ChargeItem> = {},
  ) {
    const length = changes.length ?? 200;
    this.terms = {
      unitAtomic: 1000n,
      length,
      anchor: hashed(this.secret, length),
      endS: harness.nowS + 3_600n,
      ...changes,
    };
    const terms = {
      flags: flags.channel | flags.upTo,
      amountAtomic: this.terms.unitAtomic * BigInt(length),
      resourceHash: channelHash(this.terms),
      ...payment,
    };
    const more = { kind: 'hold', holdS: 0, callKey: this.callKey, channel: this.terms, ...call } as const;
    this.open = wallet.pay(harness.nowMs, terms, more) as ChargeItem;
    this.digest = digestOf(this.open.payment);
  }

  link = (index: number): Buffer => hashed(this.secret, this.terms.length - index);

  settle(index: number, changes: Partial<SettleItem> = {}): SettleItem {
    const { callKey, digest } = this;
    const confirmationId = Buffer.from(confirmationIdOf(digest), 'hex');
    const link = this.link(index);
    return { kind: 'settle', callKey, confirmationId, index, link, units: index, isLast: false, ...changes };
  }
}

const send = async (item: FrameItem): Promise<string> => statusOf(await harness.sendOne(item));
const settle = async (item: SettleItem): Promise<ChannelOutcome> => {
  const outcome = await harness.sendOne(item);
  if (outcome.status !== 'settled') throw new Error(statusOf(outcome));
  return outcome;
};
const opened = async (...parameters: ConstructorParameters<typeof Channel>): Promise<Channel> => {
  const channel = new Channel(...parameters);
  expect(await send(channel.open)).toBe('held');
  return channel;
};
const balance = () => harness.balanceOf(wallet.address);
const wrong = 'invalid_ton_nanopay_channel';

describe('channels', () => {
  it('reserves the amount, charges the settled total, and releases the remainder', async () => {
    const channel = await opened();
    expect(await balance()).toMatchObject({ available: '800000', reserved: '200000', spent: '0' });
    expect(await settle(channel.settle(3))).toMatchObject({ amountAtomic: 3000n, units: 3, isOpen: true });
    // Two of the nine links were refunded.
    expect(await settle(channel.settle(9, { units: 7 }))).toMatchObject({ amountAtomic: 4000n, units: 7 });
    expect(await balance()).toMatchObject({ available: '800000', reserved: '193000', spent: '7000' });
    const last = await settle(channel.settle(10, { units: 8, isLast: true }));
    expect(last).toMatchObject({ amountAtomic: 1000n, units: 8, isOpen: false });
    expect(await balance()).toMatchObject({ available: '992000', reserved: '0', spent: '8000' });
  });

  it('signs a receipt of each settlement', async () => {
    const channel = await opened();
    const outcome = await settle(channel.settle(5));
    const digest = settlementDigest(channel.digest, 5);
    expect(outcome.digest.equals(digest)).toBe(true);
    const receipt = receiptOf({ ...outcome, status: 'captured' });
    const { teePublicKey } = await ask(attest, {});
    expect(isReceipt(receipt, Buffer.from(String(teePublicKey), 'hex'), digest)).toBe(true);
    const stored = await ask(readPayment, { id: receipt.confirmationId });
    expect(stored).toMatchObject({ status: 'captured', amount: '5000', receipt });
  });

  it('settles each of several concurrent settlements, or makes the seller retry it', async () => {
    const channel = await opened();
    // Each has more hashes than one turn of the event loop computes.
    const items = [40, 80, 120, 160, 199].map((index) => channel.settle(index));
    const statuses = await Promise.all(items.map(send));
    expect(statuses.filter((status) => status !== 'settled' && status !== 'unknown')).toEqual([]);
    expect((await settle(channel.settle(199))).units).toBe(199);
    expect(await balance()).toMatchObject({ spent: '199000' });
  });

  it('returns the state for a repeated or late settlement, without a charge', async () => {
    const channel = await opened();
    await settle(channel.settle(5));
    for (const index of [5, 3]) {
      const again = await settle(channel.settle(index));
      expect(again).toMatchObject({ amountAtomic: 0n, units: 5, isOpen: true, seq: 0n });
    }
    const all = await harness.send([6, 7, 8, 8, 6].map((index) => channel.settle(index)));
    expect(all.every(({ status }) => status === 'settled' || status === 'unknown')).toBe(true);
    await settle(channel.settle(8));
    expect(await balance()).toMatchObject({ spent: '8000' });
    await settle(channel.settle(8, { isLast: true }));
    const closed = await settle(channel.settle(20));
    expect(closed).toMatchObject({ amountAtomic: 0n, units: 8, isOpen: false });
    expect(await balance()).toMatchObject({ spent: '8000', reserved: '0' });
  });

  it('rejects links of another channel, and more units than revealed links', async () => {
    const [channel, other] = [await opened(), new Channel()];
    expect(await send(channel.settle(5, { link: other.link(5) }))).toBe(wrong);
    expect(await send(channel.settle(5, { link: channel.link(4) }))).toBe(wrong);
    expect(await send(channel.settle(5, { units: 6 }))).toBe('invalid_ton_nanopay_amount_mismatch');
    expect(await send(channel.settle(200, { index: 201, units: 200 }))).toBe(wrong);
    expect(await send(channel.settle(5, { callKey: randomBytes(16) }))).toBe('invalid_transaction_state');
    expect(await send(other.settle(5))).toBe('invalid_transaction_state');
    await settle(channel.settle(5));
    expect(await send(channel.settle(5, { link: channel.link(6) }))).toBe(wrong);
    expect(await balance()).toMatchObject({ spent: '5000' });
  });

  it('settles in parts when many links are revealed', async () => {
    const channel = await opened({ length: 3_000, unitAtomic: 100n });
    expect(await send(channel.settle(maxSettlementHashes + 1))).toBe(wrong);
    await settle(channel.settle(maxSettlementHashes));
    await settle(channel.settle(maxSettlementHashes * 2));
    expect(await balance()).toMatchObject({ spent: String(maxSettlementHashes * 200) });
  });

  it('never charges a channel by its opening payment', async () => {
    const channel = await opened();
    const { open } = channel;
    for (const changes of [
      { kind: 'charge' as const },
      { kind: 'charge' as const, amountAtomic: 0n },
      { kind: 'charge' as const, channel: undefined },
      { channel: undefined },
      { channel: undefined, holdS: 30 },
      { holdS: 30 },
      { kind: 'check' as const },
      { amountAtomic: 1000n },
    ])
      expect(await send({ ...open, ...changes })).toBe(wrong);
    expect(await send({ ...open, callKey: randomBytes(16) })).toBe('duplicate_settlement');
    expect(await send(open)).toBe('held');
    expect(await balance()).toMatchObject({ reserved: '200000', spent: '0' });
  });

  it.each<[string, ConstructorParameters<typeof Channel>, string]>([
    ['other terms than were signed', [{}, { resourceHash: Buffer.alloc(32, 1) }], wrong],
    ['another amount', [{}, { amountAtomic: 199_000n }], wrong],
    ['a missing flag', [{}, { flags: flags.upTo }], wrong],
    ['an end in the past', [{ endS: 1n }], wrong],
    ['more than the balance', [{ unitAtomic: 10_000n }], 'insufficient_funds'],
    ['a wrong signature', [{}, {}, { signature: Buffer.alloc(64, 1) }], 'invalid_ton_nanopay_signature'],
  ])('opens no channel with %s', async (_name, parameters, reason) => {
    expect(await send(new Channel(...parameters).open)).toBe(reason);
    expect(await balance()).toMatchObject({ reserved: '0' });
  });

  it('releases the remainder when a channel ends', async () => {
    const channel = await opened({ endS: harness.nowS + 100n });
    await settle(channel.settle(4));
    clock.advance(130_000);
    // The seller may still settle in a grace period after the end.
    await settle(channel.settle(6));
    clock.advance(40_000);
    await eventually(async () =>
      expect(await balance()).toMatchObject({ available: '994000', reserved: '0', spent: '6000' }),
    );
    expect(await settle(channel.settle(9))).toMatchObject({ units: 6, isOpen: false });
    expect(await balance()).toMatchObject({ spent: '6000' });
  });
});

/** Closes the channel that this nonce opened, as the buyer. */
function close(nonce: Buffer) {
  const validBefore = harness.nowS + 60n;
  const digest = digestOf(cancellationBytes(wallet.scope, nonce, validBefore));
  const proof = {
    signature: wallet.key.sign(digest).toString('base64'),
    signatureKind: 'raw' as const,
    publicKey: wallet.key.publicKey.toString('hex'),
    validBefore: validBefore.toString(),
  };
  return ask(cancel, { address: wallet.address, nonce: nonce.toString('hex'), proof });
}
const nonceOf = ({ open }: Channel): Buffer => open.payment.subarray(198, 230);

/** Withdraws as the owner. Returns whether the ledger accepts it. */
async function withdraw(amountAtomic: bigint): Promise<boolean> {
  const [nonce, validBeforeS] = [randomBytes(32), harness.nowS + 60n];
  const message = withdrawalBytes(wallet.scope, { destination: seller, amountAtomic, nonce, validBeforeS });
  const proof = {
    signature: wallet.key.sign(digestOf(message)).toString('hex'),
    signatureKind: 'raw' as const,
    publicKey: wallet.key.publicKey.toString('hex'),
    nonce: nonce.toString('hex'),
    validBefore: validBeforeS.toString(),
  };
  const order = { address: wallet.address, destination: seller, amount: String(amountAtomic), proof };
  const { requestWithdrawal } = teeMoneyApi.operations;
  return ask(requestWithdrawal, order).then(
    () => true,
    () => false,
  );
}

describe('closing a channel by its buyer', () => {
  it('gives the seller the notice period, and reports the new end to the seller', async () => {
    const channel = await opened();
    await settle(channel.settle(2));
    await close(nonceOf(channel));
    expect(await balance()).toMatchObject({ reserved: '198000' });
    const { endMs } = await settle(channel.settle(5));
    expect(Number(endMs)).toBe(harness.nowMs + channelNoticeS * 1000);
    // The notice survives a restart.
    await harness.expireLease();
    await harness.startApp();
    expect(Number((await settle(channel.settle(6))).endMs)).toBe(Number(endMs));
    clock.advance(channelNoticeS * 1000 + 61_000);
    await eventually(async () => expect(await balance()).toMatchObject({ reserved: '0', spent: '6000' }));
    expect(await settle(channel.settle(7))).toMatchObject({ units: 6, isOpen: false });
  });

  it('prevents the later opening of a channel', async () => {
    const channel = new Channel();
    await close(nonceOf(channel));
    expect(await send(channel.open)).toBe('payment_cancelled');
  });
});

describe('limits of channels', () => {
  it('counts the reservation against the total of a session, and releases the remainder', async () => {
    const agent = signingKey(randomBytes(32));
    const limits = { maxPerPaymentAtomic: 200_000n, maxTotalAtomic: 300_000n };
    const session = wallet.grant(agent, harness.nowS, limits);
    const bySession = (changes: Partial<ChannelTerms> = {}): Channel => {
      const bits = flags.channel | flags.upTo | flags.session;
      const channel = new Channel(changes, { flags: bits }, { session });
      channel.open.signature = agent.sign(channel.digest);
      return channel;
    };
    const channel = bySession();
    expect(await send(channel.open)).toBe('held');
    expect(await send(bySession().open)).toBe('invalid_ton_nanopay_session');
    expect(await send(bySession({ length: 201 }).open)).toBe('invalid_ton_nanopay_session');
    await settle(channel.settle(50, { isLast: true }));
    expect(await send(bySession().open)).toBe('held');
    expect(await send(bySession({ length: 51 }).open)).toBe('invalid_ton_nanopay_session');
    expect(await send(bySession({ length: 50 }).open)).toBe('held');
  });

  it('applies the policy of the payer to the reservation', async () => {
    const times = { nonce: randomBytes(32), validBeforeS: harness.nowS + 60n };
    const policy = { maxAmountAtomic: 100_000n, rateLimit: 10 };
    const digest = digestOf(policyBytes(wallet.scope, { ...policy, ...times }));
    const proof = {
      signature: wallet.key.sign(digest).toString('base64'),
      signatureKind: 'raw' as const,
      publicKey: wallet.key.publicKey.toString('hex'),
      nonce: times.nonce.toString('hex'),
      validBefore: times.validBeforeS.toString(),
    };
    const request = { address: wallet.address, maxAmount: '100000', rateLimit: 10, proof, isOwner: false };
    await ask(writePolicy, request);
    expect(await send(new Channel().open)).toBe('approval_required');
    expect(await send(new Channel({ length: 100 }).open)).toBe('held');
  });

  it('limits the open channels of a payer', async () => {
    const channels = Array.from({ length: 101 }, () => new Channel({ length: 1 }));
    const outcomes = await harness.send(channels.map(({ open }) => open));
    expect(outcomes.map(statusOf).sort()).toEqual([...Array(100).fill('held'), 'rate_limited']);
    await harness.send(channels.map((channel) => channel.settle(1, { isLast: true })));
    expect(await send(new Channel().open)).toBe('held');
  });
});

describe('channels over a restart', () => {
  it('continues with the last settled link', async () => {
    const channel = await opened();
    await settle(channel.settle(70));
    await harness.expireLease();
    await harness.startApp();
    expect(await send(channel.open)).toBe('held');
    expect(await settle(channel.settle(70))).toMatchObject({ amountAtomic: 0n, units: 70 });
    expect(await send(channel.settle(60, { index: 71, units: 71 }))).toBe(wrong);
    expect(await settle(channel.settle(90, { isLast: true }))).toMatchObject({ amountAtomic: 20_000n });
    expect(await balance()).toMatchObject({ available: '910000', reserved: '0', spent: '90000' });
  });
});

describe('theft from a channel', () => {
  const figures = async () => {
    const { available = '', reserved = '', spent = '' } = (await balance()) ?? {};
    return { available: BigInt(available), reserved: BigInt(reserved), spent: BigInt(spent) };
  };

  it('fails for a buyer that spends one balance by concurrent channels, payments and withdrawals', async () => {
    const channels = Array.from({ length: 6 }, () => new Channel());
    const charges = Array.from({ length: 3 }, () =>
      wallet.pay(harness.nowMs, { amountAtomic: 300_000n }, { kind: 'charge' }),
    );
    const [outcomes, ...withdrawn] = await Promise.all([
      harness.send([...channels.map(({ open }) => open), ...charges]),
      ...Array.from({ length: 4 }, () => withdraw(250_000n)),
    ]);
    const statuses = outcomes.map(statusOf);
    const held = channels.filter((_channel, index) => statuses[index] === 'held');
    const paid = statuses.filter((status) => status === 'captured').length;
    const left = withdrawn.filter(Boolean).length;
    const used = BigInt(held.length * 200_000 + paid * 300_000 + left * 250_000);
    expect(used).toBeGreaterThan(0n);
    expect(await figures()).toEqual({
      available: 1_000_000n - used,
      reserved: BigInt(held.length * 200_000 + left * 250_000),
      spent: BigInt(paid * 300_000),
    });
    // The buyer can withdraw only the remainder, and the seller gets the whole reservation.
    await withdraw(1_000_000n - used);
    for (const channel of held)
      expect(await settle(channel.settle(200, { isLast: true }))).toMatchObject({ units: 200 });
  });

  it('fails for a buyer that withdraws the reservation', async () => {
    const channel = await opened();
    expect(await withdraw(800_001n)).toBe(false);
    expect(await withdraw(800_000n)).toBe(true);
    await close(nonceOf(channel));
    expect(await withdraw(1n)).toBe(false);
    expect(await settle(channel.settle(200, { isLast: true }))).toMatchObject({ units: 200 });
    expect(await figures()).toMatchObject({ available: 0n, spent: 200_000n });
  });

  it.each([1, 40, 200])(
    'fails for a buyer that closes while the seller settles link %d as the last',
    async (index) => {
      const channel = await opened();
      if (index > 20) await settle(channel.settle(index - 20));
      const last = channel.settle(index, { isLast: true });
      const [, ...sent] = await Promise.all([
        close(nonceOf(channel)).catch(() => undefined),
        ...Array.from({ length: 3 }, () => send(last)),
      ]);
      expect(sent.every((status) => status === 'settled' || status === 'unknown')).toBe(true);
      const spent = BigInt(index * 1000);
      expect(await settle(last)).toMatchObject({ units: index, isOpen: false });
      expect(await figures()).toEqual({ available: 1_000_000n - spent, reserved: 0n, spent });
    },
  );

  it('fails for a seller that settles while the channel ends: the amount is either charged or released', async () => {
    const channel = await opened({ endS: harness.nowS + 100n });
    await settle(channel.settle(10));
    clock.advance(161_000);
    await Promise.all([100, 150, 200].map((index) => send(channel.settle(index))));
    await eventually(async () => expect(await figures()).toMatchObject({ reserved: 0n }));
    const { units } = await settle(channel.settle(200));
    expect(await figures()).toMatchObject({
      available: 1_000_000n - BigInt(units * 1000),
      spent: BigInt(units * 1000),
    });
  });

  it.each(['at once', 'after a restart'])(
    'fails with an earlier state of the channel %s: charges stay, and no unrevealed link is charged',
    async (when) => {
      const channel = await opened();
      await settle(channel.settle(50));
      if (when === 'after a restart') {
        await harness.expireLease();
        await harness.startApp();
      }
      const stale = [
        // Claims fewer units than were charged, with a later, an earlier and the same link.
        channel.settle(60, { units: 10 }),
        channel.settle(20),
        channel.settle(50, { units: 0 }),
      ];
      for (const item of stale) expect(await settle(item)).toMatchObject({ amountAtomic: 0n, units: 50 });
      expect(await send(channel.settle(20, { units: 61 }))).toBe('invalid_ton_nanopay_amount_mismatch');
      expect(await settle(channel.settle(60, { units: 0, isLast: true }))).toMatchObject({ units: 50 });
      expect(await figures()).toEqual({ available: 950_000n, reserved: 0n, spent: 50_000n });
    },
  );

  it('fails with the opening payment of a channel that has ended, which reserves and serves nothing', async () => {
    const channel = await opened();
    await settle(channel.settle(50, { isLast: true }));
    expect(await send(channel.open)).not.toBe('held');
    expect(await send({ ...channel.open, callKey: randomBytes(16) })).toBe('duplicate_settlement');
    expect(await settle(channel.settle(51))).toMatchObject({ amountAtomic: 0n, units: 50, isOpen: false });
    expect(await figures()).toEqual({ available: 950_000n, reserved: 0n, spent: 50_000n });
  });
});
