import { BlockReader } from '../chat/markdown/blocks.ts';
import { markdownHtml } from '../chat/markdown/markdown-html.ts';
import { setMarkdownHtml } from '../chat/markdown/sanitize.ts';
import { element } from './elements.ts';

/** Growing Markdown. The elements of settled blocks do not change. */
export class MarkdownView {
  readonly root = element('div', { class: 'markdown', dir: 'auto' });
  private readonly reader = new BlockReader();
  private drawn: string[] = [];

  draw(text: string, isComplete: boolean): void {
    const blocks = this.reader.read(text, isComplete);
    for (const [i, { kind, source }] of blocks.entries()) {
      if (this.drawn[i] === source) continue;
      const block = element('div', kind === 'table' ? { class: 'table', tabindex: '0', role: 'region' } : {});
      setMarkdownHtml(block, markdownHtml(source));
      const before = this.root.children[i];
      if (before) before.replaceWith(block);
      else this.root.append(block);
      this.drawn[i] = source;
    }
    while (this.root.children.length > blocks.length) this.root.lastElementChild?.remove();
    this.drawn.length = blocks.length;
  }
}
