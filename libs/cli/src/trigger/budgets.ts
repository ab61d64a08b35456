import { createApiKey, createClient, deleteApiKey } from '@tollbridge/sdk';
import type { CommandContext } from '../command';
import { sandboxPayer } from '../pay/sandbox-payer';
import { label, newOrder } from './make';

/** Creates a key with a budget, spends a part of it by an order, and deletes the key. Resolves to the id of the key. */
export async function spendBudget(
  { client }: CommandContext,
  monthlyBudget: string,
  merchantAmount: string,
): Promise<string> {
  const { sandbox } = await sandboxPayer(client);
  const { baseUrl } = client;
  // Keys are created by their wallet; in the sandbox its address is enough.
  const owner = createClient({ baseUrl, wallet: sandbox.merchant.wallet });
  const { id, secret } = await createApiKey(owner, {
    label,
    permissions: ['pay', 'write'],
    monthlyBudget,
  });
  try {
    await newOrder({ client: createClient({ baseUrl, apiKey: secret }) }, merchantAmount);
  } finally {
    await deleteApiKey(owner, { id });
  }
  return id;
}
