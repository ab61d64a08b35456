import { tlsFilesOf } from '@tollbridge/config';
import { Database, listOperatorActions, type RecordedAction } from '@tollbridge/database';
import { optionText, readCommandLine, runCommand, type CommandLine } from './operator-command';

const usage = `audit-log [--operator NAME] [--action ACTION] [--target ID] [--since DATE] [--limit 100] [--json]`;
const mostListed = 10_000;

/**
 * The body of an `audit-log.ts`: lists the actions of operators, newest first.
 * @param config the app's configuration, with the TLS settings of its database
 */
export function runAuditLog(app: string, url: string, config: unknown): void {
  runCommand(app, async () => {
    const line = readCommandLine(process.argv.slice(2), {
      names: ['operator', 'action', 'target', 'since', 'limit'],
      flags: ['json'],
    });
    if (line.words.length > 0) throw new Error(`Unknown argument. Usage: ${usage}`);
    const filters = filtersOf(line);
    const tls = tlsFilesOf(config, 'database');
    const database = await Database.open({ app, url, tls, entities: [], maxConnections: 1 });
    try {
      const actions = await listOperatorActions(database.pool, filters);
      if (line.options['json']) return actions.map((action) => JSON.stringify({ app, ...action })).join('\n');
      return actions.length === 0 ? `${app}: no operator action.` : actions.map(textOf).join('\n');
    } finally {
      await database.close();
    }
  });
}

function filtersOf(line: CommandLine) {
  const limit = Number(optionText(line, 'limit') ?? 100);
  if (!Number.isInteger(limit) || limit < 1 || limit > mostListed)
    throw new Error(`--limit must be an integer from 1 to ${mostListed}.`);
  const given = optionText(line, 'since');
  const since = given === undefined ? undefined : new Date(given);
  if (since && Number.isNaN(since.getTime())) throw new Error('--since must be a date, such as 2026-11-24.');
  const [operator, action, target] = ['operator', 'action', 'target'].map((name) => optionText(line, name));
  return {
    limit,
    ...(operator && { operator }),
    ...(action && { action }),
    ...(target && { target }),
    ...(since && { since }),
  };
}

function textOf(recorded: RecordedAction): string {
  const { at, operator, action, target, outcome, reason, before, after, error, caller, requestId } = recorded;
  const lines = [
    `${at.toISOString()}  ${outcome.padEnd(6)}  ${operator}  ${action}  ${target}`,
    ...(reason ? [`    reason: ${reason}`] : []),
    ...(before || after ? [`    ${JSON.stringify(before)} -> ${JSON.stringify(after)}`] : []),
    ...(error ? [`    ${error}`] : []),
    `    by ${caller}, request ${requestId}`,
  ];
  return lines.join('\n');
}
