import { events } from '@tollbridge/rpc';
import { Flag, Integer, Text, Timestamp } from '../decorators';
import { KeyBudgetUsed } from './webhooks.types';
import { Id } from '../shared-fields';
import { walletExample } from '../pay-orders/fields';

/** Fields for invalidating cached keys. They contain no credential. */
export class ApiKeyChanged {
  @Id('Id of the API key') id: string;
  @Text('Wallet that owns the key', { example: walletExample }) owner: string;
  @Flag('Whether the key is accepted', { example: false }) enabled: boolean;
  @Flag('Whether the key was deleted', { example: false }) deleted: boolean;
  @Integer('Version of the key: increases with each change', { example: 2 }) version: number;
  @Timestamp('Time of the change', { example: '2026-11-20T12:00:07.000Z' }) updated_at: string;
}

/** Spent budget of a key in one month. Each month has its own events. */
export class KeyBudgetChanged extends KeyBudgetUsed {
  @Text('Key and month', { example: '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d:2026-11' }) id: string;
  @Text('Wallet that owns the key', { example: walletExample }) owner: string;
  @Text('The month (UTC)', { example: '2026-11' }) month: string;
  @Integer('1 for the warning, 2 when the budget is used up', { example: 1 }) version: number;
  @Timestamp('Time of the event', { example: '2026-11-20T12:00:07.000Z' }) updated_at: string;
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
