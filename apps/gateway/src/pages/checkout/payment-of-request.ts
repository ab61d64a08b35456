import { paymentsApi, type PaymentStatusReply } from '@tollbridge/contracts';
import { DomainError, type BusClient } from '@tollbridge/rpc';
import type { FastifyRequest } from 'fastify';

const { paymentStatus } = paymentsApi.operations;

/**
 * The payment that the path `/checkout/{id}/{payment}` names.
 * @throws DomainError NOT_FOUND where the payment belongs to another request
 */
export async function paymentOfRequest(
  bus: BusClient,
  { params, call }: FastifyRequest,
): Promise<PaymentStatusReply> {
  const { id, payment } = params as { id: string; payment: string };
  const status = await bus.call(paymentStatus, { id: payment }, call);
  if (status.payment_id !== payment || status.payment_request_id !== id)
    throw new DomainError('NOT_FOUND', 'This payment request has no such payment. Check both ids.');
  return status;
}
