import type { Operation } from '@tollbridge/rpc';
import { features, hintsOf, isPurchase, isTool, purchaseTools, withheldTools } from '.';

const operations = features.flatMap((feature) => Object.values(feature.operations) as Operation[]);
const byId = new Map(operations.map((operation) => [operation.operationId, operation]));

describe('agent tools', () => {
  it('refer to existing operations', () => {
    const named = [...Object.keys(withheldTools), ...purchaseTools];
    expect(named.filter((id) => !byId.has(id))).toEqual([]);
  });

  it('include a cost for every operation that spends a budget without a further signature', () => {
    const spending = operations.filter((operation) => operation.errors.includes('BUDGET_EXCEEDED'));
    // Orders and swaps move money only with the payer's signature.
    const signed = ['createOrder', 'executeSwap'];
    const others = spending.filter((operation) => isTool(operation) && !isPurchase(operation));
    expect(others.map(({ operationId }) => operationId)).toEqual(signed);
  });

  it('exclude operations that return credentials: keys, sessions and webhook secrets', () => {
    const secret = operations.filter(({ app, hasSecretReply }) => app === 'merchant' && hasSecretReply);
    expect(secret.length).toBeGreaterThan(3);
    expect(secret.filter(isTool)).toEqual([]);
  });

  it('use names that MCP allows', () => {
    for (const { operationId } of operations) expect(operationId).toMatch(/^[A-Za-z0-9_.-]{1,64}$/);
  });
});

describe('hintsOf', () => {
  it.each([
    [
      'listGiftCards',
      { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
    ],
    ['orderGiftCard', { readOnlyHint: false, destructiveHint: true, idempotentHint: false }],
    ['previewPayout', { readOnlyHint: true, destructiveHint: false }],
    ['createPayLink', { readOnlyHint: false, destructiveHint: false, openWorldHint: false }],
    ['deletePayLink', { readOnlyHint: false, destructiveHint: true, idempotentHint: true }],
    ['replaceSettings', { destructiveHint: true, idempotentHint: true }],
  ])('returns the hints of %s', (id, hints) => {
    expect(hintsOf(byId.get(id)!)).toMatchObject(hints);
  });

  it('marks no tool as both read-only and destructive', () => {
    const both = operations.map(hintsOf).filter((hints) => hints.readOnlyHint && hints.destructiveHint);
    expect(both).toEqual([]);
  });
});
