interface RuleContext {
  filename: string;
  report(problem: { node: unknown; message: string }): void;
}

interface TemplateElement {
  value: { raw: string };
}

interface StringLiteral {
  value?: unknown;
}

/** Columns with times that several processes compare. */
const comparedColumns = 'lease_expires_at|lease_until|locked_until|heartbeat_at|run_at|due_at|paused_until';
const fromParameter = new RegExp(
  `\\b(${comparedColumns})\\s*(?:<=?|>=?|=)\\s*(?:(?:coalesce|least|greatest)\\()?\\$\\d`,
);

/** Returns the column that a statement compares with or sets to a time from a process's clock, or null. */
const columnFromProcessClock = (sql: string): string | null => fromParameter.exec(sql)?.[1] ?? null;

/** Requires PostgreSQL to compute leases, due times and locks, because the clocks of two processes never agree. */
export const databaseTime = {
  create(context: RuleContext) {
    const check = (node: unknown, text: string): void => {
      const column = columnFromProcessClock(text);
      if (column === null) return;
      const message = `${column} is compared by several processes: let PostgreSQL compute it (src/core/database/database-time.ts).`;
      context.report({ node, message });
    };
    return {
      TemplateElement: (node: TemplateElement): void => check(node, node.value.raw),
      Literal: (node: StringLiteral): void => void (typeof node.value === 'string' && check(node, node.value)),
    };
  },
};

interface CallExpression {
  callee: { type: string; object?: { name?: string }; property?: { name?: string } };
}

interface NewExpression {
  callee: { name?: string };
  arguments: readonly unknown[];
}

const message =
  'The wall clock of a process can be wrong and jump: measure durations with performance.now() and take the time from ctx.clock.';

/** Forbids `Date.now()` and `new Date()` in the service. */
export const processClock = {
  create(context: RuleContext) {
    return {
      CallExpression(node: CallExpression): void {
        if (node.callee.object?.name === 'Date' && node.callee.property?.name === 'now')
          context.report({ node, message });
      },
      NewExpression(node: NewExpression): void {
        if (node.callee.name === 'Date' && node.arguments.length === 0) context.report({ node, message });
      },
    };
  },
};
