import { facilitatorApi, type FacilitatedSettleReply } from '@tollbridge/contracts';
import {
  coinTransferInstruction,
  createTokenAccountInstruction,
  memoInstruction,
  type Instruction,
} from '@tollbridge/onchain/solana';
import { sandboxSolanaKey } from '@tollbridge/app-sandbox';
import { eventually } from '@tollbridge/testing';
import { randomBytes, randomUUID } from 'node:crypto';
import { PayOrders } from '../../testing/pay-orders';
import { SolanaNetwork } from '../../testing/solana-network';
import { budgetOf, feePayer, solanaNetwork, X402SolanaBuyer } from '../../testing/x402-solana-buyer';
import type { X402Payment } from '../../testing/x402-buyer';

const { verifyFacilitated, settleFacilitated, facilitatedKinds } = facilitatorApi.operations;
const lighthouse = 'L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95';
// The fee of two signatures, and almost nothing for 20,000 units.
const usualFee = 10_001n;
const settings = {
  FACILITATOR: 'on',
  FACILITATOR_TOKENS: 'solana/USDC',
  FACILITATOR_RECEIVERS: '*',
  FACILITATOR_WAIT_MS: '300',
};

let network: SolanaNetwork;
let harness: PayOrders;
let buyer: X402SolanaBuyer;

beforeAll(async () => {
  network = await SolanaNetwork.open();
  harness = await PayOrders.start({ instances: 2, settings, moreChains: [network.entry] });
  buyer = await X402SolanaBuyer.open(network);
});
afterAll(async () => {
  await harness?.close();
  await network?.close();
});
afterEach(() => {
  Object.assign(network, { losesTransactions: false, isDown: false, hidesTransactions: false });
  network.runAt();
  expect(network.problems).toEqual([]);
});

const newKey = () => randomBytes(16).toString('hex');
const newSeller = async () => (await network.newWallet(randomUUID(), 0n)).address;
const settleOnce = (payment: X402Payment, callKey = newKey()): Promise<FacilitatedSettleReply> =>
  harness.call(settleFacilitated, { ...payment, callKey });
const settle = (payment: X402Payment, callKey = newKey()): Promise<FacilitatedSettleReply> =>
  eventually(async () => {
    const reply = await settleOnce(payment, callKey);
    if (reply.errorReason === 'settlement_pending') throw new Error('the settlement is pending');
    return reply;
  });
const verify = (payment: X402Payment) => harness.call(verifyFacilitated, payment);
const earned = ({ paymentRequirements: { payTo } }: X402Payment) => network.balanceOf(payTo as string);
const stateOf = async ({ paymentRequirements: { payTo } }: X402Payment) => {
  const text = 'SELECT state FROM x402_settlements WHERE pay_to = $1';
  return (await harness.database.query<{ state: string }>(text, [payTo])).map(({ state }) => state);
};
const untilState = (payment: X402Payment, state: string) =>
  eventually(async () => expect(await stateOf(payment)).toEqual([state]));
const restart = async () => {
  await harness.restartApp();
  await harness.startApp();
};

it('lists exact with the account that pays the fee', async () => {
  const { kinds, signers } = await harness.call(facilitatedKinds, {});
  expect(kinds).toEqual([{ scheme: 'exact', network: solanaNetwork, extra: { feePayer } }]);
  expect(signers).toEqual([{ networks: 'solana:*', address: feePayer }]);
});

it('verifies and settles a payment of the official client once, and pays nothing but its fee', async () => {
  const payment = await buyer.pay(await newSeller());
  const before = await network.lamportsOf(feePayer);
  expect(await verify(payment)).toEqual({ isValid: true, payer: buyer.address });
  const callKey = newKey();
  const reply = await settle(payment, callKey);
  expect(reply).toMatchObject({
    success: true,
    network: solanaNetwork,
    amount: '1000',
    payer: buyer.address,
  });
  expect(await earned(payment)).toBe(1_000n);
  expect(before - (await network.lamportsOf(feePayer))).toBe(usualFee);

  expect(await settle(payment, callKey)).toEqual(reply);
  expect(await settle(payment)).toMatchObject({ success: false, errorReason: 'duplicate_settlement' });
  expect(await verify(payment)).toMatchObject({ isValid: false, invalidReason: 'duplicate_settlement' });
  expect(await earned(payment)).toBe(1_000n);
  await untilState(payment, 'final');
});

it('settles once when 50 equal calls reach two replicas', async () => {
  // The blockhash must stay valid during all calls.
  network.runAt(2);
  const payment = await buyer.pay(await newSeller());
  const replies = await Promise.all(Array.from({ length: 50 }, () => settle(payment)));
  expect(replies.filter(({ success }) => success)).toHaveLength(1);
  const failures = replies.filter(({ success }) => !success).map(({ errorReason }) => errorReason);
  expect(new Set(failures)).toEqual(new Set(['duplicate_settlement']));
  expect(await earned(payment)).toBe(1_000n);
  expect(await stateOf(payment)).toHaveLength(1);
});

describe('a payment that differs from its requirements', () => {
  it.each<[string, (payment: X402Payment) => unknown]>([
    ['a higher amount', (it) => (it.paymentRequirements.amount = '2000')],
    [
      'a higher amount, also as the accepted one',
      (it) => (it.paymentRequirements.amount = it.paymentPayload.accepted['amount'] = '2000'),
    ],
    [
      'another receiver, also as the accepted one',
      (it) => {
        const payTo = sandboxSolanaKey('merchant').address;
        Object.assign(it.paymentRequirements, { payTo });
        Object.assign(it.paymentPayload.accepted, { payTo });
      },
    ],
    [
      'another token',
      (it) => {
        const asset = 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB';
        Object.assign(it.paymentRequirements, { asset });
        Object.assign(it.paymentPayload.accepted, { asset });
      },
    ],
    [
      'another network',
      (it) => Object.assign(it.paymentRequirements, { network: 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1' }),
    ],
    ['the scheme upto', (it) => Object.assign(it.paymentRequirements, { scheme: 'upto' })],
    [
      'another signature of the payer',
      (it) => {
        const wire = Buffer.from(it.paymentPayload.payload['transaction'] as string, 'base64');
        wire.fill(7, 65, 129);
        it.paymentPayload.payload['transaction'] = wire.toString('base64');
      },
    ],
    ['no transaction', (it) => (it.paymentPayload.payload = {})],
    [
      'a transaction with trailing bytes',
      (it) => {
        const wire = Buffer.from(it.paymentPayload.payload['transaction'] as string, 'base64');
        it.paymentPayload.payload['transaction'] = Buffer.concat([wire, Buffer.alloc(1)]).toString('base64');
      },
    ],
  ])('rejects a payment with %s, and sends nothing', async (_name, change) => {
    const payment = await buyer.pay(await newSeller());
    change(payment);
    const before = await network.lamportsOf(feePayer);
    expect(await verify(payment)).toMatchObject({ isValid: false, invalidReason: expect.any(String) });
    expect(await settle(payment)).toMatchObject({ success: false, transaction: '' });
    expect(await stateOf(payment)).toEqual([]);
    expect(await network.lamportsOf(feePayer)).toBe(before);
  });
});

it('rejects an amount that a transfer on Solana cannot carry, with the field', async () => {
  const payment = await buyer.pay(await newSeller());
  const amount = String(2n ** 64n);
  payment.paymentRequirements.amount = payment.paymentPayload.accepted['amount'] = amount;
  const message =
    /^The payment is malformed: paymentRequirements\.amount must be a whole number from 0 to 2\^64 - 1/;
  expect(await verify(payment)).toMatchObject({
    isValid: false,
    invalidMessage: expect.stringMatching(message),
  });
  expect(await settle(payment)).toMatchObject({ success: false, errorReason: 'invalid_payload' });
});

it('rejects an amount of 0 in verify and settle', async () => {
  const payTo = await newSeller();
  const payment = await buyer.forge(payTo, { transfer: buyer.transferTo(payTo, 0n) });
  payment.paymentRequirements.amount = payment.paymentPayload.accepted['amount'] = '0';
  expect(await verify(payment)).toMatchObject({ isValid: false, invalidReason: 'invalid_amount' });
  expect(await settle(payment)).toMatchObject({ success: false, errorReason: 'invalid_amount' });
  expect(await stateOf(payment)).toEqual([]);
});

it('returns the malformed field, equally in verify and settle', async () => {
  const payment = await buyer.pay(await newSeller());
  payment.paymentPayload.payload['transaction'] = 'AA==';
  const message =
    'The payment is malformed: paymentPayload.payload.transaction is not a transaction of Solana.';
  expect(await verify(payment)).toMatchObject({ invalidReason: 'invalid_payload', invalidMessage: message });
  expect(await settle(payment)).toMatchObject({ errorReason: 'invalid_payload', errorMessage: message });
});

describe('the account that pays the fee', () => {
  const naming = (programId: string): Instruction => ({
    programId,
    accounts: [{ address: feePayer, isSigner: true, isWritable: true }],
    data: Uint8Array.of(0),
  });

  const signerNamed = (name: string) => ({
    address: sandboxSolanaKey(name).address,
    isSigner: true,
    isWritable: false,
  });

  it.each<[string, string, (payTo: string) => Parameters<X402SolanaBuyer['forge']>[1]]>([
    [
      'a transfer of its coins',
      'fee_payer_not_isolated',
      () => ({ more: [coinTransferInstruction(feePayer, buyer.address, 5_000n)] }),
    ],
    [
      'a transfer of its tokens',
      'fee_payer_not_isolated',
      (payTo) => ({ transfer: buyer.transferTo(payTo, 1_000n, feePayer), more: [naming(lighthouse)] }),
    ],
    // Lighthouse can allocate accounts at the cost of an account that it receives.
    ['an instruction of Lighthouse', 'fee_payer_not_isolated', () => ({ more: [naming(lighthouse)] })],
    [
      'the rent of a token account',
      'fee_payer_not_isolated',
      () => ({
        more: [createTokenAccountInstruction(feePayer, sandboxSolanaKey('rent').address, network.usdc)],
      }),
    ],
    [
      'additional signatures, which each cost a fee',
      'fee_limit_exceeded',
      () => ({ more: [{ ...memoInstruction('signed'), accounts: ['a', 'b', 'c', 'd'].map(signerNamed) }] }),
    ],
    [
      'an instruction of a foreign program',
      'invalid_exact_svm_payload_unknown_fourth_instruction',
      () => ({ more: [coinTransferInstruction(buyer.address, sandboxSolanaKey('payer').address, 1n)] }),
    ],
    [
      'a second transfer of tokens',
      'invalid_exact_svm_payload_unknown_fourth_instruction',
      (payTo) => ({ more: [buyer.transferTo(payTo)] }),
    ],
    [
      'a priority fee above the maximum',
      'fee_limit_exceeded',
      () => ({ budget: budgetOf({ microLamports: 800_000n }) }),
    ],
    [
      'a hidden priority fee',
      'invalid_payload',
      () => ({ budget: budgetOf({ microLamports: 10n ** 9n, more: 1 }) }),
    ],
    ['no limit of its fee', 'invalid_payload', () => ({ budget: budgetOf().slice(0, 1) })],
    [
      'another account as the fee payer',
      'invalid_exact_svm_fee_payer_mismatch',
      () => ({ feePayer: sandboxSolanaKey('merchant').address }),
    ],
    [
      'a blockhash that is not recent',
      'invalid_exact_svm_transaction_simulation_failed',
      () => ({ blockhash: sandboxSolanaKey('no blockhash').address }),
    ],
  ])('does not pay for %s', async (_name, reason, forged) => {
    const payTo = await newSeller();
    const payment = await buyer.forge(payTo, forged(payTo));
    const before = await network.lamportsOf(feePayer);
    expect(await verify(payment)).toMatchObject({ isValid: false, invalidReason: reason });
    expect(await settle(payment)).toMatchObject({ success: false, transaction: '', errorReason: reason });
    expect(await stateOf(payment)).toEqual([]);
    expect(await network.lamportsOf(feePayer)).toBe(before);
  });

  it('pays nothing when the payer moves the money away after the simulation, even after repeated calls', async () => {
    const thief = await X402SolanaBuyer.open(network, 1_000n);
    network.losesTransactions = true;
    const payment = await thief.pay(await newSeller());
    expect(await settleOnce(payment)).toMatchObject({ errorReason: 'settlement_pending' });
    await thief.moveAway(buyer.address, 1_000n);
    network.losesTransactions = false;
    const before = await network.lamportsOf(feePayer);
    for (let times = 0; times < 5; times++) await settleOnce(payment);
    network.skip(800);
    await untilState(payment, 'failed');
    expect(await settle(payment)).toMatchObject({ success: false });
    expect([await earned(payment), await network.lamportsOf(feePayer)]).toEqual([0n, before]);
  });

  it('pays for a transaction of the same form without these instructions', async () => {
    const payTo = await newSeller();
    const payment = await buyer.forge(payTo, { more: [memoInstruction('an order')] });
    expect(await settle(payment)).toMatchObject({ success: true });
  });
});

describe('a settlement of unknown outcome', () => {
  // A blockhash must stay valid during each test, and `settled` must last until it is observed.
  beforeEach(() => network.runAt(1));

  /** Sends the payment to a node that does not broadcast it. */
  async function lost() {
    const payment = await buyer.pay(await newSeller());
    network.losesTransactions = true;
    const reply = await settleOnce(payment);
    expect(reply).toMatchObject({ success: false, errorReason: 'settlement_pending' });
    return { payment, signature: reply.transaction };
  }

  it('sends the transaction again until a block contains it', async () => {
    const { payment, signature } = await lost();
    expect(await verify(payment)).toMatchObject({ isValid: true });
    network.losesTransactions = false;
    expect(await settle(payment)).toMatchObject({ success: true, transaction: signature });
    expect(await earned(payment)).toBe(1_000n);
  });

  it('lets another process send the transaction after a crash between claim and broadcast', async () => {
    const { payment, signature } = await lost();
    await harness.stopApps();
    network.losesTransactions = false;
    await restart();
    await untilState(payment, 'settled');
    expect(await settle(payment)).toMatchObject({ success: true, transaction: signature });
    expect(await earned(payment)).toBe(1_000n);
  });

  it('ends when no block can contain its transaction any more', async () => {
    const { payment } = await lost();
    network.skip(400);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(await stateOf(payment)).toEqual(['sent']);
    network.skip(400);
    await untilState(payment, 'failed');
    network.losesTransactions = false;
    expect(await settle(payment)).toMatchObject({ success: false, errorReason: 'authorization_expired' });
    expect(await earned(payment)).toBe(0n);
  });

  it('stays undecided while the node does not answer', async () => {
    const { payment } = await lost();
    network.isDown = true;
    network.skip(2_000);
    expect(await settleOnce(payment)).toMatchObject({ errorReason: 'settlement_pending' });
    const other = await buyer.forge(await newSeller(), { blockhash: sandboxSolanaKey('any').address });
    await expect(settleOnce(other)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(await stateOf(other)).toEqual([]);
    network.isDown = false;
    await untilState(payment, 'failed');
  });

  it('sends the transaction again after a fork has dropped its block', async () => {
    const payment = await buyer.pay(await newSeller());
    expect(await settle(payment)).toMatchObject({ success: true });
    network.hidesTransactions = true;
    await untilState(payment, 'sent');
    network.hidesTransactions = false;
    network.runAt();
    await untilState(payment, 'final');
    expect(await earned(payment)).toBe(1_000n);
  });
});

it('rejects a payment over money that another settlement moves', async () => {
  // The blockhash of the first payment must stay valid during the second one.
  network.runAt(1);
  const poor = await X402SolanaBuyer.open(network, 1_500n);
  network.losesTransactions = true;
  const first = await poor.pay(await newSeller());
  expect(await settleOnce(first)).toMatchObject({ errorReason: 'settlement_pending' });
  const second = await poor.pay(await newSeller());
  expect(await settle(second)).toMatchObject({ success: false, errorReason: 'insufficient_funds' });
  expect(await stateOf(second)).toEqual([]);
  network.losesTransactions = false;
  expect(await settle(first)).toMatchObject({ success: true });
});

it('rejects a second payment with the payment identifier of another one', async () => {
  const identified = { 'payment-identifier': { info: { required: false, id: `pay_${newKey()}` } } };
  const first = await buyer.pay(await newSeller(), {}, identified);
  expect(await settle(first)).toMatchObject({ success: true });
  const second = await buyer.pay(await newSeller(), {}, identified);
  const reason = 'payment_identifier_conflict';
  expect(await verify(second)).toMatchObject({ isValid: false, invalidReason: reason });
  expect(await settle(second)).toMatchObject({ success: false, errorReason: reason });
});

it('limits the settlements of a payer, and the receivers', async () => {
  const payTo = await newSeller();
  await harness.restartApp({ FACILITATOR_PER_MINUTE: '2', FACILITATOR_RECEIVERS: payTo });
  const other = await X402SolanaBuyer.open(network);
  for (let count = 0; count < 2; count++)
    expect(await settle(await other.pay(payTo))).toMatchObject({ success: true });
  const third = await other.pay(payTo);
  await expect(settleOnce(third)).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });
  const elsewhere = await other.pay(await newSeller());
  expect(await settle(elsewhere)).toMatchObject({ errorReason: 'unsupported_receiver' });
});

it('limits the fees that many new payers cause at once', async () => {
  await harness.restartApp({ FACILITATOR_PER_MINUTE: '1', FACILITATOR_TOTAL_PER_MINUTE: '3' });
  // Makes the settlements of earlier tests older than a minute.
  await harness.database.query("UPDATE x402_settlements SET created_at = created_at - interval '2 minutes'");
  const payTo = await newSeller();
  const before = await network.lamportsOf(feePayer);
  const thieves = await Promise.all(Array.from({ length: 8 }, () => X402SolanaBuyer.open(network, 1_000n)));
  const payments = await Promise.all(thieves.map((thief) => thief.pay(payTo)));
  const replies = await Promise.all(
    payments.map((payment) => settleOnce(payment).catch(({ code }: { code: string }) => code)),
  );
  expect(replies.filter((reply) => reply === 'RATE_LIMIT_EXCEEDED')).toHaveLength(5);
  await eventually(async () => expect(await network.balanceOf(payTo)).toBe(3_000n));
  expect(before - (await network.lamportsOf(feePayer))).toBe(3n * usualFee);
});

it('settles a refund that a configured receiver pays', async () => {
  const seller = await X402SolanaBuyer.open(network);
  await harness.restartApp({ FACILITATOR_RECEIVERS: seller.address });
  expect(await settle(await seller.pay(await newSeller()))).toMatchObject({ success: true });
});
