import { randomUUID } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import type { EntityMetadata } from 'typeorm';
import type { Database } from '../database';
import { audited, type OperatorAction } from '../operator-actions';
import { personalDataOf, personMatcher, type Person, type PersonMatcher } from './personal-data';

/** Result of an erasure in one table. */
export interface ErasedTable {
  table: string;
  /** Number of rows with the person's data that were changed, or would be in a dry run. */
  rows: number;
  /** Number of rows that are still needed. Repeat the erasure when they are complete. */
  waiting: number;
}

export interface Erasure {
  /** Id of this run in the audit log, which contains no personal data. */
  id: string;
  tables: ErasedTable[];
  /** Tables with similar text in columns that are not erased, and their row counts. An operator reviews them. */
  elsewhere: { table: string; rows: number }[];
}

export type ErasureRequest = Pick<OperatorAction, 'operator' | 'caller' | 'reason' | 'requestId'> & {
  person: Person;
  /** Whether to change rows. False only counts them. */
  isApplied: boolean;
};

// A person has far fewer rows. More rows point to another problem, such as a test address, and long locks.
const mostRows = 10_000;

/**
 * Replaces a person's phone number and e-mail address in the declared columns of one schema. The same
 * transaction writes an audit record. Amounts, references and ids stay. A second run finds no rows. SQL:
 * tables and columns come from declarations, and whole tables are scanned.
 */
export async function erasePerson(database: Database, request: ErasureRequest): Promise<Erasure> {
  const matcher = personMatcher(request.person);
  const id = randomUUID();
  const plans = personalTables(database);
  const { operator, caller, reason, requestId, isApplied } = request;
  const kinds = Object.keys(request.person).sort().join(',');
  const tables = isApplied
    ? await audited(
        database.pool,
        { operator, caller, reason, requestId, action: 'erase', target: `${id} (${kinds})` },
        async (client) => {
          const done = await eachTable(client, plans, matcher, true);
          return { result: done, after: { tables: done } };
        },
      )
    : await inOwnClient(database.pool, (client) => eachTable(client, plans, matcher, false));
  const elsewhere = await inOwnClient(database.pool, (client) => rest(client, tables, matcher, isApplied));
  return { id, tables, elsewhere };
}

interface TablePlan {
  table: string;
  keys: string[];
  columns: { name: string; type: string }[];
  unless: string;
}

function personalTables({ dataSource }: Database): TablePlan[] {
  return dataSource.entityMetadatas.flatMap((entity) => {
    const personal = personalDataOf(entity.target);
    if (!personal) return [];
    const columns = personal.columns.map((name) => ({ name, type: typeOf(entity, name) }));
    const keys = entity.primaryColumns.map(({ databaseName }) => databaseName);
    return [{ table: entity.tableName, keys, columns, unless: personal.unless ?? 'false' }];
  });
}

function typeOf({ columns, name }: EntityMetadata, wanted: string): string {
  const column = columns.find(({ databaseName }) => databaseName === wanted);
  if (!column) throw new Error(`The entity ${name} has no column ${wanted}.`);
  return String(column.type);
}

async function eachTable(
  client: PoolClient,
  plans: readonly TablePlan[],
  matcher: PersonMatcher,
  isApplied: boolean,
): Promise<ErasedTable[]> {
  const found: ErasedTable[] = [];
  for (const plan of plans) {
    const table = await eraseTable(client, plan, matcher, isApplied);
    if (table.rows + table.waiting > 0) found.push(table);
  }
  return found;
}

type FoundRow = { is_waiting: boolean } & Record<string, unknown>;

async function eraseTable(
  client: PoolClient,
  { table, keys, columns, unless }: TablePlan,
  matcher: PersonMatcher,
  isApplied: boolean,
): Promise<ErasedTable> {
  // The app's role has a limit of seconds, for requests. Only this transaction may run longer.
  await client.query(`SET LOCAL statement_timeout = '10min'`);
  const texts = columns.map(
    ({ name, type }) => `${type === 'bytea' ? name : `${name}::text`} AS "text_${name}"`,
  );
  const matches = columns.map(({ name, type }) => `${searchedText(name, type)} ~* $1`).join(' OR ');
  const { rows } = await client.query<FoundRow>(
    `SELECT ${keys.map((key) => `${key} AS "key_${key}"`).join(', ')}, ${texts.join(', ')}, (${unless}) AS is_waiting
     FROM ${table} WHERE ${matches} ORDER BY ${keys.join(', ')} LIMIT $2 ${isApplied ? 'FOR UPDATE' : ''}`,
    [matcher.pattern, mostRows + 1],
  );
  if (rows.length > mostRows)
    throw new Error(`More than ${mostRows} rows of ${table} match. Nothing was erased.`);
  const counted: ErasedTable = { table, rows: 0, waiting: 0 };
  for (const row of rows) {
    const changes = columns.flatMap(({ name, type }) => {
      const before = row[`text_${name}`] as string | Buffer | null;
      const after = before === null ? undefined : erased(before, type, matcher);
      return after === undefined ? [] : [{ name, type, after }];
    });
    if (changes.length === 0) continue;
    counted[row.is_waiting ? 'waiting' : 'rows']++;
    if (!isApplied || row.is_waiting) continue;
    await overwrite(client, { table, keys }, row, changes);
  }
  return counted;
}

async function overwrite(
  client: PoolClient,
  { table, keys }: Pick<TablePlan, 'table' | 'keys'>,
  row: FoundRow,
  changes: readonly { name: string; type: string; after: string | Buffer }[],
): Promise<void> {
  const sets = changes.map(({ name, type }, at) => `${name} = $${at + 1}::${type}`);
  const where = keys.map((key, at) => `${key} = $${changes.length + at + 1}`);
  await client.query(`UPDATE ${table} SET ${sets.join(', ')} WHERE ${where.join(' AND ')}`, [
    ...changes.map(({ after }) => after),
    ...keys.map((key) => row[`key_${key}`]),
  ]);
}

const isJson = (type: string): boolean => type === 'json' || type === 'jsonb';
// Unencrypted stored replies are UTF-8 text. `encode` keeps ASCII readable for the search.
const searchedText = (name: string, type: string): string =>
  type === 'bytea' ? `encode(${name}, 'escape')` : `${name}::text`;

function erased(stored: string | Buffer, type: string, matcher: PersonMatcher): string | Buffer | undefined {
  const text = stored.toString();
  const after = isJson(type) || looksLikeJson(text) ? matcher.eraseJson(text) : matcher.eraseText(text);
  if (typeof stored === 'string' || after === undefined) return after;
  return looksLikeJson(text) ? Buffer.from(after) : undefined;
}

/** Payloads of webhooks and dead letters are JSON in a text column. */
function looksLikeJson(text: string): boolean {
  if (!/^\s*[{[]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Counts rows with similar text in all tables of the schema, without the rows that the erasure has counted. */
async function rest(
  client: PoolClient,
  found: readonly ErasedTable[],
  { pattern }: PersonMatcher,
  isApplied: boolean,
): Promise<Erasure['elsewhere']> {
  await client.query(`SET LOCAL statement_timeout = '10min'`);
  const { rows: tables } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = current_schema()::regnamespace
       AND relkind IN ('r', 'p') AND NOT relispartition AND relname <> 'migrations' ORDER BY relname`,
  );
  const left: Erasure['elsewhere'] = [];
  for (const { name } of tables) {
    const { rows } = await client.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM ${name} t WHERE t::text ~* $1`,
      [pattern],
    );
    const own = found.find(({ table }) => table === name);
    const counted = own ? own.waiting + (isApplied ? 0 : own.rows) : 0;
    if (rows[0]!.count > counted) left.push({ table: name, rows: rows[0]!.count - counted });
  }
  return left;
}

async function inOwnClient<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN READ ONLY');
    return await work(client);
  } finally {
    await client.query('ROLLBACK').catch(() => undefined);
    client.release();
  }
}
