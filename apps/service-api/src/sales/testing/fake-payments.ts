import { base58 } from '@scure/base';
import { randomBytes } from 'node:crypto';
import { readTransfer } from '../solana/solana-transfer';
import { solanaNetwork } from './fake-solana';
import {
  startFakeService,
  type FakeService,
  type FakeServiceAnswer,
  type FakeServiceCall,
} from '@tollbridge/testing';

const usdcMint = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
// The maximum that the contract declares.
const mostReceived = 200;
/** Pays the fees of transactions on Solana. */
export const feePayer = base58.encode(Buffer.alloc(32, 9));

interface Settlement {
  callKey: string;
  body: string;
  amount: string;
  payTo: string;
  transaction: string;
  finalAtMs: number;
}

/**
 * The outcome of a payer's next settlements. `lost`: settled, and the reply is lost. `expire`: sent, and included in no
 * block. `revert`: sent, and failed. `used`, `duplicate`: another account, or another call, has settled it.
 */
export type Mode = 'settle' | 'pending' | 'lost' | 'reject' | 'expire' | 'revert' | 'used' | 'duplicate';

type Authorization = Pick<Record<'from' | 'to' | 'nonce', string>, 'from' | 'to' | 'nonce'>;

/** Fakes the facilitator of pay-orders: it settles an authorization once, and returns the success to one call key. */
export class FakeFacilitator {
  readonly settled = new Map<string, Settlement>();
  service: FakeService;
  mode: (authorization: Authorization) => Mode = () => 'settle';
  /** Number of requested settlements, including repeated requests. */
  asked = 0;
  /** Runs after a settlement, before its reply. */
  beforeAnswer: () => Promise<void> = async () => undefined;

  static async start(natsUrl: string): Promise<FakeFacilitator> {
    const fake = new FakeFacilitator();
    fake.service = await startFakeService(natsUrl, 'op.pay-orders.facilitator.*', (call) =>
      fake.answer(call),
    );
    return fake;
  }

  private async answer({ subject, input }: FakeServiceCall): Promise<FakeServiceAnswer> {
    if (subject.endsWith('facilitated-kinds')) {
      const kinds = [
        { scheme: 'exact', network: 'eip155:8453', extra: {} },
        { scheme: 'exact', network: solanaNetwork, extra: { feePayer } },
      ];
      return { output: { kinds, signers: [] } };
    }
    if (subject.endsWith('settlement-of')) return { output: this.settlementOf(input) };
    if (subject.endsWith('received-settlements'))
      return { output: { settlements: this.listReceived(input) } };
    this.asked++;
    const { callKey, ...payment } = input as {
      callKey: string;
      paymentPayload: any;
      paymentRequirements: any;
    };
    const { network, payTo, amount } = payment.paymentRequirements;
    const authorization = authorizationIn(payment.paymentPayload.payload, payment.paymentRequirements);
    const id = `${authorization.from}${authorization.nonce}`;
    const mode = this.mode(authorization);
    const failed = (errorReason: string) => ({
      output: { success: false, transaction: '', network, errorReason },
    });
    const known = this.settled.get(id);
    if (!known && mode === 'reject') return failed('insufficient_funds');
    if (!known && mode === 'used') return failed('invalid_exact_evm_nonce_already_used');
    if (!known && mode === 'duplicate') return failed('duplicate_settlement');
    if (!known && mode === 'expire')
      return { output: { success: false, transaction: 'x', network, errorReason: 'authorization_expired' } };
    if (mode === 'pending') return failed('settlement_pending');
    if (!known && mode === 'revert')
      return {
        output: { success: false, transaction: `0x${'ee'.repeat(32)}`, network, errorReason: 'reverted' },
      };
    const body = JSON.stringify(payment);
    const transaction = `0x${String(this.settled.size + 1).padStart(64, '0')}`;
    if (!known) this.settled.set(id, { callKey, body, amount, payTo, transaction, finalAtMs: Date.now() });
    const settled = this.settled.get(id)!;
    if (settled.callKey !== callKey || settled.body !== body) return failed('duplicate_settlement');
    await this.beforeAnswer();
    if (mode === 'lost') return { failure: { code: 'SERVICE_UNAVAILABLE', message: 'no reply' } };
    return { output: { success: true, transaction: settled.transaction, network, amount } };
  }

  /** Settles like a client of the public `/settle`. */
  settleFor({ paymentPayload, paymentRequirements }: Record<string, any>): void {
    const { from, nonce } = authorizationIn(paymentPayload.payload, paymentRequirements);
    const { amount, payTo } = paymentRequirements;
    const transaction = base58.encode(randomBytes(64));
    this.settled.set(`${from}${nonce}`, {
      callKey: 'of another client',
      body: '',
      amount,
      payTo,
      transaction,
      finalAtMs: Date.now(),
    });
  }

  private settlementOf({ paymentPayload, paymentRequirements }: Record<string, any>) {
    const { from, nonce } = authorizationIn(paymentPayload.payload, paymentRequirements);
    const known = this.settled.get(`${from}${nonce}`);
    return known
      ? { state: 'final', transaction: known.transaction, amount: known.amount }
      : { state: 'none' };
  }

  private listReceived({ network, payTo, sinceMs }: Record<string, any>) {
    if (!String(network).startsWith('solana:')) return [];
    return [...this.settled]
      .filter(([, settlement]) => settlement.payTo === payTo && settlement.finalAtMs >= sinceMs)
      .sort(([, one], [, other]) => one.finalAtMs - other.finalAtMs)
      .slice(0, mostReceived)
      .map(([id, { amount, transaction, finalAtMs }]) => {
        const [payer, nonce] = [id.slice(0, id.indexOf('0x')), id.slice(id.indexOf('0x'))];
        return { payer, nonce, asset: usdcMint, amount, transaction, finalAtMs };
      });
  }

  /** Returns the amount that an address has received. */
  received(address: string): bigint {
    const own = [...this.settled.values()].filter(
      ({ payTo }) => payTo.toLowerCase() === address.toLowerCase(),
    );
    return own.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
  }
}

/** Reads the authorization of an EVM token, or of a Solana transaction. */
function authorizationIn(
  payload: Record<string, any>,
  { asset, payTo: to }: Record<string, string>,
): Authorization {
  if (payload['authorization']) {
    const { from, nonce } = payload['authorization'] as Authorization;
    return { from, to: to!, nonce: nonce.toLowerCase() };
  }
  const { payer: from, nonce } = readTransfer(payload['transaction'], asset!)!;
  return { from, to: to!, nonce };
}

/** Fakes the charges of nanopay. */
export class FakeCharges {
  readonly charged = new Map<string, 'charged' | 'voided'>();
  service: FakeService;
  mode: Mode = 'settle';

  static async start(natsUrl: string): Promise<FakeCharges> {
    const fake = new FakeCharges();
    fake.service = await startFakeService(natsUrl, 'op.nanopay.>', (call) => fake.answer(call));
    return fake;
  }

  private answer({ subject, input }: FakeServiceCall): FakeServiceAnswer {
    if (subject.endsWith('charge-offers')) {
      const extra = { name: 'TonNanoPay', version: '1', verifyingContract: `0:${'cd'.repeat(32)}` };
      const { payTo, method } = input;
      const offer = { scheme: 'ton-nanopay', amount: '1', payTo, extra: { ...extra, method } };
      const offers = [
        { ...offer, network: 'ton-mainnet', asset: 'USDT' },
        { ...offer, network: 'tvm:-239', asset: `0:${'b1'.repeat(32)}` },
      ];
      return { output: { offers } };
    }
    const { callKey } = input as { callKey: string };
    const known = this.charged.get(callKey);
    if (subject.endsWith('void-charge')) {
      if (known === undefined) return { output: { outcome: 'none' } };
      this.charged.set(callKey, 'voided');
      return { output: { outcome: 'refunded' } };
    }
    const reply = { success: false, transaction: '', network: 'tvm:-239', extra: {} };
    if (this.mode === 'duplicate') return { output: { ...reply, errorReason: 'duplicate_settlement' } };
    if (this.mode === 'reject' || known === 'voided')
      return { output: { ...reply, errorReason: 'insufficient_funds' } };
    this.charged.set(callKey, 'charged');
    if (this.mode === 'lost') return { failure: { code: 'SERVICE_UNAVAILABLE', message: 'no reply' } };
    return { output: { ...reply, success: true, transaction: 'ab'.repeat(16) } };
  }
}
