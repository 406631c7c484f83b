import { relative, sep } from 'node:path';
import { inNoLayer, locate, whyForbidden } from './layers.ts';
import { databaseTime, processClock } from './time.ts';

/** The parts of an ESTree node that name a module: imports, re-exports, `import()` and `import('…').Type`. */
interface ModuleReference {
  source: { type: string; value?: unknown } | null;
  importKind?: 'type' | 'value';
  exportKind?: 'type' | 'value';
}

interface RuleContext {
  filename: string;
  cwd: string;
  report(problem: { node: unknown; message: string }): void;
}

/** The linted file, relative to the repository's root. */
const pathOf = (context: RuleContext): string => relative(context.cwd, context.filename).split(sep).join('/');

/** Enforces the order of the layers for every kind of import and re-export. */
const boundaries = {
  create(context: RuleContext) {
    const from = pathOf(context);
    const check =
      (alwaysTypeOnly = false) =>
      (node: ModuleReference): void => {
        if (typeof node.source?.value !== 'string') return;
        const typeOnly = alwaysTypeOnly || node.importKind === 'type' || node.exportKind === 'type';
        const message = whyForbidden(from, node.source.value, typeOnly);
        if (message !== null) context.report({ node: node.source, message });
      };
    return {
      Program(node: unknown): void {
        if (locate(from) === null) context.report({ node, message: inNoLayer(from) });
      },
      ImportDeclaration: check(),
      ExportNamedDeclaration: check(),
      ExportAllDeclaration: check(),
      ImportExpression: check(),
      TSImportType: check(true),
    };
  },
};

/** Names that do not describe the content, and the name of a barrel. */
const emptyNames = /(^|\/)(utils?|helpers?|common|shared|misc|index|[a-z-]*managers?)(\/|\.ts$)/;

/**
 * Keeps `requireNode24()` first. Modules are linked before any of them runs, and linking already fails on an older Node,
 * which lacks some of the imported names.
 */
const guardedEntry = {
  create(context: RuleContext) {
    if (pathOf(context) !== 'src/main.ts') return {};
    return {
      ImportDeclaration(node: ModuleReference): void {
        if (node.importKind === 'type' || node.source?.value === './core/process/node-version.ts') return;
        context.report({ node, message: 'src/main.ts loads the rest by import() after requireNode24().' });
      },
    };
  },
};

const names = {
  create(context: RuleContext) {
    const path = pathOf(context);
    return {
      Program(node: unknown): void {
        if (emptyNames.test(path)) context.report({ node, message: `${path} should be named after what it holds.` });
      },
    };
  },
};

export default {
  meta: { name: 'layers' },
  rules: {
    boundaries,
    'guarded-entry': guardedEntry,
    names,
    'database-time': databaseTime,
    'process-clock': processClock,
  },
};
