import { audited, type Database, type OperatorAction } from '@tollbridge/database';
import type { ManualRefund, ManualRefundsRepository } from './manual-refunds.repository';

/** Who decides, as the audit log records it. */
export type Decider = Omit<OperatorAction, 'action' | 'target'>;

const noLonger = 'The refund no longer waits for an operator.';

/** Decisions of operators about refunds, each in one transaction with its record in the audit log. */
export class ManualDecisions {
  constructor(
    private readonly database: Database,
    private readonly refunds: ManualRefundsRepository,
  ) {}

  /** Lets the refund be sent to this address. */
  async forward({ id, ...refund }: ManualRefund, address: string, decider: Decider): Promise<void> {
    await audited(
      this.database.pool,
      { ...decider, action: 'refund-forward', target: id },
      async (client) => {
        if (!(await this.refunds.resolve(id, address, decider.operator, client))) throw new Error(noLonger);
        return { result: undefined, before: stateOf(refund), after: { state: 'ready', recipient: address } };
      },
    );
  }

  /** Records that the refund was settled by other means. */
  async close({ id, ...refund }: ManualRefund, note: string, decider: Decider): Promise<void> {
    await audited(this.database.pool, { ...decider, action: 'refund-close', target: id }, async (client) => {
      if (!(await this.refunds.closeIn(client, { id, orderId: refund.orderId }, note, decider.operator)))
        throw new Error(noLonger);
      return { result: undefined, before: stateOf(refund), after: { state: 'closed', note } };
    });
  }
}

const stateOf = ({ orderId, chain, token, amount, reason }: Omit<ManualRefund, 'id'>): object => ({
  state: 'manual',
  orderId,
  chain,
  token,
  amount,
  reason,
});
