/** A source of a reply, and where the reply took something from it. */
export interface ReplySource {
  /** As readers see it: sources of one document share it. */
  number: number;
  label: string;
  /** Places in the text of the reply, in UTF-16 units. */
  marks: readonly number[];
}

/** A mark in Markdown. The service removes every mark of this form from a reply that has sources. */
const markOf = (index: number): string => `【${index}】`;
export const sourceMark = /^【(\d{1,3})】/;

/** A mark here would become part of an address, a fence or a table. */
const isTaken = /(?:(?:https?:|www\.)\S+|(?:^|\n)[ \t]*(?:`{3,}|~{3,})|\|[ \t]*|(?:^|\n)[-=*_ \t]+)$/;
/** So much of the text before a mark is looked at. */
const lookBehind = 300;

/** Puts marks into the Markdown of a reply: each holds the position of its source in the list. */
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

/** The source of a block of code, which shows no marks. */
export const withoutSourceMarks = (text: string): string => text.replaceAll(/【\d{1,3}】/g, '');

/** Makes buttons of the marks in a block that was drawn. */
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
