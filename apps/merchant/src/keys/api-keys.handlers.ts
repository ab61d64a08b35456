import { Controller, Inject } from '@nestjs/common';
import {
  apiKeysApi,
  type CreateKeyReply,
  type CreateKeyRequest,
  type DeleteKeyReply,
  type KeyQuery,
  type KeyView,
  type ListKeysQuery,
  type RegenerateKeyReply,
  type RegenerateKeyRequest,
  type SpendsQuery,
  type SpendsReply,
  type ToggleKeyRequest,
} from '@tollbridge/contracts';
import { modeOf, newKeyText } from '@tollbridge/api-keys';
import {
  type CallContext,
  cursorOf,
  DomainError,
  type FieldError,
  Handles,
  isUuid,
  merchantOf,
  readCursor,
  readPage,
  Validates,
} from '@tollbridge/rpc';
import { Clock, Database, storeReply, transaction, type TransactionClient } from '@tollbridge/database';
import { OutboxWorker, ServiceConfig } from '@tollbridge/bootstrap';
import { v7 as uuid } from 'uuid';
import { monthOf } from '../budgets/budget';
import { BudgetsRepository } from '../budgets/budgets.repository';
import { spendView } from '../budgets/spend-view';
import type { MerchantConfig } from '../config';
import { toKeyView, validateBudgets } from './api-key';
import { KeysRepository, type KeyOfOwner, type NewApiKey } from './keys.repository';
import { SecretHash } from './secret-hash';

// More than a shop needs, and few enough for one reply.
const maxKeys = 100;
// The service that makes a reservation chooses its reference.
const referenceForm = /^[\x20-\x7e]{1,128}$/;

/** Operations on API keys by their owner. */
@Controller()
@Handles(apiKeysApi)
export class ApiKeysHandlers {
  constructor(
    private readonly keys: KeysRepository,
    private readonly budgets: BudgetsRepository,
    private readonly hash: SecretHash,
    private readonly database: Database,
    private readonly outbox: OutboxWorker,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceConfig) private readonly config: Pick<MerchantConfig, 'environment'>,
  ) {}

  async listKeys(_query: ListKeysQuery, context: CallContext): Promise<KeyView[]> {
    const nowMs = this.clock.now();
    const keys = await this.keys.list(merchantOf(context), monthOf(nowMs));
    return keys.map((key) => toKeyView(key, nowMs));
  }

  async createKey(request: CreateKeyRequest, context: CallContext): Promise<CreateKeyReply> {
    const nowMs = this.clock.now();
    const secret = this.newText('secret');
    const made: NewApiKey = {
      id: uuid(),
      owner: merchantOf(context),
      label: request.label,
      key: this.newText('publishable'),
      secretHash: this.hash.of(secret),
      // The permissions keep the order of the request, and are validated already.
      permissions: request.permissions,
      plan: 'free',
      customRate: null,
      environment: this.config.environment,
      monthlyBudgetUsd: request.monthlyBudget || null,
      maxPerTxUsd: request.maxPerTx || null,
    };
    const reply = { id: made.id, key: made.key, secret, createdAt: new Date(nowMs).toISOString() };
    await transaction(this.database.pool, async (client) => {
      if (!(await this.keys.insert(client, made, nowMs, maxKeys)))
        throw new DomainError(
          'CONFLICT',
          `Your wallet has ${maxKeys} API keys, the maximum. Delete one first.`,
          {
            details: { limit: maxKeys },
          },
        );
      await storeReply(client, context, reply);
    });
    return reply;
  }

  @Validates(apiKeysApi.operations.createKey)
  validateCreateKey(given: Partial<CreateKeyRequest>): FieldError[] {
    return validateBudgets(given);
  }

  toggleKey({ id, enabled }: ToggleKeyRequest, context: CallContext): Promise<KeyView> {
    const nowMs = this.clock.now();
    return this.change(id, context, async (client, of) => {
      if (!(await this.keys.setEnabled(client, of, enabled, { nowMs, context }))) return undefined;
      return toKeyView(await this.keys.find(client, of, monthOf(nowMs)), nowMs);
    });
  }

  regenerateKey(request: RegenerateKeyRequest, context: CallContext): Promise<RegenerateKeyReply> {
    const { id, gracePeriodSeconds = 0 } = request;
    const nowMs = this.clock.now();
    const secret = this.newText('secret');
    const formerUntilMs = gracePeriodSeconds === 0 ? null : nowMs + gracePeriodSeconds * 1_000;
    return this.change(id, context, async (client, of) => {
      const changed = { hash: this.hash.of(secret), formerUntilMs };
      if (!(await this.keys.setSecret(client, of, changed, { nowMs, context }))) return undefined;
      const until = formerUntilMs === null ? null : new Date(formerUntilMs).toISOString();
      return { secret, previousSecretValidUntil: until };
    });
  }

  deleteKey({ id }: KeyQuery, context: CallContext): Promise<DeleteKeyReply> {
    const nowMs = this.clock.now();
    return this.change(id, context, async (client, of) =>
      (await this.keys.delete(client, of, { nowMs, context })) ? { ok: true } : undefined,
    );
  }

  async listSpends(query: SpendsQuery, context: CallContext): Promise<SpendsReply> {
    const after = readCursor(query.cursor, referenceForm);
    const of = { keyId: query.id, owner: merchantOf(context), month: query.month };
    const { page, limit, next } = await readPage(
      query.limit!,
      async (most) => {
        const found = isUuid(query.id) ? await this.budgets.page(of, most, after) : undefined;
        if (!found) throw noSuchKey();
        return found;
      },
      ({ reservedAtMs: atMs, reference: id }) => cursorOf({ atMs, id }),
    );
    return { spends: page.map(spendView), count: page.length, limit, next_cursor: next, nextCursor: next };
  }

  /** Returns NOT_FOUND also for a key of another owner, so that ids cannot be probed. */
  private async change<T>(
    id: string,
    context: CallContext,
    work: (client: TransactionClient, of: KeyOfOwner) => Promise<T | undefined>,
  ): Promise<T> {
    const of = { id, owner: merchantOf(context) };
    if (!isUuid(id)) throw noSuchKey();
    const reply = await transaction(this.database.pool, async (client) => {
      const done = await work(client, of);
      if (done === undefined) throw noSuchKey();
      await storeReply(client, context, done);
      return done;
    });
    // Publish the event immediately, so that gateways drop the key from their caches.
    this.outbox.wake();
    return reply;
  }

  private newText(kind: 'publishable' | 'secret'): string {
    return newKeyText(modeOf(this.config.environment), kind);
  }
}

function noSuchKey(): DomainError {
  return new DomainError(
    'NOT_FOUND',
    'Your wallet has no API key with this id. GET /api/keys lists the ids.',
  );
}
