import { bannedInName, bannedInText } from './banned-words.ts';
import { cataloguedTexts } from './catalogued-texts.ts';

interface Node {
  type: string;
  [key: string]: unknown;
}

interface Comment {
  value: string;
}

interface RuleContext {
  filename: string;
  sourceCode: { getAllComments(): Comment[] };
  report(problem: { node: unknown; message: string }): void;
}

/** Strings of tests are data; only their titles are prose. */
const isTest = (path: string): boolean => /[/\\]test[/\\]/.test(path);
const titled = new Set(['test', 'describe', 'it', 'each']);

/** Reports banned words in comments, exported names, and texts: strings of several words, in tests only titles. */
const plainWords = {
  create(context: RuleContext) {
    const check = (node: unknown, text: unknown): void => {
      if (typeof text !== 'string' || !/[a-z] [a-z]/i.test(text)) return;
      for (const message of bannedInText(text)) context.report({ node, message });
    };
    const checkName = (node: unknown): void => {
      const { name } = (node ?? {}) as { name?: unknown };
      if (typeof name === 'string') for (const message of bannedInName(name)) context.report({ node, message });
    };
    const common = {
      Program(): void {
        for (const comment of context.sourceCode.getAllComments()) check(comment, comment.value);
      },
      ExportNamedDeclaration(node: Node): void {
        const { declaration } = node as { declaration?: { id?: unknown; declarations?: { id: unknown }[] } | null };
        for (const id of [declaration?.id, ...(declaration?.declarations ?? []).map(({ id }) => id)]) checkName(id);
      },
    };
    if (!isTest(context.filename)) {
      return {
        ...common,
        Literal: (node: Node): void => check(node, node['value']),
        TemplateElement: (node: Node): void => check(node, (node['value'] as { cooked?: string }).cooked),
      };
    }
    return {
      ...common,
      CallExpression(node: Node): void {
        const { callee, arguments: given } = node as unknown as { callee: Node; arguments: Node[] };
        const [title] = given;
        if (!title || !titled.has(rootName(callee))) return;
        if (title.type === 'Literal') check(title, title['value']);
        if (title.type === 'TemplateLiteral') check(title, textOf(title));
      },
    };
  },
};

/** Returns the text of a template, with a placeholder for each value. */
const textOf = (template: Node): string =>
  (template['quasis'] as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join('{}');

/** Returns `test` for `test`, `test.skipIf(…)` and `test.each(…)`. */
const rootName = (callee: Node): string => {
  const inner = (callee['object'] ?? callee['callee']) as Node | undefined;
  if (inner) return rootName(inner);
  return typeof callee['name'] === 'string' ? callee['name'] : '';
};

export default {
  meta: { name: 'language' },
  rules: { 'plain-words': plainWords, 'catalogued-texts': cataloguedTexts },
};
