import { internalFeature, internalOperation } from '@tollbridge/rpc';
import { Flag, Integer, Nested, OneOf, Text, Timestamp, Uuid } from '../decorators';
import { KeyRate, keyPlans, type KeyPlan } from './keys.api';
import { idExample } from '../shared-fields';
import { walletExample } from '../pay-orders/fields';

// 16,667 requests a second, more than a gateway can serve.
const maxPerMinute = 1_000_000;

export class SetKeyPlanRequest {
  @Text('Id of the key, or its publishable half; never its secret', {
    maxLength: 64,
    pattern: /^([0-9a-fA-F-]{36}|tb_(test|live)_pk_[0-9A-Za-z]+)$/,
    patternMessage: 'must be the id of a key (a UUID) or its publishable half (tb_test_pk_… or tb_live_pk_…)',
    example: idExample,
  })
  key: string;
  @OneOf(keyPlans, 'New plan of the key', { example: 'pro' }) plan: KeyPlan;
  @Integer(
    'Requests per minute of this key, with the plan enterprise only; no limit without it. Set plan and rate together: a call without a rate removes it',
    { min: 1, max: maxPerMinute, optional: true, example: 5_000 },
  )
  perMinute?: number;
  @Integer('Most requests in any 60 seconds: perMinute or more, twice as many by default', {
    min: 1,
    max: 2 * maxPerMinute,
    optional: true,
    example: 10_000,
  })
  burst?: number;
  @Text('Person who changes the plan, for the audit log', { maxLength: 128, example: 'alice@ops-1' })
  operator: string;
  @Text('Reason, for the audit log', { maxLength: 500, example: 'Contract 4711' }) reason: string;
}

export class SetKeyPlanReply {
  @Uuid('Id of the API key', { example: idExample }) id: string;
  @Text('Publishable half of the key', { example: 'tb_test_pk_REPLACE_ME' }) key: string;
  @Text('Label of the key', { example: 'Shop' }) label: string;
  @Text('Wallet that owns the key', { example: walletExample }) owner: string;
  @OneOf(keyPlans, 'Previous plan') from: KeyPlan;
  @OneOf(keyPlans, 'Current plan', { example: 'pro' }) to: KeyPlan;
  @Nested(() => KeyRate, 'Rate of this key in place of the one of its plan', { nullable: true })
  rate: KeyRate | null;
  @Flag('False when the key already had this plan and rate; nothing is recorded then') changed: boolean;
  @Timestamp('Time of the change') at: string;
}

/** Plans of API keys. Only the operator of a deployment sets them, never the owner of the key. */
export const keyPlansApi = internalFeature('merchant', 'key-plans', {
  setKeyPlan: internalOperation({
    summary: 'Set the plan of an API key, and its own rate with Enterprise; record who changed it and why',
    input: SetKeyPlanRequest,
    output: SetKeyPlanReply,
    errors: ['NOT_FOUND'],
  }),
});
