import { feature, listOf, operation, permissions, type Permission } from '@tollbridge/rpc';
import { Figure, Flag, Integer, ListOf, OneOf, Text, Timestamp } from '../decorators';
import { CamelNextCursor, Cursor, Limit, NextCursor, UsedLimit } from '../list-fields';
import { Dollars, spendKinds, type SpendKind } from './budgets.api';
import { keyPlans, type KeyPlan } from './keys.api';
import { Id, idExample } from '../shared-fields';

const CreatedAt = () => Timestamp('Creation time', { example: '2026-11-20T12:00:00.000Z' });
const Secret = () =>
  Text('Secret half of the key. Shown only once; Tollbridge stores a hash of it', {
    isSecret: true,
    example: 'tb_test_sk_REPLACE_ME',
  });
const Publishable = () =>
  Text(
    'Publishable half of the key. It may be public: without a signature it cannot call operations that move money',
    { example: 'tb_test_pk_REPLACE_ME' },
  );

/** A limit with at most twelve digits before the point and six after it; empty means no limit. */
const Bound = (description: string) =>
  Text(`${description}, US dollars; empty means no limit`, {
    pattern: /^((0|[1-9][0-9]{0,11})(\.[0-9]{1,6})?)?$/,
    patternMessage: 'must be US dollars in plain digits, with at most 6 decimals, such as 100.00',
    minLength: 0,
    maxLength: 19,
    optional: true,
    example: '100.00',
  });

export class ListKeysQuery {}

export class KeyView {
  @Id('Id of the API key') id: string;
  @Publishable() key: string;
  @Text('Label of the key', { example: 'Shop' }) label: string;
  @ListOf('string', 'Permissions of the key', {
    maxItems: permissions.length,
    values: permissions,
    example: ['read', 'pay'],
  })
  permissions: Permission[];
  @Text('Monthly budget (UTC months), US dollars; empty means no limit', { minLength: 0, example: '100.00' })
  monthlyBudget: string;
  @Text('Limit for one spend, US dollars; empty means no limit', { minLength: 0, example: '' })
  maxPerTx: string;
  @Flag('Whether the key is accepted') enabled: boolean;
  @Figure('Spent and reserved this month, US dollars', { example: 12.5 }) usedBudget: number;
  @OneOf(keyPlans, 'Plan of the key: its rate limit') plan: KeyPlan;
  @Timestamp('End of the time that accepts the previous secret; null outside it', { nullable: true })
  previousSecretValidUntil: string | null;
  @CreatedAt() createdAt: string;
}

export class CreateKeyRequest {
  @Text('Label of the key', { maxLength: 128, example: 'Shop' }) label: string;
  @ListOf(
    'string',
    'Permissions: `read` reads all data of the wallet; `pay` pays; `write` creates, changes and buys; `settings` changes merchant settings, the webhook address included; `webhooks` creates and shows a webhook secret',
    {
      isFilled: true,
      isUnique: true,
      maxItems: permissions.length,
      values: permissions,
      example: ['read', 'pay'],
    },
  )
  permissions: Permission[];
  @Bound('Monthly budget (UTC months)') monthlyBudget?: string;
  @Bound('Limit for one spend; at most `monthlyBudget`') maxPerTx?: string;
}

export class CreateKeyReply {
  @Id('Id of the API key') id: string;
  @Publishable() key: string;
  @Secret() secret: string;
  @CreatedAt() createdAt: string;
}

export class KeyQuery {
  @Text('Id of the API key', { maxLength: 64, example: idExample }) id: string;
}

export class ToggleKeyRequest extends KeyQuery {
  @Flag('Whether the key is accepted from now on', { example: false }) enabled: boolean;
}

const aWeek = 7 * 24 * 60 * 60;

export class RegenerateKeyRequest extends KeyQuery {
  @Integer('How long the current secret stays valid; at most one week', {
    min: 0,
    max: aWeek,
    default: 0,
    example: 3_600,
  })
  gracePeriodSeconds?: number;
}

export class RegenerateKeyReply {
  @Secret() secret: string;
  @Timestamp('End of the time that accepts the previous secret; null outside it', {
    nullable: true,
    example: '2026-11-20T13:00:00.000Z',
  })
  previousSecretValidUntil: string | null;
}

export class DeleteKeyReply {
  @Flag('Always true') ok: boolean;
}

export class SpendsQuery extends KeyQuery {
  @Text('Only spends of this month (UTC); without it all spends, newest first', {
    pattern: /^20[0-9]{2}-(0[1-9]|1[0-2])$/,
    patternMessage: 'must be a month such as 2026-11',
    optional: true,
    example: '2026-11',
  })
  month?: string;
  @Limit(20) limit?: number;
  @Cursor({ example: 'MTc5NTE3NzgwMDAwMC4wMTk4ZjNhMi03YzVlLTdkNDEtOWE1NS0zZjBlMmMxYjRhNmQ' })
  cursor?: string;
}

export const spendStatuses = ['reserved', 'captured', 'released'] as const;
export type SpendStatus = (typeof spendStatuses)[number];

export class SpendView {
  @Text('Id of the order or transaction set that was paid', { example: idExample }) reference: string;
  @OneOf(spendKinds, 'Kind of spend') kind: SpendKind;
  @Text('Human-readable description', { minLength: 0, example: 'Order of 1.005 USDC on Base' })
  description: string;
  @OneOf(
    spendStatuses,
    '`reserved` and `captured` spends count against the month; `released` spends do not',
    { example: 'captured' },
  )
  status: SpendStatus;
  @Dollars('Value in US dollars; null when no price was available', { nullable: true, example: '1.005' })
  valueUsd: string | null;
  @Text('Month (UTC) of the budget that the spend counts against', { example: '2026-11' }) month: string;
  @Flag(
    'Whether the payment arrived after the reservation was released. It then counts even above the budget',
    { example: false },
  )
  late: boolean;
  @Timestamp('Reservation time') reservedAt: string;
  @Timestamp('Time of capture or release; null before', {
    nullable: true,
    example: '2026-11-20T12:00:07.000Z',
  })
  endedAt: string | null;
}

export class SpendsReply {
  @ListOf(() => SpendView, 'Newest first', { maxItems: 100 }) spends: SpendView[];
  @Integer('Number of `spends` in this reply', { example: 1 }) count: number;
  @UsedLimit(20) limit: number;
  @NextCursor() next_cursor: string | null;
  @CamelNextCursor() nextCursor: string | null;
}

/** Only the wallet may manage its keys, so that a key cannot extend its own permissions. */
const auth = { wallet: true } as const;

export const apiKeysApi = feature('merchant', 'api-keys', 'API keys', {
  listKeys: operation('GET /api/keys', {
    operationId: 'listApiKeys',
    summary: 'List your API keys',
    description: 'Newest first. Secrets are never listed: they are shown once, on creation.',
    input: ListKeysQuery,
    output: listOf(KeyView),
    auth,
  }),
  createKey: operation('POST /api/keys', {
    operationId: 'createApiKey',
    summary: 'Create an API key',
    description: 'At most 100 keys for each wallet. Only this reply contains the secret.',
    input: CreateKeyRequest,
    output: CreateKeyReply,
    errors: ['CONFLICT'],
    auth,
  }),
  toggleKey: operation('PUT /api/keys/{id}/toggle', {
    operationId: 'setApiKeyEnabled',
    summary: 'Enable or disable an API key',
    description: 'All gateways reject a disabled key within one second.',
    input: ToggleKeyRequest,
    output: KeyView,
    errors: ['NOT_FOUND'],
    auth,
  }),
  regenerateKey: operation('POST /api/keys/{id}/regenerate', {
    operationId: 'regenerateApiKey',
    summary: 'Give an API key a new secret',
    description:
      'The previous secret ends immediately, or after the grace period. The publishable half does not change.',
    input: RegenerateKeyRequest,
    output: RegenerateKeyReply,
    errors: ['NOT_FOUND'],
    auth,
  }),
  deleteKey: operation('DELETE /api/keys/{id}', {
    operationId: 'deleteApiKey',
    summary: 'Delete an API key permanently',
    input: KeyQuery,
    output: DeleteKeyReply,
    errors: ['NOT_FOUND'],
    auth,
  }),
  listSpends: operation('GET /api/keys/{id}/spends', {
    operationId: 'listApiKeySpends',
    summary: 'List the spends of an API key',
    description: 'The spends of the current month that are reserved or captured sum to `usedBudget`.',
    input: SpendsQuery,
    output: SpendsReply,
    errors: ['NOT_FOUND'],
    auth,
  }),
});
