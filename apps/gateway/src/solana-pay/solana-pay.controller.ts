import { Body, Controller, Get, HttpCode, Inject, Param, Post, Req, Res } from '@nestjs/common';
import { ServiceConfig } from '@tollbridge/bootstrap';
import { findChain, findToken } from '@tollbridge/chains';
import { ordersApi, type OrderReply } from '@tollbridge/contracts';
import { formatUnits } from '@tollbridge/money';
import { BusClient, DomainError, type FieldError } from '@tollbridge/rpc';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GatewayConfig } from '../config';
import { asDomainError, failureText } from '../http/replies';
import { readJsonObject } from '../operations/json-body';

const { getOrder, walletCall } = ordersApi.operations;
const solana = findChain('solana')!;

/** Solana Pay: a wallet reads the QR code of an order, and requests the transaction that pays it. */
@Controller('solana-pay')
export class SolanaPayController {
  private readonly base: string;

  constructor(
    private readonly bus: BusClient,
    @Inject(ServiceConfig) config: Pick<GatewayConfig, 'GATEWAY_PUBLIC_URL'>,
  ) {
    this.base = config.GATEWAY_PUBLIC_URL.replace(/\/+$/, '');
  }

  @Get(':id')
  read(@Param('id') id: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    return this.answer(request, reply, async () => {
      const { merchant_id: label } = await this.orderOf(id, request);
      return { label, icon: this.base + solana.logo };
    });
  }

  @Post(':id')
  @HttpCode(200)
  make(
    @Param('id') id: string,
    @Body() body: Buffer | undefined,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ) {
    return this.answer(request, reply, async () => {
      const payer = accountIn(body);
      const order = await this.orderOf(id, request);
      const { wallet_call: call } = await this.bus
        .call(walletCall, { id, payer }, request.call)
        .catch((error: unknown) => Promise.reject(namingAccount(error)));
      const { transaction } = call!.solana!;
      return { transaction, message: `Pay ${amountOf(order)}` };
    });
  }

  private async orderOf(id: string, { call }: FastifyRequest): Promise<OrderReply> {
    const order = await this.bus.call(getOrder, { id }, call);
    if (order.method !== 'Direct' || order.pay_blockchain !== solana.id)
      throw new DomainError('ROUTE_UNAVAILABLE', 'This order is not paid by a transaction of Solana.');
    return order;
  }

  /** Sends failures with a `message`, which wallets show. */
  private async answer(
    request: FastifyRequest,
    reply: FastifyReply,
    work: () => Promise<object>,
  ): Promise<void> {
    try {
      void reply.send(await work());
    } catch (thrown) {
      const error = asDomainError(thrown);
      // The filter of all routes logs the error.
      if (error.code === 'INTERNAL_ERROR') throw thrown;
      request.failureCode = error.code;
      const { requestId } = request.call;
      const failure = JSON.parse(failureText('bare', error, { requestId, publicUrl: this.base })) as object;
      void reply.code(error.status).send({ ...failure, message: error.message });
    }
  }
}

/** Renames the operation's field `payer` to `account`, its name in Solana Pay. */
function namingAccount(error: unknown): unknown {
  if (!(error instanceof DomainError) || error.code !== 'VALIDATION_ERROR') return error;
  const errors = (error.details ?? []) as FieldError[];
  return DomainError.invalid(
    errors.map(({ field, message }) => ({ field: field === 'payer' ? 'account' : field, message })),
  );
}

/** Ignores other members, because wallets may send more than the protocol specifies. */
function accountIn(body: Buffer | undefined): string {
  const { account } = readJsonObject(body ?? Buffer.alloc(0));
  if (typeof account !== 'string' || account.length > 64)
    throw new DomainError('VALIDATION_ERROR', 'account must be the address of the wallet that pays.');
  return account;
}

function amountOf({ merchant_amount, fee_amount, pay_token }: OrderReply): string {
  const { decimals } = findToken(solana, pay_token)!;
  return `${formatUnits(BigInt(merchant_amount) + BigInt(fee_amount), decimals)} ${pay_token}`;
}
