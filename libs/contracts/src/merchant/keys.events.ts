import { events, Flag, Integer, Text, Timestamp } from '@tollbridge/rpc';
import { KeyBudgetUsed } from './webhooks.types';

/** Fields for invalidating cached keys; they contain no credential. */
export class ApiKeyChanged {
  @Text({ description: 'Id of the API key', format: 'uuid', example: '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d' })
  id: string;
  @Text({
    description: 'Wallet that owns the key',
    example: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  })
  owner: string;
  @Flag({ description: 'Whether the key is accepted', example: false })
  enabled: boolean;
  @Flag({ description: 'Whether the key was deleted', example: false })
  deleted: boolean;
  @Integer({ description: 'Version of the key: increases with each change', example: 2 })
  version: number;
  @Timestamp({ description: 'Time of the change', example: '2026-11-20T12:00:07.000Z' })
  updated_at: string;
}

/** Budget use of a key in one month. Each month has its own events. */
export class KeyBudgetChanged extends KeyBudgetUsed {
  @Text({ description: 'Key and month', example: '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d:2026-11' })
  id: string;
  @Text({
    description: 'Wallet that owns the key',
    example: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  })
  owner: string;
  @Text({ description: 'The month (UTC)', example: '2026-11' })
  month: string;
  @Integer({ description: '1 for the warning, 2 when the budget is used up', example: 1 })
  version: number;
  @Timestamp({ description: 'Time of the event', example: '2026-11-20T12:00:07.000Z' })
  updated_at: string;
}

export const keyEvents = events('merchant', {
  'api-key-changed': {
    version: 1,
    summary: 'A key was enabled, disabled or deleted, or got a new secret or plan: invalidate cached copies',
    data: ApiKeyChanged,
  },
  'key-budget-warning': {
    version: 1,
    summary: 'A key spent 80 % of its budget of this month; published once a month',
    data: KeyBudgetChanged,
  },
  'key-budget-reached': {
    version: 1,
    summary: 'A key spent its whole budget of this month; published once a month',
    data: KeyBudgetChanged,
  },
});
