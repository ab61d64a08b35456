import { events, Flag, Integer, Text, Timestamp } from '@tollbridge/rpc';
import { KeyBudgetUsed } from './webhooks.types';

/** What concerns those who remember a key; nothing by which it could be used. */
export class ApiKeyChanged {
  @Text({ description: 'The key', format: 'uuid', example: '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d' })
  id: string;
  @Text({
    description: 'The wallet that it belongs to',
    example: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  })
  owner: string;
  @Flag({ description: 'Whether it is taken', example: false })
  enabled: boolean;
  @Flag({ description: 'Whether it was deleted', example: false })
  deleted: boolean;
  @Integer({ description: 'Counts the changes of this key', example: 2 })
  version: number;
  @Timestamp({ description: 'When it changed', example: '2026-11-20T12:00:07.000Z' })
  updated_at: string;
}

/** What a key has used up of a month's budget. Each month of a key is told of on its own. */
export class KeyBudgetChanged extends KeyBudgetUsed {
  @Text({ description: 'The key and the month', example: '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d:2026-11' })
  id: string;
  @Text({
    description: 'The wallet that the key belongs to',
    example: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  })
  owner: string;
  @Text({ description: 'The month (UTC)', example: '2026-11' })
  month: string;
  @Integer({ description: '1 for the warning, 2 when the budget is reached', example: 1 })
  version: number;
  @Timestamp({ description: 'When it was', example: '2026-11-20T12:00:07.000Z' })
  updated_at: string;
}

export const keyEvents = events('merchant', {
  'api-key-changed': {
    version: 1,
    summary:
      'A key was enabled, disabled or deleted, or got a new secret or another plan: cached copies of it are out of date',
    data: ApiKeyChanged,
  },
  'key-budget-warning': {
    version: 1,
    summary: 'A key has spent 80 % of its budget of this month; published once a month',
    data: KeyBudgetChanged,
  },
  'key-budget-reached': {
    version: 1,
    summary: 'A key has spent its budget of this month; published once a month',
    data: KeyBudgetChanged,
  },
});
