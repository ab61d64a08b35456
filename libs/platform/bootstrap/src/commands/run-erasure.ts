import { tlsFilesOf } from '@tollbridge/config';
import {
  Database,
  databaseEntities,
  erasePerson,
  personMatcher,
  type DatabaseOptions,
  type Erasure,
  type Person,
} from '@tollbridge/database';
import { commandAction, optionText, readCommandLine, runCommand, type CommandLine } from './operator-command';

const usage =
  'erase [--phone +NUMBER] [--email ADDRESS] [--exact TEXT] --reason TEXT [--operator NAME] [--apply]';
// An erasure scans whole tables.
const statementMs = 11 * 60_000;

/** The body of an `erase.ts`: counts a person's data in the schema of one app, or replaces it with `--apply`. */
export function runErasure({
  app,
  url,
  entities,
  config,
}: Pick<DatabaseOptions, 'app' | 'url' | 'entities'> & {
  /** The app's configuration, with the TLS settings of its database. */
  config: unknown;
}): void {
  runCommand(app, async () => {
    const line = readCommandLine(process.argv.slice(2), {
      names: ['phone', 'email', 'exact', 'reason', 'operator'],
      flags: ['apply'],
    });
    if (line.words.length > 0) throw new Error(`Unknown argument. Usage: ${usage}`);
    const isApplied = line.options['apply'] === true;
    const person = personOf(line);
    const action = commandAction(line, { command: 'erase' });
    if (isApplied && !action.reason)
      throw new Error('Name the request by --reason, without data of the person.');
    if ([action.reason, action.operator].some((text) => personMatcher(person).eraseText(text) !== undefined))
      throw new Error('--reason and --operator must not contain data of the person: they are recorded.');
    const all = [...entities, ...(await databaseEntities({ hasAuditLog: true }))];
    const database = await Database.open({
      app,
      url,
      tls: tlsFilesOf(config, 'database'),
      entities: all,
      maxConnections: 2,
      queryTimeoutMs: statementMs,
    });
    try {
      return textOf(app, await erasePerson(database, { ...action, person, isApplied }), isApplied);
    } finally {
      await database.close();
    }
  });
}

function personOf(line: CommandLine): Person {
  const [phone, email, exact] = ['phone', 'email', 'exact'].map((name) => optionText(line, name));
  if (phone === undefined && email === undefined && exact === undefined) throw new Error(`Usage: ${usage}`);
  return { ...(phone && { phone }), ...(email && { email }), ...(exact && { exact }) };
}

function textOf(app: string, { id, tables, elsewhere }: Erasure, isApplied: boolean): string {
  const verb = isApplied ? 'erased in' : 'would be erased in';
  const lines = tables.flatMap(({ table, rows, waiting }) => [
    ...(rows > 0 ? [`${app}: ${verb} ${rows} rows of ${table}`] : []),
    ...(waiting > 0
      ? [`${app}: ${waiting} rows of ${table} are under way; repeat the command when they have ended`]
      : []),
  ]);
  return [
    ...(lines.length > 0 ? lines : [`${app}: nothing found`]),
    ...elsewhere.map(
      ({ table, rows }) => `${app}: similar text in ${rows} rows of ${table} was left: check them`,
    ),
    ...(isApplied ? [`${app}: recorded as erasure ${id}`] : []),
  ].join('\n');
}
