import { Inject, Injectable } from '@nestjs/common';
import { ServiceConfig } from '@tollbridge/bootstrap';
import {
  demoPayerApi,
  ordersApi,
  sandboxControlsApi,
  sandboxOrdersApi,
  type OrderReply,
  type PaymentStatusReply,
  type WalletCall,
} from '@tollbridge/contracts';
import { BusClient, DomainError, type CallContext } from '@tollbridge/rpc';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GatewayConfig } from '../../config';
import { declareLike, type OwnRoute } from '../../routes/gateway-route';
import { formFields, type PageHandler } from '../serving/page-handler';
import { paymentOfRequest } from './payment-of-request';
import { expectSameOrigin } from '../serving/same-origin';
import {
  amountDue,
  callsToPay,
  isOnLedger,
  sandboxActionsOf,
  transferOf,
  type SandboxAction,
} from './sandbox-panel';
import { languageOf } from '../texts/languages';

const { getOrder } = ordersApi.operations;
const { depositToLedger, passDeadline } = sandboxControlsApi.operations;
const { sendCalls } = demoPayerApi.operations;
const { expireOrder } = sandboxOrdersApi.operations;

/** A route of the sandbox only, with the limits of the sandbox controls. */
export const useSandboxPanel: OwnRoute = {
  kind: 'own',
  isAdmitted: true,
  declaration: declareLike(passDeadline, 'useSandboxPanel', {
    path: '/checkout/{id}/{payment}/sandbox',
    pathFields: ['id', 'payment'],
    summary: 'Let the demo payer pay a payment of the sandbox, or let it expire',
  }),
};

/** One payment, and the action on it. */
interface Job {
  status: PaymentStatusReply;
  order: OrderReply | undefined;
  call: CallContext;
}

/** The sandbox panel of the checkout: pays the exact amount, a part or late, and expires the payment. */
@Injectable()
export class SandboxPanelPages {
  constructor(
    private readonly bus: BusClient,
    @Inject(ServiceConfig) private readonly config: Pick<GatewayConfig, 'GATEWAY_PUBLIC_URL'>,
  ) {}

  readonly handlers: readonly PageHandler[] = [
    { route: useSandboxPanel, handle: (request, reply) => this.act(request, reply) },
  ];

  private async act(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    expectSameOrigin(request, this.config.GATEWAY_PUBLIC_URL);
    const action = formFields(request, ['action']).get('action') as SandboxAction;
    const { call } = request;
    const status = await paymentOfRequest(this.bus, request);
    const order = await this.bus.call(getOrder, { id: status.order_id }, call);
    if (!sandboxActionsOf(status, order).includes(action))
      throw new DomainError('CONFLICT', 'This is not possible with this payment now. Reload its page.');
    await this.run(action, { status, order, call });
    const path = `/checkout/${status.payment_request_id}/${status.payment_id}`;
    return reply.redirect(languageOf(request).href(path), 303);
  }

  private async run(action: SandboxAction, job: Job): Promise<void> {
    const { status, order } = job;
    if (action === 'late' || action === 'expire') await this.expire(job);
    if (action === 'expire') return;
    const due = amountDue(status, order);
    const amount = action === 'underpay' ? due / 2n : due;
    if (isOnLedger(status)) return this.depositToLedger(job, amount);
    const calls = callsToPay(status, order);
    await this.send(job, action === 'underpay' ? [transferOf(calls[0]!, amount)] : calls);
  }

  /** Also moves the clock past the deadline of the route provider. */
  private async expire({ status, call }: Job): Promise<void> {
    const { cross_chain: deposit } = status.order;
    if (deposit) await this.bus.call(passDeadline, depositOf(deposit), call);
    await this.bus.call(expireOrder, { id: status.order_id }, call);
  }

  private async depositToLedger({ status, call }: Job, amountAtomic: bigint): Promise<void> {
    const deposit = depositOf(status.order.cross_chain!);
    await this.bus.call(depositToLedger, { ...deposit, amount: String(amountAtomic) }, call);
  }

  private async send({ status, call }: Job, calls: WalletCall[]): Promise<void> {
    await this.bus.call(sendCalls, { chain: status.from_chain, calls }, call);
  }
}

function depositOf({
  deposit_address,
  deposit_memo: memo,
}: {
  deposit_address: string;
  deposit_memo: string | null;
}) {
  return { deposit_address, ...(memo !== null && { deposit_memo: memo }) };
}
