import katex from 'katex';
import { setFormula } from './sanitize.ts';

/** Renders the formulas of a settled block. An invalid one keeps its source. */
export function drawFormulas(block: Element): void {
  for (const code of block.querySelectorAll('code.language-math, code.language-math-display')) {
    const displayMode = code.classList.contains('language-math-display');
    try {
      const html = katex.renderToString(code.textContent, { output: 'mathml', displayMode, throwOnError: true });
      setFormula(code, html);
    } catch {
      code.classList.remove('language-math', 'language-math-display');
    }
  }
}
