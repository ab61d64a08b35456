import { findChain, receiverAddress } from '@tollbridge/chains';
import { audited, type Database, type OperatorAction } from '@tollbridge/database';
import type { ManualRefund, ManualRefundsRepository } from './manual-refunds.repository';

/** The operator for the audit log. */
export type Decider = Omit<OperatorAction, 'action' | 'target'>;

const notWaiting = 'No refund with this id waits for an operator.';

/** Stores decisions of operators about refunds, each in one transaction with its record in the audit log. */
export class ManualDecisions {
  constructor(
    private readonly database: Database,
    private readonly refunds: ManualRefundsRepository,
  ) {}

  /** Allows the refund to be sent to this address. @returns the address in its canonical form */
  async forward(id: string, address: string, decider: Decider): Promise<string> {
    const action = { ...decider, action: 'refund-forward', target: id };
    return audited(this.database.pool, action, async (client) => {
      const refund = await this.waiting(id);
      const recipient = recipientOf(refund, address);
      if (!(await this.refunds.resolve(id, recipient, decider.operator, client))) throw new Error(notWaiting);
      return { result: recipient, before: stateOf(refund), after: { state: 'ready', recipient } };
    });
  }

  /** Records that the refund was settled by other means. */
  async close(id: string, note: string, decider: Decider): Promise<void> {
    const action = { ...decider, action: 'refund-close', target: id };
    await audited(this.database.pool, action, async (client) => {
      const refund = await this.waiting(id);
      if (!(await this.refunds.closeIn(client, refund, note, decider.operator))) throw new Error(notWaiting);
      return { result: undefined, before: stateOf(refund), after: { state: 'closed', note } };
    });
  }

  private async waiting(id: string): Promise<ManualRefund> {
    const [refund] = await this.refunds.manual(1, id);
    if (!refund) throw new Error(notWaiting);
    return refund;
  }
}

function recipientOf({ isReadable, chain }: ManualRefund, text: string): string {
  if (!isReadable)
    throw new Error(
      'This deployment cannot send from the account of this chain. Send it by hand, then close it.',
    );
  const address = receiverAddress(findChain(chain)!, text);
  if (!address.ok) throw new Error(`The address cannot be used: ${address.reason}.`);
  return address.address;
}

const stateOf = ({ orderId, chain, token, amount, reason }: ManualRefund): object => ({
  state: 'manual',
  orderId,
  chain,
  token,
  amount,
  reason,
});
