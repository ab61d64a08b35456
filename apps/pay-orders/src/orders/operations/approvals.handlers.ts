import { Controller } from '@nestjs/common';
import { ChainAdapters } from '@tollbridge/chain-port';
import { canonicalTxHash, isTxHash } from '@tollbridge/chains';
import {
  approvalsApi,
  type ApprovalQuery,
  type ApprovalReply,
  type SubmittedReply,
} from '@tollbridge/contracts';
import { DomainError, Handles, uuidOf, type CallContext } from '@tollbridge/rpc';
import { OrdersRepository } from '../storage/orders.repository';
import { SubmittedTransactions } from '../submitted-transactions';

/** Reads the approval of a payment, for a page with a wallet that cannot read the chain. */
@Controller()
@Handles(approvalsApi)
export class ApprovalsHandlers {
  constructor(
    private readonly orders: OrdersRepository,
    private readonly adapters: ChainAdapters,
    private readonly submitted: SubmittedTransactions,
  ) {}

  async approvalState(query: ApprovalQuery, _context: CallContext): Promise<ApprovalReply> {
    const id = uuidOf(query.id);
    const order = id === undefined ? undefined : await this.orders.find(id);
    const adapter = order && this.adapters.find(order.payChain);
    const txHash = canonicalTxHash(query.tx_hash);
    if (!order?.direct || !adapter || !isTxHash(adapter.chain, txHash))
      throw new DomainError('NOT_FOUND', 'There is no such order, or no such transaction on its chain.');
    const { state } = await adapter.readReport(txHash, order.direct).catch((error: unknown) => {
      throw new DomainError('UPSTREAM_UNAVAILABLE', undefined, { cause: error });
    });
    return { state: state === 'succeeded' || state === 'failed' ? state : 'unseen' };
  }

  async submittedState(query: ApprovalQuery, _context: CallContext): Promise<SubmittedReply> {
    const id = uuidOf(query.id);
    const order = id === undefined ? undefined : await this.orders.find(id);
    if (!order) throw new DomainError('NOT_FOUND', 'The order does not exist. Check its id.');
    const state = await this.submitted
      .stateOf(order, canonicalTxHash(query.tx_hash))
      .catch((error: unknown) => {
        throw new DomainError('UPSTREAM_UNAVAILABLE', undefined, { cause: error });
      });
    return { state };
  }
}
