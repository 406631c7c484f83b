/** Returns Markdown as one line of plain text, without its syntax. */
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

/** Returns the last complete sentence; the last sentence of all when the text is complete. */
export function lastSentence(text: string, isComplete: boolean): string {
  const sentences = text.split(/(?<=[.!?。！？؟]["”’)]?)\s+/u);
  const complete = isComplete || /[.!?。！？؟]["”’)]?$/u.test(text) ? sentences : sentences.slice(0, -1);
  return complete.at(-1) ?? '';
}
