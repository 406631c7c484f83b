import type { Adapter } from '../routes/route.ts';

type Row = Readonly<Record<string, string | number | boolean | null>>;

interface Answer {
  series: Row[];
  breakdown: Row[];
  from: string;
  to: string;
}

const breakdownColumns = [
  'version_id',
  'version_number',
  'source',
  'is_other',
  'conversations',
  'messages',
  'replies',
  'failed',
  'stopped',
  'regenerated',
  'thumbs_up',
  'thumbs_down',
  'first_words_ms_p50',
  'first_words_ms_p95',
  'reply_ms_p50',
  'reply_ms_p95',
  'input_tokens',
  'output_tokens',
  'suppressed',
];

/** A header row with the names of the JSON, then one row per item. Cells need no quoting. */
const asCsv = (columns: readonly string[], rows: readonly Row[]): string =>
  [columns, ...rows.map((row) => columns.map((column) => row[column] ?? ''))]
    .map((cells) => `${cells.join(',')}\n`)
    .join('');

function seriesAsCsv(series: readonly Row[]): string {
  const { date: _date, ...figures } = series[0] ?? {};
  return asCsv(['date', ...Object.keys(figures)], series);
}

/** Figures as JSON, or as CSV: their breakdown if the request has one, and otherwise their series. */
export const analyticsAdapter: Adapter = {
  alsoProduces: [{ name: 'text/csv' }],
  handle: async (request, reply, { parse, context, run }) => {
    const args = parse(request);
    const json = await run(args, context(request, reply));
    if (args['format'] !== 'csv') return reply.type('application/json; charset=utf-8').send(json);
    const { series, breakdown, from, to } = JSON.parse(json) as Answer;
    const { by } = args;
    const part = typeof by === 'string' ? `-by-${by}` : '';
    reply.header('content-disposition', `attachment; filename="analytics${part}-${from}-${to}.csv"`);
    return reply.type('text/csv; charset=utf-8').send(part ? asCsv(breakdownColumns, breakdown) : seriesAsCsv(series));
  },
};
