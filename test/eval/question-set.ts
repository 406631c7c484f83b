import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface EvalDocument {
  filename: string;
  text: string;
  /** Each is answered by this document and by no other. */
  questions: string[];
}

/** The documents and questions of `questions.txt`: `== name`, the text, and a question on each line that begins with `?`. */
export const evalDocuments: readonly EvalDocument[] = readFileSync(join(import.meta.dirname, 'questions.txt'), 'utf8')
  .split(/^== /m)
  .filter(Boolean)
  .map((entry) => {
    const [filename = '', ...lines] = entry.trim().split('\n');
    const questions = lines.filter((line) => line.startsWith('? ')).map((line) => line.slice(2));
    return { filename, text: lines.filter((line) => !line.startsWith('? ')).join('\n'), questions };
  });
