import { Injectable } from '@nestjs/common';
import { approvalsApi, ordersApi } from '@tollbridge/contracts';
import { BusClient } from '@tollbridge/rpc';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { declareLike, type OwnRoute } from '../../routes/gateway-route';
import type { PageHandler } from '../serving/page-handler';
import { paymentOfRequest } from './payment-of-request';

const { walletCall } = ordersApi.operations;
const { approvalState } = approvalsApi.operations;

/**
 * Used only by the script of the page. It queries a node, so it has the limits of the operation that queries a node.
 */
export const readApproval: OwnRoute = {
  kind: 'own',
  isAdmitted: true,
  declaration: declareLike(walletCall, 'readApproval', {
    path: '/checkout/{id}/{payment}/approval/{tx}',
    pathFields: ['id', 'payment', 'tx'],
    summary: 'Read whether the approval of a payment is in a block',
  }),
};

/** Returns the state of an approval that a wallet on another device has sent. */
@Injectable()
export class ApprovalPages {
  constructor(private readonly bus: BusClient) {}

  readonly handlers: readonly PageHandler[] = [
    { route: readApproval, handle: (request, reply) => this.read(request, reply) },
  ];

  private async read(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { tx } = request.params as { tx: string };
    const { order_id: id } = await paymentOfRequest(this.bus, request);
    const input = { id, tx_hash: tx };
    return reply.send(await this.bus.call(approvalState, input, request.call));
  }
}
