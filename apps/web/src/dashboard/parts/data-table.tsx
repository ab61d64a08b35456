import type { ReactNode } from 'react';
import styles from './data-table.module.css';
import { classNames } from './class-names';

export interface Column<T> {
  header: string;
  cell: (row: T) => ReactNode;
  /** Numbers and amounts are aligned at their end. */
  isNumber?: boolean;
}

interface DataTableProps<T> {
  /** Says what the rows are. */
  label: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  keyOf: (row: T) => string;
}

/** A table; on a phone each row is a card with the names of its columns. The order is that of the API. */
export function DataTable<T>({ label, columns, rows, keyOf }: DataTableProps<T>) {
  return (
    <div className={styles.frame}>
      <table className={styles.table} aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ header, isNumber }) => (
              <th key={header} scope="col" className={classNames(isNumber && styles.number)}>
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ header, cell, isNumber }) => (
                <td key={header} data-label={header} className={classNames(isNumber && styles.number)}>
                  <span className={styles.cell}>{cell(row)}</span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
