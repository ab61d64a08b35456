import { ProviderError, type ProviderClient, type ProviderRequest } from '@tollbridge/http';
import type { Wallet } from 'ethers';
import { notLetIn, readOr, refusalBy, refused } from '../issuer-failures';
import { readOffer, refusedPayment, signPayment } from './payment';

export interface PaidRequest {
  path: string;
  query?: ProviderRequest['query'];
  amountAtomic: bigint;
  /** 32 bytes: the token takes it once. */
  nonce: string;
  /** For the paid request; asking for the price is quick. */
  timeoutMs: number;
}

/** Words of the protocol for a payment that was looked at and surely not carried out. */
const surelyUnpaid = /^(insufficient_funds|invalid_\w+|unsupported_scheme)$/;

/** Calls that are paid for as they are made. */
export class LasoPayments {
  constructor(
    private readonly client: ProviderClient,
    private readonly wallet: Wallet,
    private readonly now: () => number,
  ) {}

  /** Asks for the price, pays exactly that, once, and answers what was bought. */
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
      throw refusalBy(error, 'DECLINED');
    }
    throw new ProviderError('laso', { kind: 'unknownOutcome', message: 'served what was not paid for' });
  }
}

/** What it means that a paid request was refused. */
function unpaid(error: unknown): unknown {
  if (!(error instanceof ProviderError) || error.kind !== 'rejected') return error;
  // It takes no money for what it refuses.
  if (error.status !== 402) return refusalBy(error, 'DECLINED');
  const reason = refusedPayment(error.headers?.get('payment-required') ?? null) ?? '';
  if (reason === 'insufficient_funds') return refused('ISSUER_OUT_OF_FUNDS', error);
  if (surelyUnpaid.test(reason)) return notLetIn(error);
  // The transfer may be on its way all the same.
  const message = 'did not take a payment, and does not say that it came to nothing';
  return new ProviderError('laso', { kind: 'unknownOutcome', message, cause: error });
}
