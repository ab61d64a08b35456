import { sendTestWebhook, toResult } from '@tollbridge/sdk';
import type { CommandContext } from '../command';
import { CommandError, exitCodes, UsageError } from '../exit-codes';
import { webhookTypes } from '../generated/api';
import { renderTable } from '../output';
import { didYouMean } from '../suggestion';
import { doesOf } from '../trigger/does';
import { newestMessage, noteWithoutMessage } from '../trigger/missing-receiver';
import { recipes } from '../trigger/recipes';

/** Causes a webhook of a type, or sends the example of the type. */
export async function run(context: CommandContext): Promise<number | void> {
  const { terminal, positionals, has, isJson } = context;
  if (has('list'))
    return terminal.out(isJson ? JSON.stringify(typeRows(), null, 2) : renderTable(typeRows()));
  const [type] = positionals;
  const known = Object.keys(webhookTypes);
  if (type === undefined) throw new UsageError('trigger needs a type.', 'Run: tollbridge trigger --list');
  if (!known.includes(type))
    throw new UsageError(
      `There is no webhook type ${type}.`,
      didYouMean(type, known, 'Run: tollbridge trigger --list'),
    );
  const recipe = has('example') ? undefined : recipes[type];
  const spending = { ...context, has: (name: string) => name === 'yes' || has(name) };
  const before = recipe && (await newestMessage(context, type));
  const made = recipe ? { type, made: await recipe.run(spending) } : await sendExample(context, type);
  terminal.out(isJson ? JSON.stringify(made) : `${type}: ${made.made}`);
  if (before) await noteWithoutMessage(context, type, before);
}

const typeRows = () =>
  Object.entries(webhookTypes).map(([type, when]) => ({
    type,
    trigger: doesOf(type),
    when,
  }));

async function sendExample({ client }: CommandContext, type: string) {
  const result = await toResult(sendTestWebhook(client, { type: type as 'webhook.test' }));
  if (result.ok) {
    const { id, delivered, status, error } = result.value;
    // Without an endpoint the message has no delivery attempt.
    const isRecorded = status === null && error?.startsWith('Recorded');
    // The API records messages for two minutes after a listener has ended.
    const failure = isRecorded
      ? 'was recorded, not sent: there is no webhookUrl, and only a running tollbridge listen receives it'
      : `was not delivered: ${error}`;
    return { type, id, made: delivered ? `${id} was delivered, ${status}` : `${id} ${failure}` };
  }
  if (result.error.code !== 'CONFLICT') throw result.error;
  throw new CommandError(
    result.error.message,
    exitCodes.failed,
    'Run tollbridge listen in another terminal, or set webhookUrl.',
  );
}
