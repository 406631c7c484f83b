import type { Adapter } from '../routes/route.ts';

type Row = Readonly<Record<string, string | number | boolean | null>>;

/** The series as CSV: a header row with the names of the JSON, then one row per bucket. Cells need no quoting. */
function seriesAsCsv(series: readonly Row[]): string {
  const { date: _date, ...figures } = series[0] ?? {};
  const columns = ['date', ...Object.keys(figures)];
  return [columns, ...series.map((row) => columns.map((column) => row[column] ?? ''))]
    .map((cells) => `${cells.join(',')}\n`)
    .join('');
}

/** Figures as JSON, or their series as CSV. */
export const analyticsAdapter: Adapter = {
  alsoProduces: [{ name: 'text/csv' }],
  handle: async (request, reply, { parse, context, run }) => {
    const args = parse(request);
    const json = await run(args, context(request, reply));
    if (args['format'] !== 'csv') return reply.type('application/json; charset=utf-8').send(json);
    const { series, from, to } = JSON.parse(json) as { series: Row[]; from: string; to: string };
    reply.header('content-disposition', `attachment; filename="analytics-${from}-${to}.csv"`);
    return reply.type('text/csv; charset=utf-8').send(seriesAsCsv(series));
  },
};
