import { Inject, Injectable } from '@nestjs/common';
import { ServiceConfig } from '@tollbridge/bootstrap';
import { salesApi, type SaleQuote, type SaleReply, type SoldCall } from '@tollbridge/contracts';
import { isPaymentAuthorization, paymentReceipt, readPaymentJson } from '@tollbridge/nanopay-protocol';
import {
  BusClient,
  DomainError,
  errorCodes,
  type ErrorCode,
  type FieldError,
  type Operation,
} from '@tollbridge/rpc';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { unauthorized } from '../auth/rejections';
import type { GatewayConfig } from '../config';
import { bazaarOfOperation } from '../discovery/sold-routes';
import { jsonType, sendOutput } from '../http/replies';
import type { InputReader } from '../operations/input-readers';
import { isProblem, PaymentChallenges } from './payment-challenges';
import { paymentHeader, paymentReceiptHeader, purchaseTokenHeader } from './sale-headers';
import { sendPaymentRequired, sendReceipt, type SoldResource, type Unpaid } from './payment-required';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether the client has no credentials and the operation is sold. */
    isSale: boolean;
  }
}

/** Answers calls without credentials to operations that are sold. service-api prices, charges and buys. */
@Injectable()
export class PaidOperations {
  private readonly challenges: PaymentChallenges;

  constructor(
    private readonly bus: BusClient,
    @Inject(ServiceConfig) private readonly config: Pick<GatewayConfig, 'GATEWAY_PUBLIC_URL'>,
  ) {
    this.challenges = new PaymentChallenges(config.GATEWAY_PUBLIC_URL);
  }

  async answer(
    operation: Operation,
    readInput: InputReader,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    if (operation.sale === 'reads') return this.read(operation, inputOf(readInput, request), request, reply);
    const payment = this.paymentIn(operation, request);
    if (payment === undefined) return this.demand(operation, readInput, request, reply);
    if (isProblem(payment)) {
      const { reason: errorReason, message: errorMessage } = payment;
      const unpaid = { success: false, errorReason, errorMessage, transaction: '', network: 'unknown' };
      return this.demand(operation, readInput, request, reply, unpaid);
    }
    const call = { operation: operation.subject, input: inputOf(readInput, request), payment };
    const { sell, sellAwaited } = salesApi.operations;
    const sold = await this.bus.call(operation.endsWithCaller ? sellAwaited : sell, call, request.call);
    if (sold.outcome === 'unpaid') return this.demand(operation, readInput, request, reply, sold.receipt);
    sendReceipt(reply, sold.receipt);
    if (sold.outcome === 'declined') throw failureOf(sold);
    if (isPaymentAuthorization(request.headers.authorization))
      reply.header(paymentReceiptHeader, paymentReceipt(String(sold.receipt.transaction), Date.now()));
    if (sold.purchaseToken !== undefined) reply.header(purchaseTokenHeader, sold.purchaseToken);
    return sendOutput(reply, operation, { bytes: Buffer.from(JSON.stringify(sold.output)) });
  }

  /**
   * The payment in either of its forms; undefined without one.
   * @throws DomainError VALIDATION_ERROR for a malformed payment, and for two payments, because the intended one is
   * unknown
   */
  private paymentIn(
    operation: Operation,
    request: FastifyRequest,
  ): ReturnType<PaymentChallenges['read']> | undefined {
    const header = request.headers[paymentHeader];
    const { authorization } = request.headers;
    if (!isPaymentAuthorization(authorization)) {
      if (header === undefined) return undefined;
      const payment = typeof header === 'string' ? readPaymentJson(header) : undefined;
      return (
        payment ??
        malformed('Payment-Signature', 'must be a payment of x402 version 2: JSON in base64, sent once')
      );
    }
    if (header !== undefined) malformed('Payment-Signature', 'must not be sent with Authorization: Payment');
    const { url } = this.resourceOf(operation, request);
    return this.challenges.read(authorization, { method: request.method, url });
  }

  /** Returns the 402 before the input is validated, because clients that discover services send no input. */
  private async demand(
    operation: Operation,
    readInput: InputReader,
    request: FastifyRequest,
    reply: FastifyReply,
    unpaid?: Unpaid,
  ): Promise<FastifyReply> {
    const { input, problems } = hasBody(request) ? readableInput(readInput, request) : {};
    const call = { operation: operation.subject, ...(input && { input }) };
    const quote = await this.quote(call, request);
    if (quote.accepts.length === 0)
      throw new DomainError(
        'SERVICE_UNAVAILABLE',
        'Payments cannot be taken at present. Retry, or use an API key.',
      );
    const resource = this.resourceOf(operation, request);
    const { method } = request;
    const challenges = this.challenges.headerFor(quote.accepts, { method, url: resource.url });
    const bazaar = bazaarOfOperation(operation);
    const stated = { ...quote, ...(problems && { problems }) };
    return sendPaymentRequired(reply, resource, stated, { challenges, bazaar, unpaid });
  }

  private async quote(call: SoldCall, request: FastifyRequest): Promise<SaleQuote> {
    try {
      return await this.bus.call(salesApi.operations.quoteSale, call, request.call);
    } catch (error) {
      // The operator sells other operations, but not this one.
      const isUnsold = (error as DomainError).code === 'NOT_FOUND';
      throw isUnsold ? unauthorized('missing') : error;
    }
  }

  private async read(
    { subject }: Operation,
    input: Record<string, unknown>,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const token = String(request.headers[purchaseTokenHeader]);
    const call = { operation: subject, input, token };
    const { output } = await this.bus.call(salesApi.operations.readSold, call, request.call);
    return reply.header('content-type', jsonType).send(JSON.stringify(output));
  }

  private resourceOf({ summary }: Operation, { url }: FastifyRequest): SoldResource {
    const base = this.config.GATEWAY_PUBLIC_URL.replace(/\/+$/, '');
    return { url: base + url.split('?', 1)[0]!, description: summary, mimeType: 'application/json' };
  }
}

function malformed(field: string, message: string): never {
  throw DomainError.invalid([{ field, message }]);
}

const inputOf = (readInput: InputReader, request: FastifyRequest): Record<string, unknown> =>
  JSON.parse(readInput(request).toString()) as Record<string, unknown>;

/** @returns the field errors of a body that cannot be read */
function readableInput(
  readInput: InputReader,
  request: FastifyRequest,
): { input?: Record<string, unknown>; problems?: FieldError[] } {
  try {
    return { input: inputOf(readInput, request) };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const isList = Array.isArray(error.details);
    return {
      problems: isList
        ? (error.details as FieldError[])
        : [{ field: 'body', message: 'must be a JSON object' }],
    };
  }
}

const hasBody = ({ body }: FastifyRequest): boolean => Buffer.isBuffer(body) && body.length > 0;

function failureOf({ failure = {} }: SaleReply): DomainError {
  const { code, message, details } = failure;
  const isCode = typeof code === 'string' && Object.hasOwn(errorCodes, code);
  return new DomainError(isCode ? (code as ErrorCode) : 'PURCHASE_REFUSED', message as string | undefined, {
    details,
  });
}
