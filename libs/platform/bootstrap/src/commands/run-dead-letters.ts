import { tlsFilesOf } from '@tollbridge/config';
import {
  audited,
  Database,
  listDeadLetters,
  retryDeadLetters,
  type OperatorAction,
} from '@tollbridge/database';
import { commandAction, readCommandLine, runCommand } from './operator-command';

const mostListed = 100;
const longestShown = 200;

/**
 * The body of a `dead-letters.ts`. Without arguments it lists the events that could not be handled. `retry
 * all`, or `retry` with dead letter numbers, makes the running app handle them again.
 * @param config the app's configuration, with the TLS settings of its database
 */
export function runDeadLetters(app: string, url: string, config: unknown): void {
  runCommand(app, async () => {
    const line = readCommandLine(process.argv.slice(2), { names: ['operator', 'reason'] });
    const [command, ...ids] = line.words;
    const tls = tlsFilesOf(config, 'database');
    const database = await Database.open({ app, url, tls, entities: [], maxConnections: 1 });
    try {
      if (command === undefined) return await listed(database);
      const action = commandAction(line, { command: 'dead-letters' });
      return await retryCommand(
        database,
        { ...action, action: 'dead-letters-retry', target: ids.join(' ') },
        [command, ...ids],
      );
    } finally {
      await database.close();
    }
  });
}

async function listed({ pool }: Database): Promise<string> {
  const letters = await listDeadLetters(pool, mostListed);
  if (letters.length === 0) return 'There are no dead letters.';
  const lines = letters.map(
    ({ id, consumer, event, reason, storedAt }) =>
      `${id}  ${storedAt.toISOString()}  ${consumer}\n    ${reason.slice(0, longestShown)}\n    ${event.slice(0, longestShown)}`,
  );
  return [...lines, 'To retry them: `retry all`, or `retry` with dead letter numbers.'].join('\n');
}

/** Marks dead letters for a retry, and records the operator. @returns the text for the operator */
export async function retryCommand(
  { pool }: Database,
  action: OperatorAction,
  [command, ...ids]: readonly string[],
): Promise<string> {
  const isAll = ids.length === 1 && ids[0] === 'all';
  if (command !== 'retry' || ids.length === 0 || !(isAll || ids.every((id) => /^\d{1,18}$/.test(id))))
    throw new Error(
      'Unknown argument. Pass nothing to list them, `retry all`, or `retry` and their numbers.',
    );
  const count = await audited(pool, action, async (client) => {
    const marked = await retryDeadLetters(client, isAll ? undefined : ids);
    return { result: marked, after: { retried: marked } };
  });
  return `${count} will be handled again within seconds; failed retries stay in the list, with the reason.`;
}
