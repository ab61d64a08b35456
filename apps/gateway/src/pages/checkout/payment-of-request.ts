import { paymentsApi, type PaymentStatusReply } from '@tollbridge/contracts';
import { DomainError, type BusClient } from '@tollbridge/rpc';
import type { FastifyRequest } from 'fastify';

const { paymentStatus } = paymentsApi.operations;

/**
 * The payment of the path `/checkout/{id}/{payment}`.
 * @throws DomainError NOT_FOUND when the payment belongs to another request
 */
export async function paymentOfRequest(
  bus: BusClient,
  { params, call }: Pick<FastifyRequest, 'params' | 'call'>,
): Promise<PaymentStatusReply> {
  const { id, payment } = params as { id: string; payment: string };
  const status = await bus.call(paymentStatus, { id: payment }, call);
  if (status.payment_id !== payment || status.payment_request_id !== id)
    throw new DomainError('NOT_FOUND', 'This payment request has no such payment. Check both ids.');
  return status;
}
