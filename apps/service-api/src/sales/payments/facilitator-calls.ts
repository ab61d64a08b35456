import { facilitatorApi, type FacilitatedSettleReply } from '@tollbridge/contracts';
import { DomainError, type BusClient } from '@tollbridge/rpc';
import { createHash } from 'node:crypto';
import type { StoredPayment } from '../sale';
import { isUnanswered } from './sale-payments';

/** Returns the key of a call. The facilitator returns the success of a settlement to one key only. */
export const facilitatorKeyOf = (purpose: string, saleId: string): string =>
  createHash('sha256').update(`sale ${purpose} ${saleId}`).digest('hex').slice(0, 32);

/** @returns undefined while the outcome is unknown */
export async function settleByFacilitator(
  bus: BusClient,
  { paymentPayload, paymentRequirements }: StoredPayment,
  callKey: string,
): Promise<FacilitatedSettleReply | undefined> {
  try {
    const call = { paymentPayload, paymentRequirements, callKey };
    const reply = await bus.call(facilitatorApi.operations.settleFacilitated, call);
    return reply.errorReason === 'settlement_pending' ? undefined : reply;
  } catch (error) {
    // The facilitator checks its rate limit before it claims a payment.
    if (error instanceof DomainError && error.code === 'RATE_LIMIT_EXCEEDED') return limited;
    if (isUnanswered(error)) return undefined;
    throw error;
  }
}

const limited: FacilitatedSettleReply = {
  success: false,
  transaction: '',
  network: '',
  errorReason: 'rate_limited',
  errorMessage: 'Too many payments of this payer. Pay again in a minute.',
};
