import { Injectable } from '@nestjs/common';
import type * as Sdk from '@modelcontextprotocol/server';
import type { PayoutRecord, PayoutReply } from '@tollbridge/contracts';
import { DomainError, idempotencyKeyForm } from '@tollbridge/rpc';
import type { FastifyRequest } from 'fastify';
import type { MayCall } from './caller';
import {
  confirmationFor,
  readConfirmation,
  type Confirmation,
  type Cost,
  type CostStatement,
  type Intent,
} from './purchase';
import { PurchaseCosts } from './purchase-costs';
import type { Tool } from './tool';
import { ToolCalls } from './tool-calls';
import { failed, succeeded } from './tool-reply';

/** The inputs of a call in addition to its arguments. */
export interface CallSurroundings {
  sdk: typeof Sdk;
  request: FastifyRequest;
  mayCall: MayCall;
  /** Whether the client can ask a person. */
  asksPerson: boolean;
  /** The answer of the person, and the confirmation that it belongs to. */
  answer: Sdk.InputResponseView;
  state: string | undefined;
  /** A payment by x402 for an operation that is sold to clients without an account. */
  payment: object | undefined;
}

type Result = Sdk.CallToolResult | Sdk.InputRequiredResult;
type Arguments = Record<string, unknown>;

/** Runs a tool. A purchase returns its cost first, to a person if the client can ask one. */
@Injectable()
export class ToolRunner {
  constructor(
    private readonly calls: ToolCalls,
    private readonly costs: PurchaseCosts,
  ) {}

  async run(tool: Tool, given: Arguments, around: CallSurroundings): Promise<Result> {
    const { operation } = tool;
    // A caller without the permission to buy gets the failure of the operation instead of a cost.
    if (tool.isPurchase && around.mayCall(operation.auth)) return this.buy(tool, given, around);
    const { request, payment } = around;
    if (tool.readsPurchase) return this.readPurchase(tool, given, request);
    const { idempotency_key: key, ...input } = given;
    if (!tool.isRepeatable) return this.calls.call(operation, given, request, { payment });
    if (key !== undefined && (typeof key !== 'string' || !idempotencyKeyForm.test(key)))
      throw DomainError.invalid([
        { field: 'idempotency_key', message: 'must be 1 to 255 visible ASCII characters' },
      ]);
    return this.calls.call(operation, input, request, { idempotencyKey: key, payment });
  }

  /** Reads a purchase with the token of an x402 payment, or as the owner of an account. */
  private async readPurchase(
    { operation }: Tool,
    { purchase_token: token, ...input }: Arguments,
    request: FastifyRequest,
  ): Promise<Result> {
    if (token !== undefined && (typeof token !== 'string' || !/^[!-~]{1,128}$/.test(token)))
      throw DomainError.invalid([{ field: 'purchase_token', message: 'is not valid' }]);
    return this.calls.call(operation, input, request, { purchaseToken: token });
  }

  private async buy(tool: Tool, { confirm, ...given }: Arguments, around: CallSurroundings): Promise<Result> {
    const { operation } = tool;
    const { request, answer, state } = around;
    const cost = await this.costs.costOf(operation, given, request);
    if ('content' in cost) return cost;
    const intent = { principal: request.call.principal, tool: operation.operationId, arguments: given, cost };
    if (answer.kind === 'elicit' && !isConsent(answer)) return declined;
    const consented = answer.kind === 'elicit' ? state : confirm;
    const confirmation = typeof consented === 'string' ? this.read(consented, intent) : 'other';
    if (confirmation === 'expired') return expired;
    if (confirmation === 'risen') return risen(cost);
    if (confirmation === 'other') return this.state(intent, around);
    const result = await this.calls.call(operation, given, request, {
      idempotencyKey: `mcp-${String(consented)}`,
    });
    return withApproval(result);
  }

  private read(confirm: string, intent: Intent): Confirmation {
    return readConfirmation(confirm, intent, Date.now());
  }

  private state(intent: Intent, { sdk, asksPerson }: CallSurroundings): Result {
    const { confirm, before } = confirmationFor(intent, Date.now());
    const { cost } = intent;
    if (asksPerson)
      return sdk.inputRequired({
        inputRequests: { purchase: sdk.inputRequired.elicit({ message: question(intent), requestedSchema }) },
        requestState: confirm,
      });
    const statement: CostStatement = { bought: false, cost, confirm, confirm_before: before.toISOString() };
    return succeeded(
      statement,
      'Nothing was bought. Show the cost to the person; to buy, call the tool again with the same arguments and confirm.',
    );
  }
}

const requestedSchema = {
  type: 'object' as const,
  properties: {
    buy: { type: 'boolean' as const, title: 'Buy', description: 'Whether to buy it at this cost' },
  },
  required: ['buy'],
};

const isConsent = (answer: Extract<Sdk.InputResponseView, { kind: 'elicit' }>): boolean =>
  answer.action === 'accept' && answer.content?.['buy'] === true;

const question = ({ tool, cost, arguments: given }: Intent): string =>
  `${tool} costs ${cost.amount === null ? '' : `${cost.amount} ${cost.currency ?? ''}: `}${cost.description} Arguments: ${JSON.stringify(given).slice(0, 1_000)}. Buy?`;

const declined = failed({
  code: 'PURCHASE_DECLINED',
  error: 'The person declined the cost. Nothing was bought.',
});

const expired = failed({
  code: 'CONFIRMATION_EXPIRED',
  error:
    'The confirmation has expired. If an earlier call with it had no answer, find out first whether it bought: read the lists of what you own. Then call without confirm to get the present cost.',
});

const risen = ({ amount, currency }: Cost): Sdk.CallToolResult =>
  failed({
    code: 'PRICE_CHANGED',
    error: `The cost is ${amount} ${currency ?? ''} now, more than what was confirmed, and nothing was bought by this call. If an earlier call with this confirmation had no answer, find out first whether it bought: read the lists of what you own. Then call without confirm to confirm the present cost.`,
  });

/** Adds to the result of a payout that it waits for the approval of people, and the steps of that approval. */
function withApproval(result: Sdk.CallToolResult): Sdk.CallToolResult {
  const { payoutId, message, state } = (result.structuredContent ?? {}) as Partial<
    PayoutReply & PayoutRecord
  >;
  if (payoutId === undefined || message === undefined) return result;
  const waits = state === undefined || state === 'awaiting_approval';
  const note = `Waits for approval by a person: ${message} The dashboard lists it under Payouts. No tool approves payouts.`;
  return waits ? { ...result, content: [...result.content, { type: 'text', text: note }] } : result;
}
