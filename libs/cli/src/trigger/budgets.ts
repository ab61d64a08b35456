import { createApiKey, createClient, deleteApiKey } from '@tollbridge/sdk';
import type { CommandContext } from '../command';
import { sandboxPayer } from '../pay/sandbox-payer';
import { label, newOrder } from './make';

/** Creates a key with a budget, spends part of it with an order, and deletes the key. Resolves to the key id. */
export async function spendBudget(
  { client }: CommandContext,
  monthlyBudget: string,
  merchantAmount: string,
): Promise<string> {
  const { sandbox } = await sandboxPayer(client);
  const { baseUrl } = client;
  // Only a wallet can create keys. In the sandbox the wallet address is sufficient.
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
