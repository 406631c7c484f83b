import { type Block, BlockReader } from '../chat/markdown/blocks.ts';
import { markdownHtml } from '../chat/markdown/markdown-html.ts';
import { setMarkdownHtml } from '../chat/markdown/sanitize.ts';
import { element } from './elements.ts';

const attributes: Partial<Record<Block['kind'], Record<string, string>>> = {
  table: { class: 'table', tabindex: '0', role: 'region' },
  plain: { class: 'plain' },
};

/** Growing Markdown. The elements of settled blocks do not change. */
export class MarkdownView {
  readonly root = element('div', { class: 'markdown', dir: 'auto' });
  private readonly reader = new BlockReader();
  private drawn: string[] = [];

  /** Draws the text, or its source if that cannot be drawn. */
  draw(text: string, isComplete: boolean): void {
    try {
      this.drawBlocks(text, isComplete);
    } catch {
      this.drawn = [];
      this.root.replaceChildren(element('div', { class: 'plain' }, [text]));
    }
  }

  private drawBlocks(text: string, isComplete: boolean): void {
    const blocks = this.reader.read(text, isComplete);
    for (const [i, { kind, source, tokens }] of blocks.entries()) {
      if (this.drawn[i] === source) continue;
      const block = element('div', attributes[kind] ?? {});
      if (kind === 'plain') block.textContent = source;
      else setMarkdownHtml(block, markdownHtml(tokens));
      const before = this.root.children[i];
      if (before) before.replaceWith(block);
      else this.root.append(block);
      this.drawn[i] = source;
    }
    while (this.root.children.length > blocks.length) this.root.lastElementChild?.remove();
    this.drawn.length = blocks.length;
  }
}
