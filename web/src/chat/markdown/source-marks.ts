/** A source of a reply, and where the reply uses it. */
export interface ReplySource {
  /** Displayed number; passages of one document share it. */
  number: number;
  label: string;
  /** Positions in the text of the reply, in UTF-16 code units. */
  marks: readonly number[];
}

/** A mark in Markdown. The service removes marks of this form from replies with sources, so they cannot collide. */
const markOf = (index: number): string => `【${index}】`;
export const sourceMark = /^【(\d{1,3})】/;

/** Matches text after which a mark would become part of a URL, a fence or a table. */
const isTaken = /(?:(?:https?:|www\.)\S+|(?:^|\n)[ \t]*(?:`{3,}|~{3,})|\|[ \t]*|(?:^|\n)[-=*_ \t]+)$/;
/** How much text before a mark `isTaken` looks at. */
const lookBehind = 300;

/** Inserts marks into the Markdown of a reply. Each holds the index of its source in the list. */
export function withSourceMarks(text: string, sources: readonly ReplySource[]): string {
  const at = new Map<number, number[]>();
  for (const [index, { marks, number }] of sources.entries()) {
    for (const mark of marks) {
      const there = at.get(mark) ?? [];
      if (!there.some((other) => sources[other]?.number === number)) at.set(mark, [...there, index]);
    }
  }
  let marked = '';
  let end = 0;
  for (const [position, indexes] of [...at].toSorted(([one], [other]) => one - other)) {
    marked += text.slice(end, position);
    end = position;
    if (!isTaken.test(text.slice(Math.max(0, position - lookBehind), position))) {
      marked += indexes.map(markOf).join('');
    }
  }
  return marked + text.slice(end);
}

/** Removes the marks from a code block, which does not show them. */
export const withoutSourceMarks = (text: string): string => text.replaceAll(/【\d{1,3}】/g, '');

/** Replaces the marks in a rendered block with buttons. */
export function drawSourceMarks(
  block: Element,
  sources: readonly ReplySource[],
  onSource: (index: number) => void,
  className: string | undefined,
): void {
  for (const element of block.querySelectorAll<HTMLElement>('[data-source]')) {
    const index = Number(element.dataset['source']);
    const source = sources[index];
    if (!source) continue;
    const button = document.createElement('button');
    button.type = 'button';
    button.className = className ?? '';
    button.textContent = String(source.number);
    button.setAttribute('aria-label', source.label);
    button.title = source.label;
    button.addEventListener('click', () => onSource(index));
    element.replaceChildren(button);
  }
}
