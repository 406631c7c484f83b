import katex from 'katex';
import { setFormula } from './sanitize.ts';

/** Time after which drawing pauses, so that the page stays responsive, in milliseconds. */
const sliceMs = 20;

/** Renders the formulas of a settled block, in slices of time. An invalid one keeps its source. */
export async function drawFormulas(block: Element): Promise<void> {
  let startedMs = performance.now();
  for (const code of block.querySelectorAll('code.language-math, code.language-math-display')) {
    if (performance.now() - startedMs > sliceMs) {
      await new Promise((resolve) => setTimeout(resolve));
      startedMs = performance.now();
    }
    if (code.isConnected) drawFormula(code);
  }
}

function drawFormula(code: Element): void {
  const displayMode = code.classList.contains('language-math-display');
  try {
    const html = katex.renderToString(code.textContent, { output: 'mathml', displayMode, throwOnError: true });
    setFormula(code, html);
  } catch {
    code.classList.remove('language-math', 'language-math-display');
  }
}
