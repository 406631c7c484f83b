import { type KeyboardEvent, type ReactNode, useRef } from 'react';
import { useRowWindow } from './use-row-window.ts';
import styles from './data-table.module.css';

export interface Column<Row> {
  title: string;
  render: (row: Row) => ReactNode;
  /** Hidden where the table is narrow. */
  isMinor?: boolean;
  align?: 'end';
  /** CSS width. Columns without one share the remaining width. */
  width?: string;
}

interface DataTableProps<Row> {
  /** Accessible name. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  idOf: (row: Row) => string;
  /** Opens a row; the first column becomes its button. Without it, a link in the first column covers the row. */
  onOpen?: (row: Row) => void;
  /** Id of the open row. */
  openId?: string | undefined;
  /** Above the rows, such as "3 new". */
  notice?: ReactNode;
}

/** A table of rows of equal height. The arrow keys move between rows; Enter opens one. */
export function DataTable<Row>({ label, columns, rows, idOf, onOpen, openId, notice }: DataTableProps<Row>) {
  const body = useRef<HTMLTableSectionElement>(null);
  const shown = useRowWindow(rows.length, body);
  const move = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isNext = event.key === 'ArrowDown';
    const row = (event.target as HTMLElement).closest('tr');
    if (!row || (!isNext && event.key !== 'ArrowUp')) return;
    const next = isNext ? row.nextElementSibling : row.previousElementSibling;
    if (!next || next.ariaHidden) return;
    event.preventDefault();
    (next.querySelector<HTMLElement>('a, button') ?? (next as HTMLElement)).focus();
    next.scrollIntoView({ block: 'nearest' });
  };
  const alignOf = ({ align, isMinor }: Column<Row>) => ({
    'data-align': align,
    'data-minor': isMinor || undefined,
  });
  return (
    <div className={styles.frame}>
      {notice}
      <table className={styles.table} aria-label={label} aria-rowcount={rows.length + 1}>
        <colgroup>
          {columns.map((column) => (
            <col key={column.title} style={{ inlineSize: column.width }} data-minor={column.isMinor || undefined} />
          ))}
        </colgroup>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.title} scope="col" {...alignOf(column)}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it moves between the controls inside */}
        <tbody ref={body} onKeyDown={move}>
          {shown.before > 0 && <Spacer height={shown.before} columns={columns.length} />}
          {rows.slice(shown.start, shown.end).map((row, index) => (
            <tr
              key={idOf(row)}
              data-row
              tabIndex={-1}
              aria-rowindex={shown.start + index + 2}
              data-open={idOf(row) === openId || undefined}
            >
              {columns.map((column, columnIndex) => (
                <td key={column.title} {...alignOf(column)}>
                  {columnIndex === 0 && onOpen ? (
                    <button type="button" className={styles.open} onClick={() => onOpen(row)}>
                      {column.render(row)}
                    </button>
                  ) : (
                    column.render(row)
                  )}
                </td>
              ))}
            </tr>
          ))}
          {shown.after > 0 && <Spacer height={shown.after} columns={columns.length} />}
        </tbody>
      </table>
    </div>
  );
}

const Spacer = ({ height, columns }: { height: number; columns: number }) => (
  <tr aria-hidden="true" className={styles.spacer}>
    <td colSpan={columns} style={{ blockSize: height }}>
      {' '}
    </td>
  </tr>
);
