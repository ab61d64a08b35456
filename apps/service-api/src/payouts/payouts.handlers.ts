import { Controller, Inject } from '@nestjs/common';
import {
  payoutsApi,
  type PayoutApproval,
  type PayoutDecision,
  type PayoutPreview,
  type PayoutQuery,
  type PayoutRecord,
  type PayoutReply,
  type PayoutRequest,
  type PayoutsQuery,
  type PayoutsReply,
} from '@tollbridge/contracts';
import {
  type CallContext,
  cursorOf,
  DomainError,
  type FieldError,
  Handles,
  isUuid,
  keyIdOf,
  merchantOf,
  readCursor,
  readPage,
  Validates,
} from '@tollbridge/rpc';
import { canonicalAddress, findToken, unknownChain, type Chain } from '@tollbridge/chains';
import { RpcError } from '@tollbridge/evm';
import { Clock } from '@tollbridge/database';
import { KeyBudgets, type KeySpend } from '@tollbridge/key-budgets';
import { formatUnits } from '@tollbridge/money';
import { OutboxWorker } from '@tollbridge/bootstrap';
import { v7 as uuid } from 'uuid';
import { validateRecipients, type StoredPayout } from './payout';
import { PayoutChains, type PayoutChain } from './payout-chains';
import { addressOn, PayoutPricing } from './payout-pricing';
import { previewView, recordView, submittedView, summaryView, type ChainFacts } from './payout-view';
import { PayoutsRepository } from './payouts.repository';
import type { Sending } from './sending/batch';
import { PayoutDecisions } from './sending/payout-decisions';
import { readMeans, type Means } from './sending/relay-chain';

/** Previews, submits, approves and rejects payouts. */
@Controller()
@Handles(payoutsApi)
export class PayoutsHandlers {
  constructor(
    private readonly chains: PayoutChains,
    private readonly payouts: PayoutsRepository,
    private readonly decide: PayoutDecisions,
    private readonly pricing: PayoutPricing,
    private readonly keyBudgets: KeyBudgets,
    private readonly outbox: OutboxWorker,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  async previewPayout(request: PayoutRequest, context: CallContext): Promise<PayoutPreview> {
    const chain = this.chains.listed(request.chain)!;
    const own = merchantOf(context);
    const read = canonicalAddress(chain, own);
    // A wallet of another chain family has no address on this chain, so its keys may preview for any wallet.
    if (read.ok && read.address === own) requireOwnWallet(chain, request, context);
    return previewView(await this.pricing.price(request, chain, own));
  }

  async submitPayout(request: PayoutRequest, context: CallContext): Promise<PayoutReply> {
    const chain = this.chains.listed(request.chain)!;
    requireOwnWallet(chain, request, context);
    const priced = await this.pricing.price(request, chain, merchantOf(context));
    const [id, createdAtMs] = [uuid(), this.clock.now()];
    const sending = this.pricing.sendingOf(priced, createdAtMs);
    const payout: StoredPayout = { ...priced, id, keyId: keyIdOf(context) ?? null, sending, createdAtMs };
    const reply = submittedView(payout);
    const insert = () => this.payouts.insert(payout, context, reply);
    if (!sending) await insert();
    // The budget of the key is reserved until an event reports the end of the payout.
    else await this.keyBudgets.during(context, () => spendOf(payout, sending), insert);
    this.outbox.wake();
    return reply;
  }

  async listPayouts(
    { state, limit: wanted, cursor }: PayoutsQuery,
    context: CallContext,
  ): Promise<PayoutsReply> {
    const wallet = merchantOf(context);
    const before = readCursor(cursor);
    const { page, limit, next } = await readPage(
      wanted!,
      (most) => this.payouts.list({ wallet, state }, most, before),
      ({ createdAtMs: atMs, id }) => cursorOf({ atMs, id }),
    );
    return { payouts: page.map(summaryView), limit, next_cursor: next };
  }

  async getPayout({ id }: PayoutQuery, context: CallContext): Promise<PayoutRecord> {
    const payout = await this.own(id, context);
    return recordView(payout, await this.factsOf(payout));
  }

  async approvePayout(approval: PayoutApproval, context: CallContext): Promise<PayoutDecision> {
    return this.decide.approve(await this.own(approval.id, context), approval, context);
  }

  async rejectPayout({ id }: PayoutQuery, context: CallContext): Promise<PayoutDecision> {
    return this.decide.reject(await this.own(id, context), context);
  }

  @Validates(payoutsApi.operations.previewPayout)
  validatePreviewPayout(given: Partial<PayoutRequest>): FieldError[] {
    if (given.chain === undefined) return [];
    const chain = this.chains.listed(given.chain);
    if (!chain) return [{ field: 'chain', message: unknownChain(given.chain)! }];
    const errors: FieldError[] = [];
    const token = given.token === undefined ? undefined : findToken(chain, given.token);
    if (given.token !== undefined && !token)
      errors.push({
        field: 'token',
        message: `must be a known token on ${chain.name}; GET /api/v1/pay/chains lists the tokens`,
      });
    const wallet = given.wallet === undefined ? undefined : canonicalAddress(chain, given.wallet);
    if (wallet && !wallet.ok) errors.push({ field: 'wallet', message: wallet.reason });
    const rules = { chain, token, allowDuplicates: given.allowDuplicates ?? false };
    return [...errors, ...validateRecipients(given.recipients ?? [], rules)];
  }

  @Validates(payoutsApi.operations.submitPayout)
  validateSubmitPayout(given: Partial<PayoutRequest>): FieldError[] {
    return this.validatePreviewPayout(given);
  }

  private async own(id: string, context: CallContext): Promise<StoredPayout> {
    const payout = isUuid(id) ? await this.payouts.find(id) : undefined;
    if (payout?.wallet === merchantOf(context)) return payout;
    throw new DomainError('NOT_FOUND', 'The payout does not exist. Check its id.');
  }

  private async factsOf({ chain, wallet, sending }: StoredPayout): Promise<ChainFacts | null> {
    const place = this.chains.find(chain);
    if (!sending || !place) return null;
    const isWaiting = sending.state === 'awaiting_approval';
    return { chainId: place.chain.chainId, means: isWaiting ? await meansOf(place, sending, wallet) : null };
  }
}

function requireOwnWallet(chain: Chain, { wallet }: PayoutRequest, context: CallContext): void {
  if (addressOn(chain, wallet) === merchantOf(context)) return;
  throw new DomainError(
    'FORBIDDEN',
    'The API key does not belong to the wallet of the payout. Use a key of the paying wallet.',
  );
}

/** Returns null when the chain does not answer; then the view omits these fields. */
async function meansOf(
  { rpc }: PayoutChain,
  { tokenAddress }: Sending,
  wallet: string,
): Promise<Means | null> {
  try {
    return await readMeans(rpc, tokenAddress, wallet);
  } catch (error) {
    if (error instanceof RpcError) return null;
    throw error;
  }
}

function spendOf({ id, plan, token, decimals, chain }: StoredPayout, { valueUsd }: Sending): KeySpend {
  const amount = formatUnits(plan.totalAtomic, decimals);
  const description = `Payout of ${amount} ${token} to ${plan.lines.length} on ${chain}`;
  return { kind: 'payout', reference: id, valueUsd, description };
}
