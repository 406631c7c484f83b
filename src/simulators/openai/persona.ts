/** The persona that the instructions describe. */
export interface Persona {
  name: string | null;
  /** Role, such as "a patient maths tutor". */
  role: string | null;
  tone: 'pirate' | 'formal' | 'cheerful' | 'poetic' | 'plain';
  isBrief: boolean;
  /** Text at the beginning or end of every reply. */
  opening: string | null;
  closing: string | null;
}

const tones = [
  ['pirate', /\bpirate/i],
  ['poetic', /\b(?:poet|poetic|rhyme|verse)/i],
  ['formal', /\b(?:formal|professional|polite|butler)/i],
  ['cheerful', /\b(?:cheerful|friendly|enthusiastic|warm|playful|upbeat)/i],
] as const;

/** Derives the persona from the wording of the instructions. */
export function readPersona(instructions: string): Persona {
  const named =
    /\b(?:your name is|you are called|you are named|named|called)\s+["“]?(\p{Lu}[\p{L}'’-]*(?:\s\p{Lu}[\p{L}'’-]*){0,2})/iu.exec(
      instructions,
    )?.[1] ?? /\bYou are ["“]?(\p{Lu}[\p{L}'’-]*(?:\s\p{Lu}[\p{L}'’-]*){0,2})/u.exec(instructions)?.[1];
  return {
    name: named && /^\p{Lu}/u.test(named) ? named : null,
    role:
      /\bYou are (?:["“]?\p{Lu}[\p{L}'’ -]*["”]?,\s*)?((?:an?|the)\s[^.,;:\n]{3,80})/u
        .exec(instructions)?.[1]
        ?.trim() ?? null,
    tone: tones.find(([, pattern]) => pattern.test(instructions))?.[0] ?? 'plain',
    isBrief:
      /\b(?:brief|briefly|concise|concisely|terse|one sentence|short (?:answers?|replies)|keep it short)\b/i.test(
        instructions,
      ),
    opening: quotedAfter(
      /\b(?:begin|start|open)\w*\s[^."“']{0,40}?\bwith\b[^."“'\n]{0,30}["“']([^"”'\n]{1,80})["”']/i,
      instructions,
    ),
    closing: quotedAfter(
      /\b(?:end|finish|close|sign off)\w*\s(?:[^."“'\n]{0,40}?\s)?with\b[^."“'\n]{0,30}["“']([^"”'\n]{1,80})["”']/i,
      instructions,
    ),
  };
}

const quotedAfter = (pattern: RegExp, text: string): string | null => pattern.exec(text)?.[1] ?? null;

/** Returns an introduction such as "Ada, a patient maths tutor" from the known parts. */
export const introduce = ({ name, role }: Persona): string =>
  name && role ? `${name}, ${role}` : (name ?? role ?? 'your assistant');

const openings: Record<Persona['tone'], readonly string[]> = {
  pirate: ['Arr!', 'Ahoy, matey!', 'Shiver me timbers!'],
  poetic: ['Softly now:', 'Listen, and let the words unfold:'],
  formal: ['Certainly.', 'With pleasure.', 'Of course.'],
  cheerful: ['Great question!', 'Happy to help!', 'Lovely!'],
  plain: [''],
};

/** Rewrites the body in the persona's tone. `choice` selects one of the openings. */
export function inVoice(persona: Persona, body: string, choice: number): string {
  const spoken = persona.isBrief ? firstSentences(body) : body;
  const opening = persona.opening ?? openings[persona.tone][choice % openings[persona.tone].length] ?? '';
  const glue = /^(?:[-*>#]|\d+\.|```)/.test(spoken) ? '\n\n' : ' ';
  const text = opening && !spoken.startsWith(opening) ? opening + glue + spoken : spoken;
  return persona.closing && !text.endsWith(persona.closing) ? `${text} ${persona.closing}` : text;
}

/** Returns the first sentence. Keeps a quotation whole, because it is the reply. */
function firstSentences(body: string): string {
  const [first = ''] = body.split('\n\n');
  if (body.includes('\n> ')) return body.split('\n\n').slice(0, 2).join('\n\n');
  return /^.*?[.!?](?=\s|$)/s.exec(first)?.[0] ?? first;
}
