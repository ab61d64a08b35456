import { ProviderError, type ProviderClient, type ProviderRequest } from '@tollbridge/http';
import type { Wallet } from 'ethers';
import { issuerUnavailable, readOr, rejectionOf, declined } from '../issuer-failures';
import { readOffer, declinedPayment, signPayment } from './payment';

export interface PaidRequest {
  path: string;
  query?: ProviderRequest['query'];
  amountAtomic: bigint;
  /** 32 bytes. The token contract accepts each nonce once. */
  nonce: string;
  /** Time-out of the paid request. The price request has the client's default. */
  timeoutMs: number;
}

/** Error codes of the protocol that prove that a payment was not settled. */
const surelyUnpaid = /^(insufficient_funds|invalid_\w+|unsupported_scheme)$/;

/** Sends requests that are paid by x402. */
export class LasoPayments {
  constructor(
    private readonly client: ProviderClient,
    private readonly wallet: Wallet,
    private readonly now: () => number,
  ) {}

  /** Requests the price, pays it once, and returns the reply. */
  async buy({ path, query = {}, amountAtomic, nonce, timeoutMs }: PaidRequest): Promise<unknown> {
    const request = { method: 'GET' as const, path, query };
    const header = await this.priceOf(request);
    const offer = readOr('laso', 'unavailable', () => readOffer(header, amountAtomic));
    const signature = await signPayment(this.wallet, offer, { nonce, nowMs: this.now() });
    const headers = { 'payment-signature': signature };
    return this.client
      .request({ ...request, headers, changesSomething: true, timeoutMs })
      .catch((error: unknown) => {
        throw unpaid(error);
      });
  }

  private async priceOf(request: ProviderRequest): Promise<string | null> {
    try {
      await this.client.request(request);
    } catch (error) {
      if (!(error instanceof ProviderError) || error.kind !== 'rejected') throw error;
      if (error.status === 402) return error.headers?.get('payment-required') ?? null;
      throw rejectionOf(error, 'DECLINED');
    }
    throw new ProviderError('laso', {
      kind: 'unknownOutcome',
      message: 'answered a request that was not paid',
    });
  }
}

/** Converts the rejection of a paid request. */
function unpaid(error: unknown): unknown {
  if (!(error instanceof ProviderError) || error.kind !== 'rejected') return error;
  // A rejected request is not charged.
  if (error.status !== 402) return rejectionOf(error, 'DECLINED');
  const reason = declinedPayment(error.headers?.get('payment-required') ?? null) ?? '';
  if (reason === 'insufficient_funds') return declined('ISSUER_OUT_OF_FUNDS', error);
  if (surelyUnpaid.test(reason)) return issuerUnavailable(error);
  // The transfer may still be settled.
  const message = 'rejected a payment without a reason that proves that it was not settled';
  return new ProviderError('laso', { kind: 'unknownOutcome', message, cause: error });
}
