import { Controller, Inject } from '@nestjs/common';
import {
  payoutsApi,
  type PayoutPreview,
  type PayoutQuery,
  type PayoutRecord,
  type PayoutReply,
  type PayoutRequest,
} from '@tollbridge/api';
import {
  DomainError,
  Handles,
  isUuid,
  keyIdOf,
  merchantOf,
  type CallContext,
  type FieldError,
} from '@tollbridge/bus';
import { canonicalAddress, findToken, RpcError } from '@tollbridge/chains';
import { Clock } from '@tollbridge/data';
import { v7 as uuid } from 'uuid';
import { planOf, problemsOfRecipients, warningsOfList, type PricedPayout, type StoredPayout } from './payout';
import { PayoutChains } from './payout-chains';
import { tryPayout, type TriedPayout } from './payout-gas';
import { previewView, priced, recordView, submittedView } from './payout-view';
import { PayoutsRepository } from './payouts.repository';

// Below the time after which a caller is told that the outcome is unknown, which it is not: nothing was done.
const chainTimeoutMs = 8_000;

/** Payouts to many recipients: what they would cost, and those that were submitted. */
@Controller()
@Handles(payoutsApi)
export class PayoutsHandlers {
  constructor(
    private readonly chains: PayoutChains,
    private readonly payouts: PayoutsRepository,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  async previewPayout(request: PayoutRequest, context: CallContext): Promise<PayoutPreview> {
    return previewView(await this.price(request, context));
  }

  async submitPayout(request: PayoutRequest, context: CallContext): Promise<PayoutReply> {
    const payout: StoredPayout = {
      ...(await this.price(request, context)),
      id: uuid(),
      keyId: keyIdOf(context) ?? null,
      createdAtMs: this.clock.now(),
    };
    const reply = submittedView(payout);
    await this.payouts.insert(payout, context, reply);
    return reply;
  }

  async getPayout({ id }: PayoutQuery, context: CallContext): Promise<PayoutRecord> {
    const payout = isUuid(id) ? await this.payouts.find(id) : undefined;
    if (payout?.wallet !== merchantOf(context))
      throw new DomainError('NOT_FOUND', 'There is no such payout.');
    return recordView(payout);
  }

  problemsOfPreviewPayout(given: Partial<PayoutRequest>): FieldError[] {
    const { names } = this.chains;
    if (names.length === 0)
      throw new DomainError('SERVICE_UNAVAILABLE', 'Payouts are not configured in this deployment.');
    if (given.chain === undefined) return [];
    const found = this.chains.find(given.chain);
    if (!found) return [{ field: 'chain', message: `must be one of ${names.join(', ')}` }];
    const { chain } = found;
    const problems: FieldError[] = [];
    const token = given.token === undefined ? undefined : findToken(chain, given.token);
    if (given.token !== undefined && !token)
      problems.push({ field: 'token', message: `must be a token that is known on ${chain.name}` });
    const wallet = given.wallet === undefined ? undefined : canonicalAddress(chain, given.wallet);
    if (wallet && !wallet.ok) problems.push({ field: 'wallet', message: wallet.reason });
    const rules = { chain, token, allowDuplicates: given.allowDuplicates ?? false };
    return [...problems, ...problemsOfRecipients(given.recipients ?? [], rules)];
  }

  problemsOfSubmitPayout(given: Partial<PayoutRequest>): FieldError[] {
    return this.problemsOfPreviewPayout(given);
  }

  private async price(request: PayoutRequest, context: CallContext): Promise<PricedPayout> {
    const { chain, rpc } = this.chains.find(request.chain)!;
    const token = findToken(chain, request.token)!;
    const wallet = merchantOf(context);
    const given = canonicalAddress(chain, request.wallet);
    if (!given.ok || given.address !== wallet)
      throw new DomainError('FORBIDDEN', 'A key pays out of the wallet that it belongs to, and of no other.');
    const plan = planOf(request, chain, token);
    const [tried, paidBefore] = await Promise.all([
      inTime(tryPayout(rpc, wallet, token, plan.lines)),
      this.payouts.paidAlike(wallet, plan.lines),
    ]);
    const named = { wallet, chain: chain.id, token: token.symbol, decimals: token.decimals, plan };
    return { ...named, ...priced(named, tried, warningsOfList(plan.lines, { wallet, paidBefore })) };
  }
}

/** @throws DomainError UPSTREAM_UNAVAILABLE when the chain fails, or takes too long */
async function inTime(trial: Promise<TriedPayout>): Promise<TriedPayout> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(chainIsAway()), chainTimeoutMs);
  });
  try {
    return await Promise.race([trial, late]);
  } catch (error) {
    throw error instanceof RpcError ? chainIsAway(error) : error;
  } finally {
    clearTimeout(timer);
  }
}

const chainIsAway = (cause?: unknown): DomainError =>
  new DomainError('UPSTREAM_UNAVAILABLE', 'The chain does not answer at present; try again shortly.', {
    cause,
  });
