import { Inject, Injectable } from '@nestjs/common';
import { ServiceLogger } from '@tollbridge/bootstrap';
import type { SaleReply } from '@tollbridge/contracts';
import type { Logger } from '@tollbridge/observability';
import { DomainError, payerPrincipal, type CallContext } from '@tollbridge/rpc';
import { isDecline } from './declines';
import { SaleTokens } from './offer-token';
import { declinedReply, servedReply } from './replies';
import { walletOf, type Sale } from './sale';
import { saleKeyOf, SalesRepository } from './sales.repository';
import { SoldResponses } from './sold-responses';
import { SoldServices, type SoldService } from './sold-services';

/** Executes paid operations, and reads the purchases that they made. */
@Injectable()
export class SaleFulfilment {
  constructor(
    private readonly services: SoldServices,
    private readonly sales: SalesRepository,
    private readonly responses: SoldResponses,
    private readonly tokens: SaleTokens,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {}

  /** Executes the operation. Its purchase is made once; a repeated call reads it. */
  async execute(sale: Sale, service: SoldService, input: unknown, context: CallContext): Promise<SaleReply> {
    if (service.response) {
      const response = await this.responses.respond(sale, service, input, saleContext(sale, context));
      return 'output' in response ? servedReply(sale, response.output) : declinedReply(response.refunded);
    }
    let output: unknown;
    try {
      output = await service.run(input, saleContext(sale, context));
    } catch (error) {
      if (!isDecline(error)) throw error;
      const { code, message, details } = error;
      const decided = await this.sales.decide(sale, { code, message, details });
      // A concurrent call has bought it.
      if (decided.state === 'settled' || decided.state === 'bought') throw error;
      this.logger.info({ saleId: sale.id, code }, 'sale declined, refunding');
      return declinedReply(decided);
    }
    // A failure here does not change the reply: the worker finds the purchase too.
    if (sale.state === 'settled')
      await this.sales
        .bought(sale)
        .catch((err: unknown) => this.logger.warn({ err }, 'sale not stored as bought'));
    if (service.finish) output = await service.finish(output, input, waitingContext(sale, context));
    return servedReply(sale, output, this.tokens.purchaseToken(sale.id));
  }

  /** @throws DomainError UNAUTHORIZED, NOT_FOUND */
  async read(operation: string, input: object, token: string, context: CallContext): Promise<unknown> {
    const read = this.services.read(operation);
    const saleId = this.tokens.readPurchaseToken(token);
    const sale = saleId === undefined ? undefined : await this.sales.get(saleId);
    if (!sale) throw new DomainError('UNAUTHORIZED', 'The Purchase-Token is not valid.');
    // The token is valid for this purchase only, not for other purchases of its payer.
    if (read.purchaseIdOf(input) !== (await this.sales.purchaseIdOf(sale)))
      throw new DomainError('NOT_FOUND', 'The purchase does not exist. Check its id.');
    return read.run(input, saleContext(sale, context));
  }
}

/** Returns the context of the payer's call, with the idempotency key of the purchase. */
function saleContext(sale: Sale, { requestId, traceparent }: CallContext): CallContext {
  return {
    requestId,
    traceparent,
    principal: payerPrincipal(sale.id, walletOf(sale)),
    claim: {
      idempotencyKey: saleKeyOf(sale.id),
      committed: undefined,
      // Stores no reply, because purchases are found by their reference.
      store: async () => undefined,
      release: async () => undefined,
    },
  };
}

/** Returns a context for waiting. The wait ends when the call ends, but the purchase before it continues. */
const waitingContext = (sale: Sale, context: CallContext): CallContext => ({
  ...saleContext(sale, context),
  ...(context.signal && { signal: context.signal }),
});
