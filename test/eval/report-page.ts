import { type Figures, figuresOf, type Outcome } from './measure.ts';

interface Report {
  /** Name of the embedding model. */
  model: string;
  documents: number;
  byMode: Readonly<Record<string, readonly Outcome[]>>;
}

/** Returns a self-contained HTML page: figures as charts, and every question whose passage was not found. */
export function reportPage({ model, documents, byMode }: Report): string {
  const all = byMode['blend'] ?? [];
  const withAnswer = (outcomes: readonly Outcome[]) => outcomes.filter(({ question }) => question.document);
  const figures = Object.entries(byMode).map(([mode, outcomes]) => [mode, figuresOf(withAnswer(outcomes))] as const);
  const missed = withAnswer(all).filter(({ rank }) => rank === null);
  const unwanted = all.filter(({ question, passages }) => !question.document && passages.length > 0);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Retrieval report</title>
<style>${style}</style>
<h1>Retrieval report</h1>
<p>${documents} documents, ${all.length} questions, embeddings ${escaped(model)}.</p>
<h2>Figures</h2>
${chart(figures)}
${table(figures)}
<h2>Rank of the right passage</h2>
${histogram(withAnswer(all))}
<h2>Not found (${missed.length})</h2>
${listOf(missed)}
<h2>Passages for questions that nothing answers (${unwanted.length})</h2>
${listOf(unwanted)}
</html>
`;
}

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; } th, td { padding: .25rem .75rem; text-align: right; } th:first-child { text-align: left; }
svg { max-width: 100%; height: auto; } text { fill: currentColor; font-size: 13px; }
.bar { fill: #2f6fde; } .axis { stroke: currentColor; opacity: .4; } small { opacity: .75; }`;

type Named = readonly (readonly [string, Figures])[];
const measures = [
  ['recall@1', ({ recallAt1 }: Figures) => recallAt1],
  ['recall@5', ({ recallAt5 }: Figures) => recallAt5],
  ['MRR', ({ mrr }: Figures) => mrr],
] as const;

/** Returns horizontal bars, one per line, with their values as text. */
function bars(rows: readonly { label: string; share: number; text: string }[]): string {
  const [labelWidth, width, height] = [160, 400, 26];
  const lines = rows.map(({ label, share, text }, i) => {
    const y = i * height;
    const length = Math.max(1, share * width);
    return (
      `<text x="0" y="${y + 17}">${escaped(label)}</text>` +
      `<rect class="bar" x="${labelWidth}" y="${y + 4}" width="${length.toFixed(1)}" height="${height - 8}"/>` +
      `<text x="${(labelWidth + length + 8).toFixed(1)}" y="${y + 17}">${escaped(text)}</text>`
    );
  });
  const total = rows.length * height;
  const axis = `<line class="axis" x1="${labelWidth}" x2="${labelWidth}" y1="0" y2="${total}"/>`;
  return `<svg role="img" viewBox="0 0 640 ${total}" width="640" height="${total}">${axis}${lines.join('')}</svg>`;
}

const chart = (figures: Named): string =>
  bars(
    measures.flatMap(([name, of]) =>
      figures.map(([mode, own]) => ({ label: `${name}, ${mode}`, share: of(own), text: of(own).toFixed(3) })),
    ),
  );

function histogram(outcomes: readonly Outcome[]): string {
  const ranks = ['1', '2', '3', '4', '5', 'not found'];
  const counts = ranks.map((name) => outcomes.filter(({ rank }) => String(rank ?? 'not found') === name).length);
  const most = Math.max(1, ...counts);
  return bars(ranks.map((label, i) => ({ label, share: (counts[i] ?? 0) / most, text: String(counts[i]) })));
}

const table = (figures: Named): string =>
  `<table><tr><th></th><th>recall@1</th><th>recall@5</th><th>MRR</th><th>passages</th><th>nothing</th></tr>${figures
    .map(([mode, { recallAt1, recallAt5, mrr, passages, nothing }]) => {
      const cells = [recallAt1, recallAt5, mrr, passages, nothing].map((value) => `<td>${value.toFixed(3)}</td>`);
      return `<tr><th>${escaped(mode)}</th>${cells.join('')}</tr>`;
    })
    .join('')}</table>`;

const listOf = (outcomes: readonly Outcome[]): string =>
  outcomes.length === 0
    ? '<p>None.</p>'
    : `<ul>${outcomes
        .map(({ question, passages }) => {
          const found = [...new Set(passages.map(({ filename }) => filename))].join(', ') || 'nothing';
          const expected = question.document ? `; expected ${question.document}` : '';
          return `<li>${escaped(question.question)}<br><small>found: ${escaped(found)}${escaped(expected)}</small></li>`;
        })
        .join('')}</ul>`;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
