import { Controller, Inject } from '@nestjs/common';
import { OutboxWorker } from '@tollbridge/bootstrap';
import { canonicalTxHash } from '@tollbridge/chains';
import {
  paymentAttemptsApi,
  type ChangeAttemptReply,
  type ChangeAttemptRequest,
} from '@tollbridge/contracts';
import { Clock } from '@tollbridge/database';
import { DomainError, Handles, uuidOf, type CallContext } from '@tollbridge/rpc';
import { ask, decline, doubt, renew, send } from './attempt';
import { PaymentAttemptsRepository } from './payment-attempts.repository';

/** Ensures that only one wallet at a time pays a request: docs/decisions/0086. */
@Controller()
@Handles(paymentAttemptsApi)
export class PaymentAttemptsHandlers {
  constructor(
    private readonly attempts: PaymentAttemptsRepository,
    private readonly outbox: OutboxWorker,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  async changeAttempt(asked: ChangeAttemptRequest, context: CallContext): Promise<ChangeAttemptReply> {
    const { payment_id, action, holder, version, is_warned: isWarned, tx_hash } = asked;
    const id = uuidOf(payment_id);
    const nowMs = this.clock.now();
    const tab = { holder, version, isWarned };
    const txHash = tx_hash === undefined ? null : canonicalTxHash(tx_hash);
    const outcome =
      id &&
      (await this.attempts.change(
        id,
        (before, paid) => {
          if (action === 'ask') return ask(before, paid, tab, nowMs);
          if (action === 'renew') return renew(before, tab, nowMs);
          if (action === 'decline') return decline(before, tab);
          if (action === 'doubt') return doubt(before, tab, nowMs);
          return send(before, paid, { holder, version, txHash }, nowMs);
        },
        context,
      ));
    if (!outcome) throw new DomainError('NOT_FOUND', 'The payment does not exist. Check its id.');
    this.outbox.wake();
    return { outcome };
  }
}
