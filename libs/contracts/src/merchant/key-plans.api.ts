import { Flag, internalFeature, internalOperation, OneOf, Text, Timestamp, Uuid } from '@tollbridge/rpc';
import { keyPlans, type KeyPlan } from './keys.api';

const keyIdExample = '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d';

export class SetKeyPlanRequest {
  @Text({
    description: 'The id of the key, or its publishable half; never its secret',
    maxLength: 64,
    pattern: /^([0-9a-fA-F-]{36}|tb_(test|live)_pk_[0-9A-Za-z]+)$/,
    patternMessage: 'must be the id of a key (a UUID) or its publishable half (tb_test_pk_… or tb_live_pk_…)',
    example: keyIdExample,
  })
  key: string;
  @OneOf(keyPlans, { description: 'The plan that the key gets', example: 'pro' })
  plan: KeyPlan;
  @Text({ description: 'The person who changes it, for the record', maxLength: 128, example: 'alice@ops-1' })
  operator: string;
  @Text({ description: 'Why, for the record', maxLength: 500, example: 'Contract 4711' })
  reason: string;
}

export class SetKeyPlanReply {
  @Uuid({ description: 'The key', example: keyIdExample })
  id: string;
  @Text({ description: 'Its publishable half', example: 'tb_test_pk_REPLACE_ME' })
  key: string;
  @Text({ description: 'The name that its owner gave it', example: 'Shop' })
  label: string;
  @Text({
    description: 'The wallet that it belongs to',
    example: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  })
  owner: string;
  @OneOf(keyPlans, { description: 'The plan before', example: 'free' })
  from: KeyPlan;
  @OneOf(keyPlans, { description: 'The plan now', example: 'pro' })
  to: KeyPlan;
  @Flag({ description: 'False when the key had this plan already: nothing is recorded then', example: true })
  changed: boolean;
  @Timestamp({ description: 'When it was', example: '2026-11-20T12:00:00.000Z' })
  at: string;
}

/** Plans of API keys. Only the operator of a deployment sets them, never the owner of a key. */
export const keyPlansApi = internalFeature('merchant', 'key-plans', {
  setKeyPlan: internalOperation({
    summary: 'Set the plan of an API key, and record who did it and why',
    input: SetKeyPlanRequest,
    output: SetKeyPlanReply,
    errors: ['NOT_FOUND'],
  }),
});
