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
        if (titled.has(rootName(callee)) && given[0]?.type === 'Literal') check(given[0], given[0]['value']);
      },
    };
  },
};

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
