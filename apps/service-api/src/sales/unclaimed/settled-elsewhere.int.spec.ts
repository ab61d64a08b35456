import { deployLocalChain, type LocalChain } from '@tollbridge/local-chain';
import { eventually, startAnvil, type Anvil } from '@tollbridge/testing';
import {
  multicall3Address,
  permit2Address,
  x402ExactProxyAddress,
  x402UptoProxyAddress,
} from '@tollbridge/onchain';
import type { DomainError } from '@tollbridge/rpc';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { UptoEvmScheme } from '@x402/evm/upto/client';
import { Contract, MaxUint256, Signature, Wallet, type HDNodeWallet } from 'ethers';
import { randomBytes } from 'node:crypto';
import { privateKeyToAccount } from 'viem/accounts';
import { SalesWorker } from '../sales.worker';
import { confirmations, SalesHarness, salesWallet, solanaSalesWallet } from '../testing/sales-harness';
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
  'function approve(address spender, uint256 amount) returns (bool)',
];
const permitted = '((address token, uint256 amount) permitted, uint256 nonce, uint256 deadline)';
const proxyOf = {
  exact: {
    address: x402ExactProxyAddress,
    abi: [`function settle(${permitted}, address, (address to, uint256 validAfter), bytes)`],
  },
  upto: {
    address: x402UptoProxyAddress,
    abi: [
      `function settle(${permitted}, uint256, address, (address to, address facilitator, uint256 validAfter), bytes)`,
    ],
  },
};
const multicallAbi = ['function aggregate3((address target, bool allowFailure, bytes callData)[])'];

let anvil: Anvil;
let chain: LocalChain;
let harness: SalesHarness;

beforeAll(async () => {
  anvil = await startAnvil({ chainId: 8453 });
  chain = await deployLocalChain(anvil);
  await chain.deployX402();
  harness = await SalesHarness.start(chain);
  // The first scan starts at the head of the chain.
  await scan();
});
afterAll(async () => {
  await harness?.close();
  await anvil?.stop();
});
beforeEach(async () => {
  // Each test runs the scans. A scan of the worker would list payments of the previous test's deleted sales.
  await Promise.all(harness.sms.apps.map((app) => app.context.get(UnclaimedWorker).onApplicationShutdown()));
  await harness.reset();
  // The facilitator settles refunds.
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

/** Builds the payment as the gateway does for the HTTP scheme `Payment`: the challenge contains the signed offer. */
async function payByCredential(): Promise<Json> {
  const { x402Version, accepted, payload } = await pay();
  const { maxTimeoutSeconds: _seconds, extra, ...terms } = accepted;
  return { x402Version, accepted: { ...terms, extra: { offer: extra.offer } }, payload };
}

/** Returns a signed payment of a funded wallet, for the real token. */
async function pay(buyer: HDNodeWallet = Wallet.createRandom()): Promise<Json> {
  await chain.usdc.mint(buyer.address, price);
  const payment = (await harness.exact(input, {}, { wallet: buyer.address })) as Json;
  const { authorization } = payment.payload;
  authorization.validBefore = String((await anvil.time()) + 300);
  const { extra, asset } = payment.accepted;
  const domain = { name: extra.name, version: extra.version, chainId: 8453, verifyingContract: asset };
  payment.payload.signature = await buyer.signTypedData(domain, transferTypes, authorization);
  return payment;
}

let sending: Promise<unknown> = Promise.resolve();

/** Sends the authorization from one account, one after the other: any account may send it. */
function settleElsewhere(payment: Json): Promise<string> {
  const sent = sending.then(() => sendAuthorization(payment));
  sending = sent.catch(() => undefined);
  return sent;
}

/** Sends a transaction from an unrelated account. */
async function sendByStranger(
  address: string,
  abi: string[],
  name: string,
  args: unknown[],
): Promise<string> {
  const contract = new Contract(address, abi, chain.stranger as unknown as HDNodeWallet);
  const { hash } = await contract.getFunction(name).send(...args);
  await chain.mined(hash);
  return hash;
}

function transferCall({ payload }: Json): unknown[] {
  const { from, to, value, validAfter, validBefore, nonce } = payload.authorization;
  const { v, r, s } = Signature.from(payload.signature);
  return [from, to, value, validAfter, validBefore, nonce, v, r, s];
}

const sendAuthorization = (payment: Json): Promise<string> =>
  sendByStranger(payment.accepted.asset, tokenAbi, 'transferWithAuthorization', transferCall(payment));

type PermitScheme = keyof typeof proxyOf;

/** Returns a payment of the offer by Permit2, made by the official client. */
async function permit(scheme: PermitScheme, buyer: HDNodeWallet = Wallet.createRandom()): Promise<Json> {
  const wallet = buyer.connect(anvil.provider);
  await chain.usdc.mint(wallet.address, price);
  await anvil.send('anvil_setBalance', [wallet.address, '0xde0b6b3a7640000']);
  const token = new Contract(chain.usdc.address, tokenAbi, wallet);
  const { hash } = await token.getFunction('approve').send(permit2Address, MaxUint256);
  await chain.mined(hash);
  const { accepted: offer } = (await harness.exact(input)) as Json;
  const extra = {
    ...offer.extra,
    assetTransferMethod: 'permit2',
    ...(scheme === 'upto' && { facilitatorAddress: chain.stranger.address }),
  };
  const accepted = { ...offer, scheme, extra };
  const account = privateKeyToAccount(buyer.privateKey as `0x${string}`);
  const client = scheme === 'upto' ? new UptoEvmScheme(account) : new ExactEvmScheme(account);
  const { payload } = await client.createPaymentPayload(2, accepted);
  return { x402Version: 2, accepted, payload };
}

function permitCall({ payload, accepted: { scheme } }: Json, amount: bigint): unknown[] {
  const { permitted: allowed, nonce, deadline, from, witness } = payload.permit2Authorization;
  const permitTransfer = { permitted: allowed, nonce, deadline };
  return [permitTransfer, ...(scheme === 'upto' ? [amount] : []), from, witness, payload.signature];
}

/**
 * Settles by Permit2. Any account can settle `exact`; only the account that the buyer signed can settle `upto`, up to
 * the maximum.
 */
function settlePermit(payment: Json, amount = price): Promise<string> {
  const { address, abi } = proxyOf[payment.accepted.scheme as PermitScheme];
  return sendByStranger(address, abi, 'settle', permitCall(payment, amount));
}

/** Runs the workers until every sale is refunded. */
async function untilAllRefunded(count = 1): Promise<void> {
  await eventually(async () => {
    await worker(SalesWorker).step();
    await scan();
    expect(await harness.states()).toEqual(Array.from({ length: count }, () => 'refunded'));
  });
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

describe.each([
  ['x402', pay],
  ['the scheme Payment', payByCredential],
])('A payment by %s that another account settled', (_form, create) => {
  it('gets a full refund, and the sale states the reason', async () => {
    const payment = await create();
    await settleElsewhere(payment);
    await finalise();
    expect(await harness.sell(payment, input)).toMatchObject({
      outcome: 'declined',
      failure: { code: 'PURCHASE_REFUSED', details: { reason: 'SETTLED_ELSEWHERE' } },
      receipt: { errorReason: 'refunded', extra: { refundedAmount: String(price) } },
    });
    await untilRefunded(payment);
  });

  it("gets a refund when the facilitator's first reply leaves the settlement unknown", async () => {
    const payment = await create();
    harness.facilitator.mode = () => 'pending';
    expect((await failureOf(harness.sell(payment, input))).code).toBe('SERVICE_UNAVAILABLE');
    await settleElsewhere(payment);
    harness.facilitator.mode = ({ to }) =>
      to.toLowerCase() === salesWallet.toLowerCase() ? 'used' : 'settle';
    expect((await failureOf(harness.sell(payment, input))).code).toBe('SERVICE_UNAVAILABLE');
    await finalise();
    await untilRefunded(payment);
  });

  it('buys nothing after its refund', async () => {
    const payment = await create();
    await settleElsewhere(payment);
    await finalise();
    await harness.sell(payment, input);
    await untilRefunded(payment);
    for (let copy = 0; copy < 3; copy++)
      expect(await harness.sell(payment, input)).toMatchObject({ outcome: 'declined' });
    await scan();
    expect([await harness.sms.purchases(), refunded(payerOf(payment))]).toEqual([[], price]);
  });

  it('stays unknown until its block is final, and is then refunded', async () => {
    const payment = await create();
    await settleElsewhere(payment);
    expect((await failureOf(harness.sell(payment, input))).code).toBe('SERVICE_UNAVAILABLE');
    expect(await harness.states()).toEqual(['claimed']);
    await finalise();
    await untilRefunded(payment);
  });

  it('stays unknown while another call of the facilitator settles it', async () => {
    harness.facilitator.mode = ({ to }) =>
      to.toLowerCase() === salesWallet.toLowerCase() ? 'duplicate' : 'settle';
    const payment = await create();
    expect((await failureOf(harness.sell(payment, input))).code).toBe('SERVICE_UNAVAILABLE');
    await settleElsewhere(payment);
    await finalise();
    await untilRefunded(payment);
  });

  it('gets a refund when it is settled after the sale rejected it', async () => {
    harness.facilitator.mode = ({ to }) =>
      to.toLowerCase() === salesWallet.toLowerCase() ? 'reject' : 'settle';
    const payment = await create();
    expect((await harness.sell(payment, input)).outcome).toBe('unpaid');
    expect(await harness.states()).toEqual(['rejected']);
    await settleElsewhere(payment);
    await finalise();
    await untilRefunded(payment);
    expect(await harness.sell(payment, input)).toMatchObject({ outcome: 'declined' });
  });

  it('gets a refund when its offer has expired, or when it was never sent to this service', async () => {
    const payment = await create();
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

  it('gets one refund after a restart between settlement and refund', async () => {
    const payment = await create();
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

describe.each(['exact', 'upto'] as const)('A payment by Permit2 with the scheme %s', (scheme) => {
  const payerOfPermit = ({ payload }: Json): string => payload.permit2Authorization.from;

  it('gets a full refund when it was settled, and buys nothing before or after', async () => {
    const payment = await permit(scheme);
    await settlePermit(payment);
    const unpaid = { outcome: 'unpaid', receipt: { errorMessage: expect.stringContaining('refunded') } };
    expect(await harness.sell(payment, input)).toMatchObject(unpaid);
    await finalise();
    await untilAllRefunded();
    expect(await harness.sell(payment, input)).toMatchObject(unpaid);
    await scan();
    expect([await harness.states(), await harness.sms.purchases()]).toEqual([['refunded'], []]);
    expect(refunded(payerOfPermit(payment))).toBe(price);
  });

  it('remains unsettled, and gets a refund when another account settles it after it was presented', async () => {
    const payment = await permit(scheme);
    expect(await harness.sell(payment, input)).toMatchObject({ outcome: 'unpaid' });
    expect([harness.facilitator.asked, await harness.states()]).toEqual([0, []]);
    await settlePermit(payment);
    await finalise();
    await untilAllRefunded();
    expect(refunded(payerOfPermit(payment))).toBe(price);
  });

  it('gets one refund when the reply to the refund is lost', async () => {
    const payment = await permit(scheme);
    harness.facilitator.mode = () => 'lost';
    await settlePermit(payment);
    await finalise();
    await scan();
    await worker(SalesWorker).step();
    expect(await harness.states()).toEqual(['refunding']);
    harness.facilitator.mode = () => 'settle';
    harness.sms.clock.move(60_000);
    await untilAllRefunded();
    harness.sms.clock.move(-60_000);
    expect(refunded(payerOfPermit(payment))).toBe(price);
  });
});

it('refunds the transferred amount of an `upto` payment, not its maximum', async () => {
  const payment = await permit('upto');
  await settlePermit(payment, 400_000n);
  await finalise();
  await untilAllRefunded();
  expect(refunded(payment.payload.permit2Authorization.from)).toBe(400_000n);
});

it('refunds each payment of a transaction with EIP-3009 and Permit2 transfers of one payer', async () => {
  const buyer = Wallet.createRandom();
  const payments = [await pay(buyer), await permit('exact', buyer), await permit('exact', buyer)];
  const token = new Contract(chain.usdc.address, tokenAbi).interface;
  const { address: proxy, abi } = proxyOf.exact;
  const calls = [
    [
      chain.usdc.address,
      false,
      token.encodeFunctionData('transferWithAuthorization', transferCall(payments[0]!)),
    ],
    ...payments
      .slice(1)
      .map((payment) => [
        proxy,
        false,
        new Contract(proxy, abi).interface.encodeFunctionData('settle', permitCall(payment, price)),
      ]),
  ];
  await sendByStranger(multicall3Address, multicallAbi, 'aggregate3', [calls]);
  await finalise();
  await untilAllRefunded(3);
  expect(refunded(buyer.address)).toBe(3n * price);
});

it('lists a transfer outside x402 without a refund', async () => {
  await chain.usdc.mint(chain.stranger.address, price);
  const hash = await sendByStranger(chain.usdc.address, tokenAbi, 'transfer', [salesWallet, price]);
  await finalise();
  await scan();
  await scan();
  const listed = await harness.sms.database.query('SELECT transaction, amount FROM unclaimed_payments');
  expect(listed).toEqual([{ transaction: hash, amount: String(price) }]);
  expect(await harness.states()).toEqual([]);
});

it('lists more settlements of one minute than a page of the facilitator contains', async () => {
  const { settled } = harness.facilitator;
  const startMs = Date.now() - 30_000;
  for (let at = 0; at < 405; at++) {
    const [nonce, transaction] = [`0x${at.toString(16).padStart(64, '0')}`, `elsewhere${at}`];
    const settlement = { callKey: 'of another client', body: '', amount: '1', payTo: solanaSalesWallet };
    settled.set(`payer${nonce}`, { ...settlement, transaction, finalAtMs: startMs + at });
  }
  await scan();
  const listed = `SELECT count(*)::int AS count FROM unclaimed_payments WHERE transaction LIKE 'elsewhere%'`;
  expect(await harness.sms.database.query(listed)).toEqual([{ count: 405 }]);
});

/** Mulberry32 generator: equal seeds produce equal races. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

it('serves or refunds each of 12 payments once, in any order of settlements and calls', async () => {
  const random = seeded(20261128);
  const pause = () => new Promise((resolve) => setTimeout(resolve, random() * 120));
  const used = new Set<string>();
  // Settles only payments that the chain has not seen, like the real facilitator.
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

it('refunds a Solana payment that another call of the facilitator settled', async () => {
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
