import { Injectable } from '@nestjs/common';
import { nanoChargesApi } from '@tollbridge/contracts';
import { BusClient } from '@tollbridge/rpc';
import type { Sale } from '../sale';
import { isUnanswered, unpaid, type Refund, type SalePayments, type Settlement } from './sale-payments';

const callKeyOf = ({ id }: Sale): string => id.replaceAll('-', '');

/** `ton-nanopay`: the ledger charges immediately. A refund uses the key of the charge. */
@Injectable()
export class NanoPayments implements SalePayments {
  constructor(private readonly bus: BusClient) {}

  async settle(sale: Sale): Promise<Settlement> {
    const charge = { ...sale.payment, callKey: callKeyOf(sale) };
    try {
      const reply = await this.bus.call(nanoChargesApi.operations.chargePayment, charge);
      if (reply.success) return { kind: 'settled', transaction: reply.transaction };
      // An earlier attempt may have charged, even if the ledger rejects this attempt, for example as expired.
      if (sale.settleTries > 1 && (await this.refund(sale)).kind === 'later') return { kind: 'unknown' };
      return unpaid(reply.errorReason, reply.errorMessage);
    } catch (error) {
      if (isUnanswered(error)) return { kind: 'unknown' };
      throw error;
    }
  }

  newRefund(): never {
    throw new Error('the ledger refunds without an authorization');
  }

  async refund(sale: Sale): Promise<Refund> {
    const charge = { ...sale.payment, callKey: callKeyOf(sale) };
    try {
      const { outcome } = await this.bus.call(nanoChargesApi.operations.voidCharge, charge);
      // The seller has withdrawn the balance. A later attempt succeeds when new sales have filled it.
      return outcome === 'paid_out'
        ? { kind: 'later' }
        : { kind: 'refunded', transaction: sale.transaction ?? '' };
    } catch (error) {
      if (isUnanswered(error)) return { kind: 'later' };
      throw error;
    }
  }
}
