interface DatedRow {
  id: string;
  createdAt: string;
}

/**
 * Puts a row into the loaded pages of a list that begins with the newest: replaces it, or inserts it by its date. Returns
 * the same pages if the row belongs to a page that is not loaded.
 */
export function putRow<Row extends DatedRow>(
  pages: readonly Row[][],
  row: Row,
  hasNextPage: boolean,
): readonly Row[][] {
  if (pages.some((rows) => rows.some(({ id }) => id === row.id)))
    return pages.map((rows) => rows.map((one) => (one.id === row.id ? row : one)));
  const page = pages.findIndex((rows) => rows.some((one) => isNewer(row, one)));
  const isEmpty = pages.every((rows) => rows.length === 0);
  if (page < 0 && hasNextPage && !isEmpty) return pages;
  const target = page < 0 ? pages.length - 1 : page;
  return pages.map((rows, index) => (index === target ? inserted(rows, row) : rows));
}

function inserted<Row extends DatedRow>(rows: Row[], row: Row): Row[] {
  const at = rows.findIndex((one) => isNewer(row, one));
  return rows.toSpliced(at < 0 ? rows.length : at, 0, row);
}

/** The service orders rows of the same millisecond by their ids. */
const isNewer = (one: DatedRow, other: DatedRow): boolean =>
  one.createdAt === other.createdAt ? one.id > other.id : one.createdAt > other.createdAt;

/** Joins pages. New rows shift the pages that are loaded after them, so that a row can be on two. */
export const joined = <Row extends { id: string }>(pages: readonly (readonly Row[])[]): Row[] => [
  ...new Map(pages.flat().map((row) => [row.id, row])).values(),
];
