import type { Clock } from '@tollbridge/database';
import type { FastifyReply } from 'fastify';
import { codesLateMs, magicOf, minuteMs, settlesMs, slowMs, type Magic } from './magic-amounts';
import type { Money } from './money';
import { Rejection } from './rejection';
import type { Api } from './tokens';
import type { Status, Transaction, TransactionsRepository } from './transactions.repository';

export interface Wanted {
  api: Api;
  identifier: unknown;
  /** The requested amount, which selects the outcome. */
  amount: Money;
  cost: Money;
  body: Record<string, unknown>;
  /** Default processing time; 0 for an immediate result. */
  takesMs: number;
  /** Default final status. */
  ends: Status;
}

/** The purchase flow of all three products. */
export class Checkout {
  constructor(
    private readonly transactions: TransactionsRepository,
    private readonly clock: Clock,
    private readonly onMade: (made: Transaction) => void,
  ) {}

  /** Returns undefined when the client has closed the connection. */
  async buy(wanted: Wanted, reply: FastifyReply): Promise<Transaction | undefined> {
    const magic = magicOf(wanted.amount);
    const identifier = identifierOf(wanted);
    await this.requireNew(wanted.api, identifier, magic);
    rejectMagicAmount(magic, wanted.api);
    const { balance } = await this.transactions.balance(this.clock.now());
    if (magic === 'insufficientBalance' || balance < wanted.cost) throw insufficientBalance(wanted.api);
    const made = await this.transactions.add(this.planned(wanted, identifier, magic));
    this.onMade(made);
    if (magic === 'failsAfterCharge') throw cannotBeProcessed();
    if (magic === 'slow') await untilLeft(reply, slowMs);
    if (magic === 'takesMinute') await untilLeft(reply, minuteMs);
    if (magic === 'breaks') {
      reply.hijack();
      reply.raw.socket?.destroy();
      return undefined;
    }
    return made;
  }

  /**
   * Checks the identifier without atomicity, like the provider: concurrent purchases with one identifier may all
   * succeed.
   */
  private async requireNew(api: Api, identifier: string | null, magic: Magic | undefined): Promise<void> {
    if (identifier === null) return;
    const [known] = await this.transactions.list(api, { identifier, limit: 1, offset: 0 });
    if (!known && magic !== 'duplicateReference') return;
    throw api === 'utilities'
      ? new Rejection(400, 'REFERENCE_ID_ALREADY_USED', 'The reference id was used already')
      : new Rejection(400, 'CUSTOM_IDENTIFIER_ALREADY_USED', 'The custom identifier was used already');
  }

  private planned({ api, body, cost, ...wanted }: Wanted, identifier: string | null, magic?: Magic) {
    const nowMs = this.clock.now();
    const isSlow = magic === 'refunded' || magic === 'takesTime';
    const underWay: Status = api === 'giftcards' ? 'PENDING' : 'PROCESSING';
    const settlesAtMs = nowMs + (isSlow ? settlesMs : wanted.takesMs);
    const ends: Status = magic === 'refunded' ? 'REFUNDED' : magic === 'failed' ? 'FAILED' : wanted.ends;
    return {
      api,
      identifier,
      body,
      cost,
      ends,
      settlesAtMs,
      createdAtMs: nowMs,
      opens: isSlow || wanted.takesMs > 0 ? underWay : ends,
      codesAtMs: magic === 'codesLate' ? nowMs + codesLateMs : settlesAtMs,
    };
  }
}

function identifierOf({ identifier }: Wanted): string | null {
  if (identifier === undefined || identifier === null) return null;
  if (typeof identifier === 'string' && identifier.length >= 1 && identifier.length <= 150) return identifier;
  throw new Rejection(400, 'INVALID_INPUT_PROVIDED', 'The identifier must have 1 to 150 characters');
}

function rejectMagicAmount(magic: Magic | undefined, api: Api): void {
  if (magic === 'outOfStock' && api === 'topups')
    throw new Rejection(
      503,
      'OPERATOR_UNAVAILABLE_OR_CURRENTLY_INACTIVE',
      'The operator is currently inactive',
    );
  if (magic === 'outOfStock')
    throw new Rejection(400, 'TEMPORARY_OUT_OF_STOCK', 'The product is temporarily out of stock');
  if (magic === 'failsBeforeCharge') throw cannotBeProcessed();
  if (magic === 'tooMany')
    throw new Rejection(429, 'TOO_MANY_REQUESTS', 'Too many requests', { 'retry-after': '7' });
}

const insufficientBalance = (api: Api): Rejection =>
  api === 'utilities'
    ? new Rejection(409, 'INSUFFICIENT_WALLET_BALANCE', 'The wallet balance is not sufficient')
    : new Rejection(400, 'INSUFFICIENT_BALANCE', 'You do not have sufficient balance in your account');

const cannotBeProcessed = (): Rejection =>
  new Rejection(
    500,
    'TRANSACTION_CANNOT_BE_PROCESSED_AT_THE_MOMENT',
    'The transaction cannot be processed at the moment',
  );

/** Waits for the given time, or until the client disconnects. */
async function untilLeft(reply: FastifyReply, ms: number): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    timer.unref();
    reply.raw.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
