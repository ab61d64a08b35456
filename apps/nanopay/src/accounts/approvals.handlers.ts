import { Controller } from '@nestjs/common';
import {
  nanoApprovalsApi,
  teeAccountsApi,
  type Approval,
  type ApprovalDecisionRequest,
  type ApprovalsReply,
  type ApprovalsRequest,
} from '@tollbridge/contracts';
import { BusClient, Handles, type CallContext } from '@tollbridge/rpc';
import { provenAccountOf } from './proven-account';

const { decideApproval, readApprovals } = teeAccountsApi.operations;

/** Payments above their limit, which the payer approves or rejects. */
@Controller()
@Handles(nanoApprovalsApi)
export class ApprovalsHandlers {
  constructor(private readonly client: BusClient) {}

  listApprovals(request: ApprovalsRequest, context: CallContext): Promise<ApprovalsReply> {
    return this.client.call(readApprovals, request, context);
  }

  approvePayment(request: ApprovalDecisionRequest, context: CallContext): Promise<Approval> {
    return this.decide(request, true, context);
  }

  rejectPayment(request: ApprovalDecisionRequest, context: CallContext): Promise<Approval> {
    return this.decide(request, false, context);
  }

  private decide(
    request: ApprovalDecisionRequest,
    isApproved: boolean,
    context: CallContext,
  ): Promise<Approval> {
    const owner = provenAccountOf(context);
    const order = { ...request, isApproved, ...(owner !== undefined && { owner }) };
    return this.client.call(decideApproval, order, context);
  }
}
