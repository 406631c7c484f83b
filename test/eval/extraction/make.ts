import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { findChromium } from '../../support/chromium.ts';

/*
 * Makes the documents of this folder again: `node test/eval/extraction/make.ts`. Needs LibreOffice, LaTeX, Python with
 * ReportLab, and the Noto fonts.
 */
const folder = import.meta.dirname;
const texts = JSON.parse(readFileSync(join(folder, 'texts.json'), 'utf8')) as Record<string, string[]>;
const languages: Record<string, [language: string, font: string]> = {
  latin: ['en', 'Noto Sans'],
  arabic: ['ar', 'Noto Naskh Arabic'],
  hebrew: ['he', 'Noto Sans Hebrew'],
  persian: ['fa', 'Noto Naskh Arabic'],
  hindi: ['hi', 'Noto Sans Devanagari'],
  thai: ['th', 'Noto Sans Thai'],
  japanese: ['ja', 'Noto Sans CJK JP'],
  chinese: ['zh', 'Noto Sans CJK SC'],
  korean: ['ko', 'Noto Sans CJK KR'],
};
const scratch = mkdtempSync(join(tmpdir(), 'extraction-'));
const { executablePath } = await findChromium();
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--headless=shell'] });
const page = await browser.newPage();
for (const [name, [title = '', ...paragraphs]] of Object.entries(texts)) {
  const [language, font] = languages[name] ?? ['en', 'Noto Sans'];
  const last = paragraphs.at(-1) ?? '';
  const shown = paragraphs.map((paragraph) => `<p>${paragraph}</p>`).join('');
  const table = `<table border=1><tr><td>${title}</td><td>1921</td></tr><tr><td>${last}</td><td>49.90</td></tr></table>`;
  const direction = ['ar', 'he', 'fa'].includes(language) ? 'rtl' : 'ltr';
  const html = `<!doctype html><html lang=${language} dir=${direction}><meta charset=utf-8><style>body{font-family:"${font}","Noto Sans"}</style><body><h1>${title}</h1>${shown}${table}<div style="columns:2">${shown}</div>`;
  const path = join(scratch, `${name}.html`);
  writeFileSync(path, html);
  await page.goto(`file://${path}`);
  await page.pdf({ path: join(folder, `${name}.chromium.pdf`) });
  const convert = ['--headless', '--infilter=HTML (StarWriter)', '--convert-to', 'pdf:writer_pdf_Export'];
  execFileSync('soffice', [...convert, '--outdir', scratch, path]);
  renameSync(join(scratch, `${name}.pdf`), join(folder, `${name}.libreoffice.pdf`));
}
await browser.close();
execFileSync('pdflatex', ['-interaction=batchmode', '-output-directory', scratch, join(folder, 'latex.tex')]);
renameSync(join(scratch, 'latex.pdf'), join(folder, 'latex.latex.pdf'));
execFileSync('python3', ['reportlab.py'], { cwd: folder });
