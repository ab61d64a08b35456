import {
  Flag,
  Integer,
  internalFeature,
  internalOperation,
  Nested,
  OneOf,
  Text,
  Timestamp,
  Uuid,
} from '@tollbridge/rpc';
import { KeyRate, keyPlans, type KeyPlan } from './keys.api';

// 16,667 requests a second: more than a gateway serves.
const maxPerMinute = 1_000_000;

const keyIdExample = '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d';

export class SetKeyPlanRequest {
  @Text({
    description: 'Id of the key, or its publishable half; never its secret',
    maxLength: 64,
    pattern: /^([0-9a-fA-F-]{36}|tb_(test|live)_pk_[0-9A-Za-z]+)$/,
    patternMessage: 'must be the id of a key (a UUID) or its publishable half (tb_test_pk_… or tb_live_pk_…)',
    example: keyIdExample,
  })
  key: string;
  @OneOf(keyPlans, { description: 'New plan of the key', example: 'pro' })
  plan: KeyPlan;
  @Integer({
    description:
      'Requests per minute of this key, with the plan enterprise only; no limit without it. Set plan and rate together: a call without a rate removes it',
    min: 1,
    max: maxPerMinute,
    optional: true,
    example: 5_000,
  })
  perMinute?: number;
  @Integer({
    description: 'Most requests in any 60 seconds: perMinute or more, twice as many by default',
    min: 1,
    max: 2 * maxPerMinute,
    optional: true,
    example: 10_000,
  })
  burst?: number;
  @Text({
    description: 'Person who changes the plan, for the audit log',
    maxLength: 128,
    example: 'alice@ops-1',
  })
  operator: string;
  @Text({ description: 'Reason, for the audit log', maxLength: 500, example: 'Contract 4711' })
  reason: string;
}

export class SetKeyPlanReply {
  @Uuid({ description: 'Id of the API key', example: keyIdExample })
  id: string;
  @Text({ description: 'Publishable half of the key', example: 'tb_test_pk_REPLACE_ME' })
  key: string;
  @Text({ description: 'Label of the key', example: 'Shop' })
  label: string;
  @Text({
    description: 'Wallet that owns the key',
    example: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  })
  owner: string;
  @OneOf(keyPlans, { description: 'Previous plan', example: 'free' })
  from: KeyPlan;
  @OneOf(keyPlans, { description: 'Current plan', example: 'pro' })
  to: KeyPlan;
  @Nested(() => KeyRate, { description: 'Rate of this key in place of the one of its plan', nullable: true })
  rate: KeyRate | null;
  @Flag({
    description: 'False when the key already had this plan and rate; nothing is recorded then',
    example: true,
  })
  changed: boolean;
  @Timestamp({ description: 'Time of the change', example: '2026-11-20T12:00:00.000Z' })
  at: string;
}

/** Plans of API keys. Only the operator of a deployment sets them, never the key's owner. */
export const keyPlansApi = internalFeature('merchant', 'key-plans', {
  setKeyPlan: internalOperation({
    summary: 'Set the plan of an API key, and its own rate with Enterprise; record who changed it and why',
    input: SetKeyPlanRequest,
    output: SetKeyPlanReply,
    errors: ['NOT_FOUND'],
  }),
});
