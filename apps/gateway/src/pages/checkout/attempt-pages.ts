import { Inject, Injectable } from '@nestjs/common';
import { ServiceConfig } from '@tollbridge/bootstrap';
import { ordersApi, paymentAttemptsApi, paymentsApi, type AttemptAction } from '@tollbridge/contracts';
import { BusClient, DomainError } from '@tollbridge/rpc';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GatewayConfig } from '../../config';
import { requestStateId } from '../../live-state/resource';
import { declareLike, type OwnRoute } from '../../routes/gateway-route';
import { formFields, type PageHandler } from '../serving/page-handler';
import { paymentOfRequest } from './payment-of-request';
import { expectSameOrigin } from '../serving/same-origin';

const { reportTransaction } = ordersApi.operations;
const { executePayment, paymentStatus } = paymentsApi.operations;

/** Used only by the script of the page, before and after it opens a wallet. */
export const changeAttempt: OwnRoute = {
  kind: 'own',
  isAdmitted: true,
  declaration: declareLike(executePayment, 'changeAttempt', {
    path: '/checkout/{id}/{payment}/attempt',
    pathFields: ['id', 'payment'],
    summary: 'Claim, renew, release or complete the attempt to pay a payment request',
  }),
};

/** Used only by the script of the options page. It is cheap, whereas loading the page requests quotes. */
export const readRequestState: OwnRoute = {
  kind: 'own',
  isAdmitted: true,
  declaration: declareLike(paymentStatus, 'readRequestState', {
    path: '/checkout/{id}/state',
    pathFields: ['id'],
    summary: 'Read the name of the state of a payment request',
  }),
};

/** The requests of the pages' script: before a wallet opens, and while the options are shown. */
@Injectable()
export class AttemptPages {
  constructor(
    private readonly bus: BusClient,
    @Inject(ServiceConfig) private readonly config: Pick<GatewayConfig, 'GATEWAY_PUBLIC_URL'>,
  ) {}

  readonly handlers: readonly PageHandler[] = [
    { route: changeAttempt, handle: (request, reply) => this.change(request, reply) },
    { route: readRequestState, handle: (request, reply) => this.readState(request, reply) },
  ];

  private async change(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    expectSameOrigin(request, this.config.GATEWAY_PUBLIC_URL);
    const fields = formFields(request, ['action', 'holder', 'version', 'warned', 'tx_hash']);
    const { payment_id, order_id } = await paymentOfRequest(this.bus, request);
    const tx_hash = fields.get('tx_hash') ?? '';
    const action = (fields.get('action') ?? '') as AttemptAction;
    const asked = {
      payment_id,
      action,
      holder: fields.get('holder') ?? '',
      version: Number(fields.get('version') ?? 0),
      is_warned: fields.get('warned') === '1',
      ...(tx_hash !== '' && { tx_hash }),
    };
    const outcome = await this.bus.call(paymentAttemptsApi.operations.changeAttempt, asked, request.call);
    if (action === 'send' && tx_hash !== '') await this.report(order_id, tx_hash, request);
    return reply.send(outcome);
  }

  /**
   * Reports the transaction so that the service finds the payment sooner. The service may have found this or another
   * payment already.
   */
  private async report(id: string, tx_hash: string, { call }: FastifyRequest): Promise<void> {
    try {
      await this.bus.call(reportTransaction, { id, tx_hash }, call);
    } catch (error) {
      // The page retries reports that may succeed later.
      if (!(error instanceof DomainError) || error.status >= 500) throw error;
    }
  }

  /** Returns null before the first payment of the request, because no attempt is possible then. */
  private async readState(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { id } = request.params as { id: string };
    try {
      const { payment_request } = await this.bus.call(paymentStatus, { id }, request.call);
      return await reply.send({ state: requestStateId(payment_request) });
    } catch (error) {
      if (error instanceof DomainError && error.code === 'NOT_FOUND') return reply.send({ state: null });
      throw error;
    }
  }
}
