import { createClient, getSandbox, getWebhookEndpoint, toResult } from '@tollbridge/sdk';
import type { CommandContext } from '../command';
import { CommandError, exitCodes, UsageError } from '../exit-codes';
import { readStored, writeStored } from '../profiles';
import { loginCommand } from '../session';

/** Stores a profile after the deployment has accepted the key. */
export async function run({ terminal, session, flag, has, isJson }: CommandContext): Promise<void> {
  const { env } = terminal;
  const { url } = session;
  const name = flag('profile') ?? env['TOLLBRIDGE_PROFILE'] ?? 'default';
  if (!/^[\w.-]{1,64}$/.test(name) || name === '__proto__')
    throw new UsageError('The name of a profile has letters, digits, dots and hyphens.');
  const apiKey = has('sandbox') ? await demoKey(url) : await readKey(terminal);
  await requireValid(url, apiKey);
  const stored = readStored(env);
  writeStored(env, { ...stored, current: name, profiles: { ...stored.profiles, [name]: { url, apiKey } } });
  terminal.out(
    isJson ? JSON.stringify({ url, profile: name }, null, 2) : `Logged in to ${url} as profile ${name}.`,
  );
}

async function demoKey(url: string): Promise<string> {
  const result = await toResult(getSandbox(createClient({ baseUrl: url })));
  if (result.ok) return result.value.merchant.secret;
  if (result.error.status === 404)
    throw new CommandError(
      `${url} is not a sandbox.`,
      exitCodes.failed,
      `Log in with a key: ${loginCommand(url, false)}`,
    );
  throw result.error;
}

async function readKey(terminal: CommandContext['terminal']): Promise<string> {
  const text = terminal.isInteractive
    ? await terminal.ask('API key (its secret, tb_…_sk_…): ', { isHidden: true })
    : await terminal.readInput();
  const key = text.trim();
  if (!/^tb_(test|live)_(sk|pk)_\w+$/.test(key))
    throw new UsageError(
      'This is not an API key.',
      'A key is tb_live_sk_… or tb_test_sk_…. Create one in the dashboard.',
    );
  if (key.includes('_pk_'))
    throw new UsageError('This is the publishable half of a key.', 'Commands need its secret: tb_…_sk_….');
  return key;
}

/** Verifies a key. A key without the permission to read is valid too. */
async function requireValid(url: string, apiKey: string): Promise<void> {
  const result = await toResult(getWebhookEndpoint(createClient({ baseUrl: url, apiKey })));
  if (!result.ok && result.error.code !== 'FORBIDDEN') throw result.error;
}
