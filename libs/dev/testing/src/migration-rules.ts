/** The parts of a schema that running apps depend on. Keys of columns and constraints: `table.name`. */
export interface Catalog {
  tables: ReadonlySet<string>;
  columns: ReadonlyMap<string, { type: string; isNullable: boolean; hasDefault: boolean }>;
  constraints: ReadonlyMap<string, { kind: string; isValidated: boolean }>;
  /** The table of each index. */
  indexes: ReadonlyMap<string, string>;
  /** Functions, sequences, triggers and enum values. */
  others: ReadonlySet<string>;
}

export interface MigrationStep {
  before: Catalog;
  after: Catalog;
  /** The executed SQL texts. */
  queries: readonly string[];
  contract?: { readonly unusedSince: number } | undefined;
  /** The release of the code. */
  release: number;
}

/** The rules skip older migrations, because an earlier release may have run them. */
export const baseline = 1797600000000;

/**
 * Reasons why the apps of the previous release would fail on the migrated schema, or would wait for its locks. A
 * contract step can remove parts that no supported release uses. The rules for locks also apply to it.
 */
export function validateMigration(step: MigrationStep): string[] {
  const { contract, release } = step;
  const blocking = [...blockingIndexes(step), ...blockingConstraints(step), ...blockingStatements(step)];
  if (!contract) return [...removals(step), ...blocking];
  const isTooEarly = contract.unusedSince >= release;
  const problem = `removes in release ${release} what the code stopped using in ${contract.unusedSince}: the previous release uses it`;
  return isTooEarly ? [problem, ...blocking] : blocking;
}

function removals({ before, after }: MigrationStep): string[] {
  const problems: string[] = [];
  for (const table of before.tables)
    if (!after.tables.has(table)) problems.push(`drops or renames table ${table}`);
  for (const [name, column] of before.columns) problems.push(...columnProblems(name, column, after));
  for (const [name, { isNullable, hasDefault }] of after.columns)
    if (isOld(before, name) && !before.columns.has(name) && !isNullable && !hasDefault)
      problems.push(`adds column ${name} NOT NULL without a default`);
  for (const [name, table] of before.indexes)
    if (after.tables.has(table) && !after.indexes.has(name)) problems.push(`drops index ${name}`);
  for (const name of before.others) if (!after.others.has(name)) problems.push(`drops ${name}`);
  return problems;
}

type Column = Catalog['columns'] extends ReadonlyMap<string, infer C> ? C : never;

function columnProblems(name: string, column: Column, { tables, columns }: Catalog): string[] {
  const now = columns.get(name);
  if (!tables.has(tableOf(name))) return [];
  if (!now) return [`drops or renames column ${name}`];
  if (now.type !== column.type) return [`changes the type of ${name} from ${column.type} to ${now.type}`];
  if (!now.isNullable && column.isNullable) return [`makes ${name} NOT NULL`];
  if (!now.isNullable && !now.hasDefault && column.hasDefault) return [`drops the default of ${name}`];
  return [];
}

function blockingIndexes({ before, after, queries }: MigrationStep): string[] {
  const texts = queries.flatMap(statementsOf);
  const isConcurrent = (name: string): boolean =>
    texts.some((text) =>
      new RegExp(`^CREATE (UNIQUE )?INDEX CONCURRENTLY (IF NOT EXISTS )?"?${name}"? `, 'i').test(text),
    );
  const added = [...after.indexes].filter(
    ([name, table]) => before.tables.has(table) && !before.indexes.has(name),
  );
  return added
    .filter(([name, table]) => !isConcurrent(name) && !isOfConstraint(after, table, name))
    .map(([name, table]) => `builds index ${name} of the existing table ${table} without CONCURRENTLY`);
}

/** The rules report such an index as a constraint. */
const isOfConstraint = ({ constraints }: Catalog, table: string, name: string): boolean =>
  constraints.has(`${table}.${name}`);

function blockingConstraints({ before, after }: MigrationStep): string[] {
  return [...after.constraints].flatMap(([name, { kind, isValidated }]) => {
    if (!isOld(before, name) || before.constraints.has(name)) return [];
    if ('cf'.includes(kind)) return isValidated ? [`adds constraint ${name} without NOT VALID`] : [];
    const hasIndex = before.indexes.has(name.slice(name.indexOf('.') + 1));
    return hasIndex ? [] : [`adds constraint ${name} without an index that was built before`];
  });
}

const rewriting = /(?:^|[()] ?)(UPDATE|DELETE FROM|TRUNCATE(?: TABLE)?)(?: ONLY)? "?(\w+)/gi;
const locking = /^(LOCK|CLUSTER|VACUUM FULL|REVOKE)\b|^REINDEX (?!.*CONCURRENTLY)|\bDISABLE TRIGGER\b/i;

function blockingStatements({ before, queries }: MigrationStep): string[] {
  return queries.flatMap(statementsOf).flatMap((text) => {
    if (/^DO\b/i.test(text)) return ['hides statements in DO'];
    if (locking.test(text)) return [`executes ${text.slice(0, 60)}`];
    return [...text.matchAll(rewriting)]
      .filter(([, , table]) => before.tables.has(table!))
      .map(([, verb, table]) => `changes rows of the existing table ${table} by ${verb!.toUpperCase()}`);
  });
}

// Text that no rule may read: comments, bodies of functions, and strings.
const opaque = /--[^\n]*|\/\*[^]*?\*\/|\$(\w*)\$[^]*?\$\1\$|'(?:[^']|'')*'/g;

/** The statements of a text on one line each, without comments and with empty strings. */
export function statementsOf(text: string): string[] {
  return text
    .replace(opaque, (part) => (/^(--|\/\*)/.test(part) ? ' ' : "''"))
    .split(';')
    .map((statement) => statement.replace(/\s+/g, ' ').trim())
    .filter((statement) => statement !== '');
}

const tableOf = (name: string): string => name.slice(0, name.indexOf('.'));
const isOld = ({ tables }: Catalog, name: string): boolean => tables.has(tableOf(name));
