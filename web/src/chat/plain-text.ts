/** Markdown as a person would read it aloud: without its marks, on one line. */
export const plainText = (markdown: string): string =>
  markdown
    .replaceAll(/^ {0,3}(?:`{3,}|~{3,})[^\n]*$/gm, '')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/^ {0,3}(?:#{1,6} |> ?|[-*+] |\d+[.)] )/gm, '')
    .replaceAll(/^[ |:-]*-{3,}[ |:-]*$/gm, '')
    .replaceAll(/\*\*|__|~~|`|\|/g, '')
    .replaceAll(/(?<![\w*])[*_](?=\S)|(?<=\S)[*_](?![\w*])/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** The last sentence that is complete, or the last one when the text is. */
export function lastSentence(text: string, isComplete: boolean): string {
  const sentences = text.split(/(?<=[.!?。！？؟]["”’)]?)\s+/u);
  const complete = isComplete || /[.!?。！？؟]["”’)]?$/u.test(text) ? sentences : sentences.slice(0, -1);
  return complete.at(-1) ?? '';
}
