import { currency } from './catalog.ts';
import { day, money } from './page-layout.ts';
import { type CustomerState, type Invoice, totalOf } from './state.ts';

interface Text {
  x: number;
  y: number;
  size: number;
  text: string;
  bold?: boolean;
  /** When set, `x` is the right end of the text. */
  right?: boolean;
}

const right = 545;

/** Returns an invoice on one A4 page, as a PDF file. */
export function invoicePdf(state: CustomerState, invoice: Invoice): Buffer {
  const texts: Text[] = [
    { x: 50, y: 770, size: 24, text: 'Invoice', bold: true },
    { x: 470, y: 770, size: 14, text: 'Agent Chat', bold: true },
    { x: 50, y: 730, size: 10, text: `Number: ${invoice.number}` },
    { x: 50, y: 714, size: 10, text: `Date: ${day(invoice.created)}` },
    { x: 50, y: 698, size: 10, text: `Status: ${invoice.status}` },
    { x: 50, y: 662, size: 10, text: 'Billed to', bold: true },
    { x: 50, y: 646, size: 10, text: state.email },
    { x: 50, y: 600, size: 10, text: 'Description', bold: true },
    { x: 507, y: 600, size: 10, text: 'Amount', bold: true },
  ];
  let y = 574;
  for (const line of invoice.lines) {
    texts.push({ x: 50, y, size: 10, text: line.description });
    texts.push({ x: right, y, size: 10, text: money(line.amount), right: true });
    texts.push({ x: 50, y: y - 14, size: 8, text: `${day(line.start)} to ${day(line.end)}` });
    y -= 40;
  }
  texts.push({ x: 400, y: y - 6, size: 11, text: `Total (${currency.toUpperCase()})`, bold: true });
  texts.push({ x: right, y: y - 6, size: 11, text: money(totalOf(invoice)), bold: true, right: true });
  if (invoice.paidAt !== null) texts.push({ x: 50, y: y - 50, size: 10, text: `Paid on ${day(invoice.paidAt)}` });
  texts.push({ x: 50, y: 50, size: 8, text: 'Created by the test processor: no money was transferred.' });
  const rule = (at: number) => `0.8 G 50 ${at} m ${right} ${at} l S`;
  return fileOf(`${rule(592)}\n${rule(y + 14)}\n${texts.map(operatorsOf).join('\n')}`);
}

function operatorsOf({ x, y, size, text, bold = false, right: toTheRight = false }: Text): string {
  const latin = Buffer.from(text, 'latin1').toString('latin1');
  const start = toTheRight ? x - widthOf(latin, size) : x;
  const escaped = latin.replaceAll(/[\\()]/g, String.raw`\$&`);
  return `BT /${bold ? 'F2' : 'F1'} ${size} Tf ${start.toFixed(2)} ${y} Td (${escaped}) Tj ET`;
}

/** Widths of the characters of an amount in Helvetica, in units of the font size. */
const digitWidth = 0.556;
const punctuationWidths: Readonly<Record<string, number>> = { '.': 0.278, ',': 0.278, '-': 0.333 };

/** Returns the width of an amount of money in Helvetica. Only amounts are right-aligned. */
const widthOf = (text: string, size: number): number =>
  [...text].reduce((sum, char) => sum + (punctuationWidths[char] ?? digitWidth), 0) * size;

/** Wraps a page's drawing operators in a PDF: catalogue, page, two fonts, and the cross-reference table. */
function fileOf(drawing: string): Buffer {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R /F2 6 0 R >> >> >>',
    `<< /Length ${Buffer.byteLength(drawing, 'latin1')} >>\nstream\n${drawing}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>',
  ];
  let file = '%PDF-1.4\n';
  const starts = objects.map((object, i) => {
    const start = file.length;
    file += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return start;
  });
  const table = starts.map((start) => `${String(start).padStart(10, '0')} 00000 n \n`).join('');
  const end = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
  return Buffer.from(file + end, 'latin1');
}
