import {
  createSortedRowModel,
  rowSortingFeature,
  tableFeatures,
  useTable,
  type ColumnDef,
  type RowData,
} from '@tanstack/react-table';
import type { ReactNode } from 'react';
import { classNames } from './class-names';
import { compareValues, type SortValue } from './compare-values';
import styles from './data-table.module.css';

export interface Column<T> {
  header: string;
  cell: (row: T) => ReactNode;
  /** Whether the values are numbers or amounts, which are aligned at their end. */
  isNumber?: boolean;
  /** Makes the column sortable, for lists that are loaded as a whole. Other lists keep the order of the API. */
  sortBy?: (row: T) => SortValue;
}

interface DataTableProps<T> {
  /** Describes the rows. */
  label: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  keyOf: (row: T) => string;
}

const features = tableFeatures({ rowSortingFeature, sortedRowModel: createSortedRowModel() });
const directions = { asc: 'ascending', desc: 'descending' } as const;
const marks = { asc: ' ↑', desc: ' ↓' } as const;

const toColumnDef = <T extends RowData>({ header, sortBy }: Column<T>): ColumnDef<typeof features, T> => ({
  id: header,
  accessorFn: sortBy ?? (() => null),
  enableSorting: sortBy !== undefined,
  sortDescFirst: false,
  sortFn: (one, other, id) => compareValues(one.getValue(id), other.getValue(id)),
});

/** A table. On a phone, each row is a card with the names of its columns. */
export function DataTable<T extends RowData>({ label, columns, rows, keyOf }: DataTableProps<T>) {
  const table = useTable({
    features,
    columns: columns.map(toColumnDef),
    data: rows,
    getRowId: (row) => keyOf(row),
  });
  return (
    <div className={styles.frame}>
      <table className={styles.table} aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ header, isNumber }) => {
              const column = table.getColumn(header)!;
              const sorted = column.getIsSorted();
              return (
                <th
                  key={header}
                  scope="col"
                  className={classNames(isNumber && styles.number)}
                  aria-sort={sorted ? directions[sorted] : undefined}
                >
                  {column.getCanSort() ? (
                    <>
                      <span className={styles.plain}>{header}</span>
                      <button type="button" className={styles.sort} onClick={() => column.toggleSorting()}>
                        {header}
                        <span aria-hidden="true">{sorted ? marks[sorted] : ' ↕'}</span>
                      </button>
                    </>
                  ) : (
                    header
                  )}
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {table.getRowModel().rows.map(({ id, original }) => (
            <tr key={id}>
              {columns.map(({ header, cell, isNumber }) => (
                <td key={header} data-label={header} className={classNames(isNumber && styles.number)}>
                  <span className={styles.cell}>{cell(original)}</span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
