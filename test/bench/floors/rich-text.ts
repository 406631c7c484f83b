const section = (number: number): string =>
  `## Section ${number}\n\nA paragraph with **bold** words, \`code\` and a [link](https://example.com/${number}). It has a few ` +
  'sentences, as replies do, and then it ends.\n\n- one point\n- another point with *emphasis*\n\n' +
  `\`\`\`ts\nexport const value${number} = (a: number): number => a * ${number};\n\`\`\`\n\n| name | value |\n| - | - |\n| a | ${number} |\n\n`;

/** Returns Markdown of every kind, split into pieces as a model streams it. */
export function richPieces(count: number): string[] {
  const pieces: string[] = [];
  for (let number = 1; pieces.length < count; number++)
    pieces.push(...(section(number).match(/\s*\S{1,6}/g) ?? []), '\n\n');
  return pieces.slice(0, count);
}
