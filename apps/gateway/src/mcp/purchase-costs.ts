import { Inject, Injectable } from '@nestjs/common';
import {
  catalogApi,
  payoutsApi,
  salesApi,
  type CatalogService,
  type PayoutPreview,
} from '@tollbridge/contracts';
import { BusClient, decode, DomainError, type CallContext, type Operation } from '@tollbridge/rpc';
import Big from 'big.js';
import type { FastifyRequest } from 'fastify';
import { failed } from './tool-reply';
import { ToolCalls } from './tool-calls';
import type { Cost } from './purchase';

type Arguments = Record<string, unknown>;
type CallToolResult = ReturnType<typeof failed>;

/** Prices of the catalog change only with a deployment. */
const freshMs = 60_000;

/** Determines the cost of a purchase before it is made. */
@Injectable()
export class PurchaseCosts {
  private catalog: { readAtMs: number; services: Promise<readonly CatalogService[]> } | undefined;

  constructor(
    @Inject(BusClient) private readonly bus: Pick<BusClient, 'call'>,
    private readonly calls: ToolCalls,
  ) {}

  /**
   * @returns the cost, or the failure of a preview, which the purchase would have too
   * @throws DomainError VALIDATION_ERROR for arguments that the purchase would reject, because no person must be asked
   * about them. The error of the provider while it returns no price, because nothing is bought at an unknown price
   */
  async costOf(
    operation: Operation,
    given: Arguments,
    caller: FastifyRequest,
  ): Promise<Cost | CallToolResult> {
    if (operation.operationId === payoutsApi.operations.submitPayout.operationId)
      return this.costOfPayout(given, caller);
    const decoded = decode(operation.input, given);
    if (!decoded.ok) throw DomainError.invalid(decoded.errors);
    const price = await this.listedPrice(operation, caller.call);
    const { detail, ...face } = faceValueOf(operation.operationId, given);
    const quoted = await this.quotedPrice(operation, given, caller.call);
    return {
      ...price,
      description: [detail, price.description].filter(Boolean).join(' '),
      ...(quoted ?? face),
    };
  }

  /** The maximum price of the provider for this input. Undefined when no service returns a price. */
  private async quotedPrice(
    { subject, sale }: Operation,
    input: Arguments,
    context: CallContext,
  ): Promise<Pick<Cost, 'amount' | 'currency'> | undefined> {
    if (sale !== 'buys') return undefined;
    const { quoteSale } = salesApi.operations;
    const quote = await this.bus.call(quoteSale, { operation: subject, input }, context).catch(unlessUnsold);
    return quote?.costUsd ? { amount: quote.costUsd, currency: 'USD' } : undefined;
  }

  private async costOfPayout(given: Arguments, caller: FastifyRequest): Promise<Cost | CallToolResult> {
    const { previewPayout } = payoutsApi.operations;
    const preview = await this.calls.call(previewPayout as Operation, given, caller);
    if (preview.isError) return preview;
    const { totalAmount, fee, token, recipientCount, warningCount, warnings } =
      preview.structuredContent as unknown as PayoutPreview;
    const total = Big(totalAmount).plus(fee).toFixed();
    const warned = warnings.map(({ message }) => message).join(' ');
    return {
      model: 'percentage',
      description: `${totalAmount} ${token} to ${recipientCount} recipients, and a fee of ${fee} ${token}. Tokens move only after the wallet has signed and another key has approved the payout.${warningCount > 0 ? ` Warnings: ${warned}` : ''}`,
      amount: total,
      currency: token,
    };
  }

  private async listedPrice(
    { path }: Operation,
    context: CallContext,
  ): Promise<Pick<Cost, 'model' | 'description'>> {
    const services = await this.services(context);
    const listed = services.find(({ routes }) => routes.some(({ route }) => route === path));
    return listed?.price ?? { model: 'provider_price', description: 'The price of the provider.' };
  }

  /** The list is the same for every caller that may read it. */
  private services(context: CallContext): Promise<readonly CatalogService[]> {
    const now = performance.now();
    if (!this.catalog || now - this.catalog.readAtMs > freshMs) {
      const { listServices } = catalogApi.operations;
      const services = this.bus.call(listServices, {}, context).then((reply) => reply.services);
      this.catalog = { readAtMs: now, services };
      services.catch(() => (this.catalog = undefined));
    }
    return this.catalog.services;
  }
}

function unlessUnsold(thrown: unknown): undefined {
  if (thrown instanceof DomainError && thrown.code === 'NOT_FOUND') return undefined;
  throw thrown;
}

interface FaceValue {
  amount: string | null;
  currency: string | null;
  detail?: string;
}

/** The part of the price that is in the arguments themselves. The purchase rejects invalid arguments. */
function faceValueOf(tool: string, given: Arguments): FaceValue {
  const { amount, quantity, unitPrice, useLocalAmount, subscriberAccountNumber } = given;
  if (tool === 'buyCard' && isFigure(amount))
    return { amount: String(amount), currency: 'USD', detail: `A card of ${amount} USD.` };
  if (tool === 'orderGiftCard' && isFigure(quantity) && isFigure(unitPrice))
    return {
      amount: Big(quantity).times(unitPrice).toFixed(),
      currency: null,
      detail: `${quantity} × ${unitPrice} in the currency of the card (recipientCurrencyCode of listGiftCards).`,
    };
  if ((tool === 'topUpPhone' || tool === 'payBill') && isFigure(amount)) {
    const currency = useLocalAmount === true ? 'the local currency' : 'the currency of getServiceBalance';
    const what = subscriberAccountNumber === undefined ? 'A top-up' : 'A bill';
    return { amount: String(amount), currency: null, detail: `${what} of ${amount} in ${currency}.` };
  }
  return { amount: null, currency: null };
}

const isFigure = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
