import { getWebhook, replayWebhook, toResult } from '@tollbridge/sdk';
import type { CommandContext } from '../command';
import { CommandError, exitCodes, UsageError } from '../exit-codes';
import { renderFields } from '../output';
import { sendOnce, targetUrl } from '../webhooks/forward-message';
import { givenSecret, newSecret } from '../webhooks/sign-message';

/** Sends a message again, through the API or from this machine. */
export async function run({
  terminal,
  client,
  positionals,
  flag,
  isJson,
}: CommandContext): Promise<number | void> {
  const id = positionals[0]!;
  if (!/^msg_[0-9a-f]{32}$/.test(id))
    throw new UsageError(`${id} is not the id of a message.`, 'List them: tollbridge webhooks list-webhooks');
  const forwardTo = flag('forward-to');
  if (forwardTo === undefined) {
    if (flag('secret') !== undefined)
      throw new UsageError(
        '--secret needs --forward-to.',
        'To webhookUrl, the API sends it with the secret of the settings.',
      );
    const result = await toResult(replayWebhook(client, { id }));
    if (!result.ok && result.error.code === 'CONFLICT')
      throw new CommandError(
        'The settings have no webhookUrl.',
        exitCodes.failed,
        `Send it from here: tollbridge events replay ${id} --forward-to http://localhost:4000/webhooks`,
      );
    if (!result.ok) throw result.error;
    return terminal.out(isJson ? JSON.stringify(result.value, null, 2) : renderFields({ ...result.value }));
  }
  const url = targetUrl(forwardTo);
  const given = givenSecret({ flag, terminal });
  const secret = given ?? newSecret();
  if (given === undefined) terminal.note(`Signing secret: ${secret}`);
  const { type, payload } = await getWebhook(client, { id });
  const attempt = await sendOnce({ id, type, payload }, { url, secret, signal: terminal.signal });
  terminal.out(
    isJson ? JSON.stringify({ id, type, ...attempt }) : `${type}  ${attempt.error ?? attempt.status}`,
  );
  return attempt.error === undefined ? undefined : exitCodes.failed;
}
