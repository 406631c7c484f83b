import type { Plan } from '../api/generated/operations.ts';

/** `PLUS` → `Plus`. */
export const planName = (plan: Plan): string => plan.charAt(0) + plan.slice(1).toLowerCase();
