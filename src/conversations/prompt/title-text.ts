import { isBlank } from '../../core/is-blank.ts';

/** Largest length of a title, in graphemes: what a reader counts as characters. */
const maxLength = 80;
/** Largest length in code points, because a grapheme has no limit. It is that of a title that a user sets. */
const maxCodePoints = 200;
/** Longest part of a text that is examined, in UTF-16 code units. */
const examined = 4_000;
/** Largest length of a title that is taken from a question, in graphemes. */
const maxQuestionLength = 50;

/**
 * Returns the title in the response of a model, as one line without what models tend to add: thoughts, JSON, a code
 * fence, a label, Markdown, quotation marks and a full stop. If nothing usable is left, such as after a refusal, the
 * title is the beginning of the question; '' if that is blank too.
 */
export function titleFrom(response: string, question: string): string {
  const title = bareTitle(lineOf(unwrapped(withoutThoughts(response.slice(0, examined)))));
  return isUsable(title) ? cut(title, maxLength) : beginningOf(question);
}

const thoughtEnd = /^[\s\S]*(?:<\/(?:think|thinking|thought|reasoning)>|\[\/think\]|◁\/think▷)/i;

/** Removes thoughts whose opening tag is part of the prompt, and therefore not of the response. */
const withoutThoughts = (text: string): string => text.replace(thoughtEnd, '');

/** Returns the content of a code fence or of JSON; any other text as it is. */
function unwrapped(text: string): string {
  const inner = /^\s*```\w*\s*\n?([\s\S]*?)(?:```|$)/.exec(text)?.[1] ?? text;
  const json = parse(inner);
  if (typeof json === 'string') return json;
  if (typeof json === 'object' && json !== null) {
    const values: unknown[] = [...('title' in json ? [json.title] : []), ...Object.values(json)];
    return values.find((value) => typeof value === 'string') ?? '';
  }
  // JSON that is surrounded by text, or cut off.
  const field = /"title"\s*:\s*"((?:[^"\\]|\\.)*)/i.exec(inner)?.[1];
  if (field === undefined) return inner;
  const value = parse(`"${field}"`);
  return typeof value === 'string' ? value : field;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Control characters, and those that change the direction of a text or are invisible. Joiners belong to graphemes. */
const unwanted = /[\p{Cc}\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/gu;

/**
 * Returns the first paragraph without an introduction, on one line, with single blanks and without invisible characters.
 */
function lineOf(text: string): string {
  const paragraphs = text
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .split(/\n[ \t]*\n/)
    .map((paragraph) =>
      paragraph
        .split('\n')
        .map(visible)
        .filter((line) => !isBlank(line)),
    )
    .filter((lines) => lines.length > 0);
  const isIntroduction = (line: string): boolean => /[:：]$/.test(line);
  const found = paragraphs.find((lines) => !lines.every(isIntroduction)) ?? paragraphs[0] ?? [];
  const said = found.filter((line) => !isIntroduction(line));
  return (said.length > 0 ? said : found).join(' ');
}

const visible = (line: string): string => line.replaceAll('\t', ' ').replace(unwanted, '').replace(/\s+/g, ' ').trim();

/** The word for a title in the most frequent languages, as a label before the title. */
const label =
  /^(?:(?:(?:chat|conversation|suggested) )?(?:title|topic|subject)|titel|titre|título|titolo|tytuł|başlık|заголовок|название|العنوان|标题|標題|タイトル|題名|제목)\s*[:：]\s*/i;
const quotes: readonly (readonly [open: string, close: string])[] = [
  ['"', '"'],
  ["'", "'"],
  ['“', '”'],
  ['„', '“'],
  ['„', '”'],
  ['‘', '’'],
  ['«', '»'],
  ['»', '«'],
  ['「', '」'],
  ['『', '』'],
  ['《', '》'],
  ['`', '`'],
  ['**', '**'],
  ['*', '*'],
  ['__', '__'],
];

/** Removes a label, marks around the whole title, and a full stop, until nothing changes. */
function bareTitle(line: string): string {
  for (let title = line; ;) {
    const pair = quotes.find(
      ([open, close]) => title.length > open.length + close.length && title.startsWith(open) && title.endsWith(close),
    );
    const inner = pair ? title.slice(pair[0].length, -pair[1].length) : title;
    const bare = inner
      .replace(/^(?:#{1,6} |[-*•] |\d{1,2}[.)] )/, '')
      .replace(/^\*\*(.{1,40}?[:：])\*\* ?/, '$1 ')
      .replace(label, '')
      .replace(/(?<![.。])[.。]$/, '')
      .trim();
    if (bare === title) return title;
    title = bare;
  }
}

const refusal =
  /^(?:i['’]?m sorry|i am sorry|sorry[,.! ]|i apologize|i apologise|i (?:can['’]?t|cannot|can not|am unable|am not able|won['’]?t)|as an ai|unfortunately,? i|(?:no|untitled|unknown) ?(?:title|conversation)?$|n\/a$)/i;

/** Whether a reader can learn something from it: it has a letter, a number or a symbol, and is no refusal. */
const isUsable = (title: string): boolean =>
  !isBlank(title) && /[\p{L}\p{N}\p{S}]/u.test(title) && !refusal.test(title) && cut(title, maxLength) !== '';

/** Returns the first words of a text, with an ellipsis if more follows. */
function beginningOf(text: string): string {
  const line = lineOf(text.slice(0, examined));
  const beginning = cut(line, maxQuestionLength);
  if (beginning === line) return isBlank(line) ? '' : line;
  // Scripts without blanks are cut between graphemes.
  const words = / /.test(beginning) && !line.startsWith(`${beginning} `) ? beginning.replace(/ [^ ]*$/, '') : beginning;
  return words === '' ? '' : `${words}…`;
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Returns the beginning of a text, of whole graphemes. */
function cut(text: string, length: number): string {
  let end = 0;
  let codePoints = 0;
  let count = 0;
  for (const { segment } of graphemes.segment(text)) {
    codePoints += [...segment].length;
    if (++count > length || codePoints > maxCodePoints) break;
    end += segment.length;
  }
  return text.slice(0, end).trim();
}
