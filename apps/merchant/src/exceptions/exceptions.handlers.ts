import { Controller, Inject } from '@nestjs/common';
import {
  exceptionsApi,
  type ExceptionQuery,
  type ExceptionsQuery,
  type ExceptionsReply,
  type PaymentException,
} from '@tollbridge/contracts';
import {
  DomainError,
  Handles,
  invalidCursor,
  isUuid,
  merchantOf,
  readPage,
  uuidOf,
  type CallContext,
} from '@tollbridge/rpc';
import { Clock, storeReply } from '@tollbridge/database';
import { ExceptionsRepository } from './exceptions.repository';

@Controller()
@Handles(exceptionsApi)
export class ExceptionsHandlers {
  constructor(
    private readonly exceptions: ExceptionsRepository,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  async listExceptions(query: ExceptionsQuery, context: CallContext): Promise<ExceptionsReply> {
    const { status, kind, cursor: before } = query;
    if (before !== undefined && !isUuid(before))
      throw DomainError.invalid([{ field: 'cursor', message: invalidCursor }]);
    const { page, limit, next } = await readPage(
      query.limit!,
      (most) => this.exceptions.list(merchantOf(context), { status, kind, before }, most),
      ({ id }) => id,
    );
    return { exceptions: page, limit, next_cursor: next };
  }

  async resolveException(query: ExceptionQuery, context: CallContext): Promise<PaymentException> {
    const id = uuidOf(query.id);
    let reply: PaymentException | undefined;
    if (id !== undefined)
      await this.exceptions.close({ id, wallet: merchantOf(context) }, this.clock.now(), (client, closed) =>
        storeReply(client, context, (reply = closed)),
      );
    if (!reply)
      throw new DomainError('NOT_FOUND', 'The exception does not exist. GET /api/exceptions lists the ids.');
    return reply;
  }
}
