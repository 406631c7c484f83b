import { readFileSync } from 'node:fs';
import { arch, cpus, loadavg, platform, totalmem } from 'node:os';
import type { BenchRow, Figure } from '../row.ts';

/** The figures of a row, or why it has none. */
export interface RowResult {
  row: BenchRow;
  figures: readonly Figure[];
  failure?: string;
}

/** Describes the machine and its other load, without which a figure means nothing. */
export function describeMachine(): string {
  const [cpu] = cpus();
  return [
    `${new Date().toISOString().slice(0, 16)}Z`,
    `${cpus().length} × ${cpu?.model.trim() ?? 'unknown'}`,
    `${Math.round(totalmem() / 1024 ** 3)} GB`,
    `${platform()} ${arch()}`,
    `Node ${process.versions.node}`,
    describeLoad(),
  ].join(' · ');
}

export const describeLoad = (): string =>
  `load ${loadavg()
    .map((value) => value.toFixed(1))
    .join(' ')}`;

/** Ticks stolen by the hypervisor, and ticks of all processes, since boot. */
export function processorTimes(): { steal: number; total: number } {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n');
  const times = line.split(/\s+/).slice(1, 9).map(Number);
  return { steal: times[7] ?? 0, total: times.reduce((sum, time) => sum + time, 0) };
}

/** Returns a Markdown table with one line for each figure. */
export function table(results: readonly RowResult[]): string {
  const head = ['| row | what | figure | quartiles | goal | |', '| --- | --- | ---: | ---: | ---: | --- |'];
  return [...head, ...results.flatMap(linesOf)].join('\n');
}

/** Returns the Markdown page with the lines of these rows replaced. `described` is the machine and time of the measurement. */
export function withRows(page: string, results: readonly RowResult[], described: string): string {
  let lines = page.trimEnd().split('\n');
  for (const result of results) {
    const isOfRow = (line: string): boolean => line.startsWith(`| ${result.row.name} |`);
    const first = lines.findIndex(isOfRow);
    const others = lines.filter((line) => !isOfRow(line));
    lines = others.toSpliced(first < 0 ? others.length : first, 0, ...linesOf(result));
  }
  const names = results.map(({ row }) => row.name).join(', ');
  const head = lines.findIndex((line) => line.startsWith('| row |'));
  return `${lines.toSpliced(head, 0, `${names}: ${described}`, '').join('\n')}\n`;
}

const linesOf = ({ row, figures, failure }: RowResult): string[] =>
  failure === undefined
    ? figures.map((figure) => {
        const spread = figure.quartiles?.map((value) => round(value)).join(' to ') ?? '';
        const cells = [
          row.name,
          `${row.title}: ${figure.what}`,
          show(figure.value, figure.unit),
          spread,
          goalOf(figure),
        ];
        return `| ${[...cells, verdictOf(figure)].join(' | ')} |`;
      })
    : [`| ${row.name} | ${row.title} | | | | failed: ${failure.split('\n', 1)[0]} |`];

function goalOf({ goal, unit }: Figure): string {
  if (!goal) return '';
  return 'atMost' in goal ? `≤ ${show(goal.atMost, unit)}` : `≥ ${show(goal.atLeast, unit)}`;
}

function verdictOf(figure: Figure): string {
  if (figure.void !== undefined) return `void: ${figure.void}`;
  if (!figure.goal) return '';
  return isReached(figure.goal, figure.value) ? 'reached' : 'missed';
}

const isReached = (goal: NonNullable<Figure['goal']>, value: number): boolean =>
  'atMost' in goal ? value <= goal.atMost : value >= goal.atLeast;

const show = (value: number, unit: Figure['unit']): string =>
  unit === '×' ? `${round(value)}×` : `${round(value)} ${unit}`;

/** Rounds to about three digits. */
export function round(value: number): string {
  if (Math.abs(value) >= 100) return value.toFixed(0);
  return value.toFixed(Math.abs(value) >= 10 ? 1 : 2);
}
