import {
  feature,
  Figure,
  Flag,
  Integer,
  ListOf,
  listOf,
  OneOf,
  operation,
  permissions,
  Text,
  Timestamp,
  type Permission,
} from '@tollbridge/rpc';
import { CamelNextCursor, Cursor, Limit, NextCursor, UsedLimit } from '../list-fields';
import { Dollars, spendKinds, type SpendKind } from './budgets.api';
import { keyPlans, type KeyPlan } from './keys.api';

const keyIdExample = '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d';
const createdAt = { description: 'When it was made', example: '2026-11-20T12:00:00.000Z' };
const secret = {
  description: 'What proves the key; shown this once only, and kept by nobody here',
  example: 'tb_test_sk_REPLACE_ME',
};
const publishable = {
  description:
    "The publishable half: may be shown, and may call what moves nobody's money without a signature",
  example: 'tb_test_pk_REPLACE_ME',
};

/** At most twelve digits before the point, six after it; nothing is no bound. */
const Bound = (description: string) =>
  Text({
    description: `${description}, US dollars; nothing is no bound`,
    pattern: /^((0|[1-9][0-9]{0,11})(\.[0-9]{1,6})?)?$/,
    patternMessage: 'must be US dollars in plain digits, with at most 6 after the point, such as 100.00',
    minLength: 0,
    maxLength: 19,
    optional: true,
    example: '100.00',
  });

export class ListKeysQuery {}

export class KeyView {
  @Text({ description: 'The key', format: 'uuid', example: keyIdExample })
  id: string;
  @Text(publishable)
  key: string;
  @Text({ description: 'Your name for it', example: 'Shop' })
  label: string;
  @ListOf('string', { description: 'What it may do', maxItems: permissions.length, example: ['read', 'pay'] })
  permissions: Permission[];
  @Text({
    description: 'What it may spend in a month (UTC), US dollars; empty is no bound',
    minLength: 0,
    example: '100.00',
  })
  monthlyBudget: string;
  @Text({
    description: 'What it may spend at once, US dollars; empty is no bound',
    minLength: 0,
    example: '',
  })
  maxPerTx: string;
  @Flag({ description: 'Whether it is taken', example: true })
  enabled: boolean;
  @Figure({ description: 'What it has spent and reserved this month, US dollars', example: 12.5 })
  usedBudget: number;
  @OneOf(keyPlans, { description: 'How often it may call', example: 'free' })
  plan: KeyPlan;
  @Timestamp({
    description: 'Until when the secret before this one is taken; null when it is not',
    nullable: true,
    example: null,
  })
  previousSecretValidUntil: string | null;
  @Timestamp(createdAt)
  createdAt: string;
}

export class CreateKeyRequest {
  @Text({ description: 'Your name for it', maxLength: 128, example: 'Shop' })
  label: string;
  @ListOf('string', {
    description:
      'What it may do, at least one: `read` all that is yours; `pay`; `write` to create, change and buy; `settings` to change your settings, and with them your webhook address; `webhooks` to make a new webhook secret and see it',
    maxItems: permissions.length,
    example: ['read', 'pay'],
  })
  permissions: Permission[];
  @Bound('What it may spend in a month (UTC)')
  monthlyBudget?: string;
  @Bound('What it may spend at once; at most `monthlyBudget`')
  maxPerTx?: string;
}

export class CreateKeyReply {
  @Text({ description: 'The key', format: 'uuid', example: keyIdExample })
  id: string;
  @Text(publishable)
  key: string;
  @Text(secret)
  secret: string;
  @Timestamp(createdAt)
  createdAt: string;
}

export class KeyQuery {
  @Text({ description: 'The key', maxLength: 64, example: keyIdExample })
  id: string;
}

export class ToggleKeyRequest extends KeyQuery {
  @Flag({ description: 'Whether it is taken from now on', example: false })
  enabled: boolean;
}

const aWeek = 7 * 24 * 60 * 60;

export class RegenerateKeyRequest extends KeyQuery {
  @Integer({
    description: 'How long the present secret is still taken; at most a week',
    min: 0,
    max: aWeek,
    default: 0,
    example: 3_600,
  })
  gracePeriodSeconds?: number;
}

export class RegenerateKeyReply {
  @Text(secret)
  secret: string;
  @Timestamp({
    description: 'Until when the former secret is taken; null when it is not any more',
    nullable: true,
    example: '2026-11-20T13:00:00.000Z',
  })
  previousSecretValidUntil: string | null;
}

export class DeleteKeyReply {
  @Flag({ description: 'Always true', example: true })
  ok: true;
}

export class SpendsQuery extends KeyQuery {
  @Text({
    description: 'Only spends that count in this month (UTC); without it all, newest first',
    pattern: /^20[0-9]{2}-(0[1-9]|1[0-2])$/,
    patternMessage: 'must be a month such as 2026-11',
    optional: true,
    example: '2026-11',
  })
  month?: string;
  @Limit(20)
  limit?: number;
  @Cursor({
    example: 'MTc5NTE3NzgwMDAwMC4wMTk4ZjNhMi03YzVlLTdkNDEtOWE1NS0zZjBlMmMxYjRhNmQ',
  })
  cursor?: string;
}

export const spendStatuses = ['reserved', 'captured', 'released'] as const;
export type SpendStatus = (typeof spendStatuses)[number];

export class SpendView {
  @Text({
    description: 'What was spent on: the id of the order or of the transaction',
    example: keyIdExample,
  })
  reference: string;
  @OneOf(spendKinds, { description: 'What it is', example: 'order' })
  kind: SpendKind;
  @Text({ description: 'For people', minLength: 0, example: 'Order of 1.005 USDC on Base' })
  description: string;
  @OneOf(spendStatuses, {
    description: '`reserved` and `captured` count in the month; `released` came to nothing',
    example: 'captured',
  })
  status: SpendStatus;
  @Dollars({ description: 'Its value; null when no price was known', nullable: true, example: '1.005' })
  valueUsd: string | null;
  @Text({ description: 'The month (UTC) that it counts in', example: '2026-11' })
  month: string;
  @Flag({
    description: 'It was paid after it had been released, and counts even where it exceeds the budget',
    example: false,
  })
  late: boolean;
  @Timestamp({ description: 'When it was reserved', example: '2026-11-20T12:00:00.000Z' })
  reservedAt: string;
  @Timestamp({
    description: 'When it was captured or released; null before',
    nullable: true,
    example: '2026-11-20T12:00:07.000Z',
  })
  endedAt: string | null;
}

export class SpendsReply {
  @ListOf(() => SpendView, { description: 'Newest first', maxItems: 100 })
  spends: SpendView[];
  @Integer({ description: 'Number of `spends` in this reply', example: 1 })
  count: number;
  @UsedLimit(20)
  limit: number;
  @NextCursor()
  next_cursor: string | null;
  @CamelNextCursor()
  nextCursor: string | null;
}

/** The wallet alone decides about its keys: no key can make itself more than it is. */
const auth = { wallet: true } as const;

export const apiKeysApi = feature('merchant', 'api-keys', 'API keys', {
  listKeys: operation({
    operationId: 'listApiKeys',
    method: 'GET',
    path: '/api/keys',
    summary: 'List your API keys',
    description: 'Newest first. Secrets are in no list: they are shown once, when they are made.',
    input: ListKeysQuery,
    output: listOf(KeyView),
    errors: [],
    auth,
  }),
  createKey: operation({
    operationId: 'createApiKey',
    method: 'POST',
    path: '/api/keys',
    summary: 'Create an API key',
    description: 'At most 100 a wallet. The secret is in this answer and nowhere else.',
    input: CreateKeyRequest,
    output: CreateKeyReply,
    errors: ['CONFLICT'],
    auth,
    keepsSecret: true,
  }),
  toggleKey: operation({
    operationId: 'setApiKeyEnabled',
    method: 'PUT',
    path: '/api/keys/{id}/toggle',
    summary: 'Enable or disable an API key',
    description: 'A disabled key is refused within a second.',
    input: ToggleKeyRequest,
    output: KeyView,
    errors: ['NOT_FOUND'],
    auth,
  }),
  regenerateKey: operation({
    operationId: 'regenerateApiKey',
    method: 'POST',
    path: '/api/keys/{id}/regenerate',
    summary: 'Give an API key a new secret',
    description: 'The former secret ends at once, or after the grace period. The publishable half stays.',
    input: RegenerateKeyRequest,
    output: RegenerateKeyReply,
    errors: ['NOT_FOUND'],
    auth,
    keepsSecret: true,
  }),
  deleteKey: operation({
    operationId: 'deleteApiKey',
    method: 'DELETE',
    path: '/api/keys/{id}',
    summary: 'Delete an API key for good',
    input: KeyQuery,
    output: DeleteKeyReply,
    errors: ['NOT_FOUND'],
    auth,
  }),
  listSpends: operation({
    operationId: 'listApiKeySpends',
    method: 'GET',
    path: '/api/keys/{id}/spends',
    summary: 'List what an API key has spent',
    description: 'Those of this month that are reserved or captured sum to `usedBudget`.',
    input: SpendsQuery,
    output: SpendsReply,
    errors: ['NOT_FOUND'],
    auth,
  }),
});
