import { getSandbox, getWebhookEndpoint, toResult } from '@tollbridge/sdk';
import type { CommandContext } from '../command';
import { exitCodes } from '../exit-codes';
import { renderFields } from '../output';
import { clientOf, loginCommand } from '../session';

/** Prints the address that commands use, and whether the key is accepted. */
export async function run({ terminal, session, client, isJson }: CommandContext): Promise<number> {
  const { url, profile, apiKey, keySource, wallet } = session;
  const [sandbox, asked] = await Promise.all([
    // Called without the key, because a gateway rejects each call with an invalid key.
    toResult(getSandbox(clientOf({ url }))),
    apiKey === undefined ? undefined : toResult(getWebhookEndpoint(client)),
  ]);
  if (!sandbox.ok && sandbox.error.status === 0) throw sandbox.error;
  const isValid = asked === undefined ? null : asked.ok || asked.error.code === 'FORBIDDEN';
  if (asked && !asked.ok && asked.error.status !== 401 && asked.error.status !== 403) throw asked.error;
  const facts = {
    url,
    environment: environmentOf(sandbox.ok ? 200 : sandbox.error.status),
    profile: profile ?? null,
    key: apiKey === undefined ? null : masked(apiKey),
    key_from: keySource ?? null,
    key_is_valid: isValid,
    wallet:
      wallet ??
      (sandbox.ok && sandbox.value.merchant.secret === apiKey ? sandbox.value.merchant.wallet : null),
  };
  terminal.out(isJson ? JSON.stringify(facts, null, 2) : renderFields(facts));
  if (apiKey === undefined) terminal.note(`Not logged in. Run: ${loginCommand(url, sandbox.ok)}`);
  return isValid === false ? exitCodes.denied : exitCodes.ok;
}

/** Only a 404 means that the deployment is not a sandbox. */
function environmentOf(status: number): string {
  if (status === 404) return 'not a sandbox';
  return status === 200 ? 'sandbox' : 'unknown';
}

/** Returns the kind of a key and its last characters. */
const masked = (key: string): string => `${/^tb_\w+?_sk_/.exec(key)?.[0] ?? ''}…${key.slice(-4)}`;
