import { deployLocalChain, type LocalChain } from '@tollbridge/local-chain';
import { eventually, startAnvil, type Anvil } from '@tollbridge/testing';
import type { DomainError } from '@tollbridge/rpc';
import { Contract, Signature, Wallet, type HDNodeWallet } from 'ethers';
import { randomBytes } from 'node:crypto';
import { SalesWorker } from '../sales.worker';
import { confirmations, SalesHarness, salesWallet } from '../testing/sales-harness';
import { UnclaimedWorker } from './unclaimed.worker';

type Json = Record<string, any>;

const input = { service: 'tg', country: 44 };
const price = 660_000n;
const transferTypes = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
};
const tokenAbi = [
  'function transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)',
  'function transfer(address to, uint256 amount) returns (bool)',
];

let anvil: Anvil;
let chain: LocalChain;
let harness: SalesHarness;

beforeAll(async () => {
  anvil = await startAnvil({ chainId: 8453 });
  chain = await deployLocalChain(anvil);
  harness = await SalesHarness.start(chain);
  // The first scan begins at the head.
  await scan();
});
afterAll(async () => {
  await harness?.close();
  await anvil?.stop();
});
beforeEach(async () => {
  await harness.reset();
  // The facilitator of refunds settles them.
  harness.facilitator.mode = ({ to }) => (to.toLowerCase() === salesWallet.toLowerCase() ? 'used' : 'settle');
});

const worker = <T extends { step(): Promise<unknown> }>(type: new (...given: never[]) => T) =>
  harness.sms.apps[0]!.context.get(type as never, { strict: false }) as unknown as T;
const scan = () => worker(UnclaimedWorker).step();
const failureOf = (call: Promise<unknown>) =>
  call.then(
    (reply) => Promise.reject(new Error(`it did not fail: ${JSON.stringify(reply)}`)),
    (error: DomainError) => error,
  );
const finalise = () => anvil.mine(confirmations);
const refunded = (payer: string) => harness.facilitator.received(payer);
const payerOf = ({ payload }: Json): string => payload.authorization.from;

/** A payment of a wallet with money, signed for the genuine token. */
async function pay(body: object = input): Promise<Json> {
  const buyer = Wallet.createRandom();
  await chain.usdc.mint(buyer.address, price);
  const payment = (await harness.exact(body as Json, {}, { wallet: buyer.address })) as Json;
  const { authorization } = payment.payload;
  authorization.validBefore = String((await anvil.time()) + 300);
  const { extra, asset } = payment.accepted;
  const domain = { name: extra.name, version: extra.version, chainId: 8453, verifyingContract: asset };
  payment.payload.signature = await buyer.signTypedData(domain, transferTypes, authorization);
  return payment;
}

let sending: Promise<unknown> = Promise.resolve();

/** Any account may send a signed authorization; one account sends one after the other. */
function settleElsewhere(payment: Json): Promise<string> {
  const sent = sending.then(() => sendAuthorization(payment));
  sending = sent.catch(() => undefined);
  return sent;
}

async function sendAuthorization({ payload, accepted }: Json): Promise<string> {
  const { from, to, value, validAfter, validBefore, nonce } = payload.authorization;
  const { v, r, s } = Signature.from(payload.signature);
  const token = new Contract(accepted.asset, tokenAbi, chain.stranger as unknown as HDNodeWallet);
  const sent = await token
    .getFunction('transferWithAuthorization')
    .send(from, to, value, validAfter, validBefore, nonce, v, r, s);
  await chain.mined(sent.hash);
  return sent.hash;
}

async function untilRefunded(payment: Json): Promise<void> {
  await eventually(async () => {
    await worker(SalesWorker).step();
    await scan();
    expect(refunded(payerOf(payment))).toBe(price);
  });
  await eventually(async () => {
    await worker(SalesWorker).step();
    expect(await harness.states()).toEqual(['refunded']);
  });
}

describe('A payment that another account settled', () => {
  it('is refunded in full, and the sale says so', async () => {
    const payment = await pay();
    await settleElsewhere(payment);
    await finalise();
    expect(await harness.sell(payment, input)).toMatchObject({
      outcome: 'declined',
      failure: { code: 'PURCHASE_REFUSED', details: { reason: 'SETTLED_ELSEWHERE' } },
      receipt: { errorReason: 'refunded', extra: { refundedAmount: String(price) } },
    });
    await untilRefunded(payment);
  });

  it('is unknown until the chain can no longer drop it, and then refunded', async () => {
    const payment = await pay();
    await settleElsewhere(payment);
    expect((await failureOf(harness.sell(payment, input))).code).toBe('SERVICE_UNAVAILABLE');
    expect(await harness.states()).toEqual(['claimed']);
    await finalise();
    await untilRefunded(payment);
  });

  it('is unknown while another call of the facilitator settles it', async () => {
    harness.facilitator.mode = ({ to }) =>
      to.toLowerCase() === salesWallet.toLowerCase() ? 'duplicate' : 'settle';
    const payment = await pay();
    expect((await failureOf(harness.sell(payment, input))).code).toBe('SERVICE_UNAVAILABLE');
    await settleElsewhere(payment);
    await finalise();
    await untilRefunded(payment);
  });

  it('is refunded when it was settled after the sale had rejected it', async () => {
    harness.facilitator.mode = ({ to }) =>
      to.toLowerCase() === salesWallet.toLowerCase() ? 'reject' : 'settle';
    const payment = await pay();
    expect((await harness.sell(payment, input)).outcome).toBe('unpaid');
    expect(await harness.states()).toEqual(['rejected']);
    await settleElsewhere(payment);
    await finalise();
    await untilRefunded(payment);
    expect(await harness.sell(payment, input)).toMatchObject({ outcome: 'declined' });
  });

  it('is refunded when its offer has expired, or it was never sent here', async () => {
    const payment = await pay();
    harness.sms.clock.move(600_000);
    expect((await harness.sell(payment, input)).receipt).toMatchObject({ errorReason: 'offer_expired' });
    await settleElsewhere(payment);
    await finalise();
    await untilRefunded(payment);
    expect(await harness.sell(payment, input)).toMatchObject({
      outcome: 'declined',
      receipt: { extra: { refund: 'done' } },
    });
    harness.sms.clock.move(-600_000);
  });

  it('is refunded once after a restart between settlement and refund', async () => {
    const payment = await pay();
    await settleElsewhere(payment);
    expect((await failureOf(harness.sell(payment, input))).code).toBe('SERVICE_UNAVAILABLE');
    await harness.sms.apps.pop()!.close();
    await finalise();
    await harness.sms.startApp(harness.settings);
    await untilRefunded(payment);
    await scan();
    expect(await harness.states()).toEqual(['refunded']);
  });
});

it('lists a transfer that is no payment of x402, and refunds nothing', async () => {
  await chain.usdc.mint(chain.stranger.address, price);
  const token = new Contract(chain.usdc.address, tokenAbi, chain.stranger as unknown as HDNodeWallet);
  const { hash } = await token.getFunction('transfer').send(salesWallet, price);
  await chain.mined(hash);
  await finalise();
  await scan();
  await scan();
  const listed = await harness.sms.database.query('SELECT transaction, amount FROM unclaimed_payments');
  expect(listed).toEqual([{ transaction: hash, amount: String(price) }]);
  expect(await harness.states()).toEqual([]);
});

/** Mulberry32: equal seeds give equal races. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

it('serves or refunds each of 12 payments once, however settlements and calls race', async () => {
  const random = seeded(20261128);
  const pause = () => new Promise((resolve) => setTimeout(resolve, random() * 120));
  const used = new Set<string>();
  // The facilitator settles what the chain has not seen, as the real one does.
  harness.facilitator.mode = ({ to, nonce }) =>
    to.toLowerCase() === salesWallet.toLowerCase() && used.has(nonce) ? 'used' : 'settle';
  const payments = [];
  for (let count = 0; count < 12; count++) payments.push(await pay());
  const outcomes = await Promise.all(
    payments.map(async (payment) => {
      const { nonce } = payment.payload.authorization;
      const isElsewhere = random() < 0.6;
      const elsewhere = async () => {
        await pause();
        if (harness.facilitator.settled.has(`${payerOf(payment)}${nonce}`)) return;
        used.add(nonce);
        await settleElsewhere(payment);
      };
      const call = async () => {
        await pause();
        return harness.sell(payment, input).catch((error: DomainError) => error);
      };
      if (isElsewhere) await Promise.all([elsewhere(), call(), call()]);
      else await Promise.all([call(), call()]);
      return payment;
    }),
  );
  await finalise();
  await eventually(async () => {
    harness.sms.clock.move(5_000);
    await worker(SalesWorker).step();
    await scan();
    const states = await harness.states();
    expect(states.filter((state) => state !== 'bought' && state !== 'refunded')).toEqual([]);
  });
  const sales = await harness.sms.database.query<{ payer: string; state: string }>(
    'SELECT payer, state FROM sales',
  );
  for (const payment of outcomes) {
    const own = sales.filter(({ payer }) => payer === payerOf(payment).toLowerCase());
    expect(own).toHaveLength(1);
    expect(refunded(payerOf(payment))).toBe(own[0]!.state === 'bought' ? 0n : price);
    if (used.has(payment.payload.authorization.nonce)) expect(own[0]!.state).toBe('refunded');
  }
  const bought = sales.filter(({ state }) => state === 'bought').length;
  expect(await harness.sms.purchases()).toHaveLength(bought);
});

it('refunds a payment on Solana that another call of the facilitator settled', async () => {
  harness.facilitator.mode = () => 'settle';
  const presented = (await harness.solana(input, { secretKey: randomBytes(32) })) as Json;
  const forgotten = (await harness.solana(input, { secretKey: randomBytes(32) })) as Json;
  for (const { accepted, ...payment } of [presented, forgotten])
    harness.facilitator.settleFor({
      paymentPayload: { accepted, ...payment },
      paymentRequirements: accepted,
    });
  expect(await harness.sell(presented, input)).toMatchObject({
    outcome: 'declined',
    failure: { details: { reason: 'SETTLED_ELSEWHERE' } },
  });
  await eventually(async () => {
    await scan();
    await worker(SalesWorker).step();
    expect(await harness.states()).toEqual(['refunded', 'refunded']);
  });
});

it('lists a nano-payment that another call charged', async () => {
  harness.charges.mode = 'duplicate';
  const payment = await harness.nano(input);
  expect((await harness.sell(payment, input)).outcome).toBe('unpaid');
  expect(await harness.sms.database.query('SELECT network, amount, reason FROM unclaimed_payments')).toEqual([
    { network: 'tvm:-239', amount: String(price), reason: 'charged by another call than its sale' },
  ]);
});
