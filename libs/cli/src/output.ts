/** Formats a result for people: a table for lists, one line for each field of an object. */
export function renderResult(value: unknown, items?: string): string {
  if (Array.isArray(value)) return renderTable(value);
  if (!isObject(value)) return cellOf(value);
  if (items !== undefined && Array.isArray(value[items])) {
    const { [items]: list, ...rest } = value;
    const cursor = rest['next_cursor'];
    return [renderTable(list as unknown[]), ...(cursor ? [`More: --cursor ${String(cursor)}`] : [])].join(
      '\n',
    );
  }
  return renderFields(value);
}

/** Formats lines `name  value`, with nested members as `outer.inner`. */
export function renderFields(value: Readonly<Record<string, unknown>>): string {
  const rows = flat(value);
  const width = Math.max(0, ...rows.map(([name]) => name.length));
  return rows.map(([name, cell]) => `${name.padEnd(width)}  ${cellOf(cell)}`.trimEnd()).join('\n');
}

const widestCell = 60;

/**
 * Formats rows as a table. It has a column for each field that is not a list or object, in the order of the first row.
 */
export function renderTable(rows: readonly unknown[]): string {
  if (rows.length === 0) return 'None.';
  if (!rows.every(isObject)) return rows.map(cellOf).join('\n');
  const all = rows as Record<string, unknown>[];
  const columns = [...new Set(all.flatMap((row) => Object.keys(row)))].filter((name) =>
    all.every((row) => !isObject(row[name]) && !Array.isArray(row[name])),
  );
  const shown = columns.filter((name) => all.some((row) => row[name] !== null && row[name] !== undefined));
  if (shown.length === 0) return all.map((row) => renderFields(row)).join('\n\n');
  const text = [shown, ...all.map((row) => shown.map((name) => shorten(cellOf(row[name]))))];
  const widths = shown.map((_, at) => Math.max(...text.map((cells) => cells[at]!.length)));
  return text
    .map((cells) =>
      cells
        .map((cell, at) => cell.padEnd(widths[at]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const shorten = (text: string): string =>
  text.length > widestCell ? `${text.slice(0, widestCell - 1)}…` : text;

function flat(value: Readonly<Record<string, unknown>>, prefix = ''): [string, unknown][] {
  return Object.entries(value).flatMap(([name, member]): [string, unknown][] =>
    isObject(member) && Object.keys(member).length > 0
      ? flat(member, `${prefix}${name}.`)
      : [[prefix + name, member]],
  );
}

// Texts of the API may come from untrusted people. They must not move the cursor or colour the terminal.
const controls = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Removes terminal control characters from a text of several lines. */
export const printableLines = (text: string): string => text.split(/\r?\n/).map(printable).join('\n');

/** Converts a text to one line without terminal control characters. */
export const printable = (text: string): string =>
  text.replace(controls, (letter) => (letter === '\n' ? ' ' : '\ufffd'));

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '-';
  return printable(typeof value === 'object' ? JSON.stringify(value) : String(value));
}
