import { Injectable } from '@nestjs/common';
import { paymentRequestsApi, sandboxApi } from '@tollbridge/contracts';
import { BusClient, walletPrincipal } from '@tollbridge/rpc';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { declareLike, type OwnRoute } from '../../routes/gateway-route';
import type { PageHandler } from '../serving/page-handler';

const { createPaymentRequest } = paymentRequestsApi.operations;
const { describe } = sandboxApi.operations;

/** A route of the sandbox only, because only there visitors may create payment requests of the demo merchant. */
export const startFirstPayment: OwnRoute = {
  kind: 'own',
  isAdmitted: true,
  declaration: declareLike(describe, 'startFirstPayment', {
    method: 'POST',
    path: '/first-payment',
    summary: 'Create a payment request of the demo merchant and open its checkout page',
  }),
};

/** For example `2026-11-28 14:50:12 UTC`. */
const secondNow = () => `${new Date().toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/** The button of the landing page: creates a payment request of 1 USDC to the demo merchant. */
@Injectable()
export class FirstPayment {
  constructor(private readonly bus: BusClient) {}

  readonly handlers: readonly PageHandler[] = [
    { route: startFirstPayment, handle: (request, reply) => this.start(request, reply) },
  ];

  private async start({ call }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { merchant, chains, accounts } = await this.bus.call(describe, {}, call);
    const input = {
      amount: '1000000',
      currency: 'USDC',
      chain: chains[0]!.caip2,
      receive_address: accounts.find(({ role }) => role === 'merchant')!.address,
      // Contains the time, so that several of them differ in the dashboard.
      description: `Demo payment of ${secondNow()}. It moves test money on a local chain.`,
    };
    const asMerchant = { ...call, principal: walletPrincipal(merchant.wallet) };
    const { id } = await this.bus.call(createPaymentRequest, input, asMerchant);
    return reply.redirect(`/checkout/${id}`, 303);
  }
}
