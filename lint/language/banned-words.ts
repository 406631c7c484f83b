/** A word or phrase that texts and names avoid, and what to write instead. */
interface BannedWord {
  pattern: RegExp;
  instead: string;
  /** Only check sentences, because word lists and language codes contain it too. */
  onlyInSentences?: boolean;
}

const bannedWords: readonly BannedWord[] = [
  { pattern: /\bhouses?\b/i, instead: 'service, harness or fixture' },
  { pattern: /\bstand-?ins?\b/i, instead: 'simulator' },
  { pattern: /\blanes?\b/i, instead: 'queue' },
  { pattern: /\b(?:no|has|have|had|makes?|leaves?|enough) room\b|\broom for\b/i, instead: 'capacity' },
  { pattern: /\btold\b(?! me\b)/i, instead: 'notified, reported or received' },
  { pattern: /\banswers (?:whether|how|null|true|false|undefined)\b|^[\s*]*Answers\b/, instead: 'returns' },
  { pattern: /\b(?:nobody|somebody|whoever)\b/i, instead: 'no caller, another user, the owner' },
  { pattern: /\b(?:he|his|him)\b/i, instead: 'they, their, them', onlyInSentences: true },
  { pattern: /\b(?:goes|went|going) on\b(?! to\b)/i, instead: 'continues or resumes' },
  { pattern: /\b(?:comes|came|come) again\b/i, instead: 'is repeated or retried' },
  { pattern: /\b(?:is|are|was|be) (?:not )?(?:had|to be had)\b/i, instead: 'is available' },
  { pattern: /\bstands? in\b/i, instead: 'is in, replaces' },
  { pattern: /\b(?:makes?|made) good\b/i, instead: 'compensates, repairs' },
  { pattern: /\bthe place of\b/i, instead: 'instead of, replaces' },
  { pattern: /\banew\b/i, instead: 'again, or a verb with re-' },
  { pattern: /\bfor ever\b/i, instead: 'forever' },
  { pattern: /\bof before\b/i, instead: 'earlier, existing or original' },
  { pattern: /\bfor want of\b/i, instead: 'without, or the cause' },
  { pattern: /\bbelongs? into\b/i, instead: 'belongs in' },
  { pattern: /\b(?:taken|tak(?:e|es|ing) (?:it|them|that|this|an? \w+)) back\b/i, instead: 'undo, revoke or remove' },
];

/** Returns a complaint for each banned word of a text that people read. */
export const bannedInText = (text: string): string[] =>
  bannedWords.flatMap(({ pattern, instead, onlyInSentences }) => {
    if (onlyInSentences && !/[.,;:A-Z]/.test(text)) return [];
    const [found] = pattern.exec(text) ?? [];
    return found === undefined ? [] : [complaint(found.trim(), instead)];
  });

const bannedParts: ReadonlyMap<string, string> = new Map([
  ['house', 'service, harness or fixture'],
  ['standin', 'simulator'],
  ['lane', 'queue'],
  ['lanes', 'queues'],
  ['told', 'notified'],
  ['crowd', 'burst'],
  ['nobody', 'no caller'],
]);

/** Returns a complaint for each banned word in a camelCase name. */
export const bannedInName = (name: string): string[] => {
  const parts = name.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g)?.map((part) => part.toLowerCase()) ?? [];
  const pairs = parts.map((part, index) => part + (parts[index + 1] ?? ''));
  return [...new Set([...parts, ...pairs])].flatMap((part) => {
    const instead = bannedParts.get(part);
    return instead === undefined ? [] : [complaint(part, instead)];
  });
};

const complaint = (found: string, instead: string): string => `Avoid "${found}". Write, for example: ${instead}.`;
