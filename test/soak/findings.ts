/** Violations by kind, with the first examples of each. */
export interface Findings {
  add(kind: string, example: string): void;
  readonly count: number;
  list(): { kind: string; count: number; examples: readonly string[] }[];
}

const keptExamples = 5;
const longestExample = 600;

export function createFindings(): Findings {
  const found = new Map<string, { count: number; examples: string[] }>();
  let count = 0;
  return {
    add(kind, example) {
      const entry = found.get(kind) ?? { count: 0, examples: [] };
      found.set(kind, entry);
      count += 1;
      entry.count += 1;
      if (entry.examples.length < keptExamples) entry.examples.push(example.slice(0, longestExample));
    },
    get count() {
      return count;
    },
    list: () => [...found].map(([kind, entry]) => ({ kind, ...entry })),
  };
}
