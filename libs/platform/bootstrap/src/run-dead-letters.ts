import { tlsFilesOf } from '@tollbridge/config';
import { Database, listDeadLetters, retryDeadLetters } from '@tollbridge/database';

const mostListed = 100;
const longestShown = 200;

/**
 * The body of a `dead-letters.ts`: without arguments it lists the events that could not be handled; `retry all`, or
 * `retry` and their numbers, lets the running app handle them again.
 * @param config the app's, with the TLS settings of its database
 */
export function runDeadLetters(app: string, url: string, config: unknown): void {
  const [command, ...ids] = process.argv.slice(2);
  const work = async (): Promise<string> => {
    const tls = tlsFilesOf(config, 'database');
    const database = await Database.open({ app, url, tls, entities: [], maxConnections: 1 });
    try {
      return command === undefined ? await listed(database) : await retried(database, command, ids);
    } finally {
      await database.close();
    }
  };
  work().then(
    (output) => process.stdout.write(`${output}\n`),
    (error: Error) => {
      process.stderr.write(`${app}: ${error.message || error.name}\n`);
      process.exit(1);
    },
  );
}

async function listed({ pool }: Database): Promise<string> {
  const letters = await listDeadLetters(pool, mostListed);
  if (letters.length === 0) return 'There are no dead letters.';
  const lines = letters.map(
    ({ id, consumer, event, reason, storedAt }) =>
      `${id}  ${storedAt.toISOString()}  ${consumer}\n    ${reason.slice(0, longestShown)}\n    ${event.slice(0, longestShown)}`,
  );
  return [...lines, 'To have them handled again: retry all, or retry and their numbers.'].join('\n');
}

async function retried({ pool }: Database, command: string, ids: string[]): Promise<string> {
  const isAll = ids.length === 1 && ids[0] === 'all';
  if (command !== 'retry' || ids.length === 0 || !(isAll || ids.every((id) => /^\d{1,18}$/.test(id))))
    throw new Error('say nothing to list them, `retry all`, or `retry` and their numbers');
  const count = await retryDeadLetters(pool, isAll ? undefined : ids);
  return `${count} will be handled again within seconds; what fails stays in the list, with its reason.`;
}
