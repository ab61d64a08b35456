import { Injectable } from '@nestjs/common';
import { readPayment, type PaymentProblem, type ReceivedPayment } from '../received-payment';
import { isSolana, type PaymentIdentity } from '../sale';
import { SolanaSales } from '../solana/open-solana';
import { ExactPayments } from './exact-payments';
import { NanoPayments } from './nano-payments';
import type { SalePayments } from './sale-payments';
import { SolanaPayments } from './solana-payments';

/** The x402 schemes that clients can pay sales with. */
@Injectable()
export class PaymentSchemes {
  constructor(
    private readonly exact: ExactPayments,
    private readonly nano: NanoPayments,
    private readonly solanaPayments: SolanaPayments,
    private readonly solana: SolanaSales,
  ) {}

  read(payment: Record<string, unknown>): ReceivedPayment | PaymentProblem {
    return readPayment(payment, this.solana.wallet);
  }

  /** Returns the implementation that settles and refunds a payment. */
  of({ scheme, network }: Pick<PaymentIdentity, 'scheme' | 'network'>): SalePayments {
    if (scheme !== 'exact') return this.nano;
    return isSolana(network) ? this.solanaPayments : this.exact;
  }
}
