import { z } from 'zod';
import { name, trimmedText } from '../../core/text/text-input.ts';
import { orDefault, pageInput } from '../../core/pagination.ts';
import { experimentMetrics } from './experiment.entity.ts';

const variantKeys = ['a', 'b', 'c', 'd'] as const;
const minReturnedDays = 8;
const percent = 100;

const fail = (ctx: z.core.ParsePayload['issues'], path: PropertyKey[], code: string, message: string, input: unknown) =>
  void ctx.push({ code: 'custom', message, params: { code }, path, input });

const variants = z
  .array(z.object({ key: z.enum(variantKeys), versionId: z.string(), weight: z.int().min(5).max(95) }))
  .min(2)
  .max(variantKeys.length)
  .check(({ value, issues }) => {
    value.forEach(({ key }, index) => {
      const expected = variantKeys[index] ?? '';
      if (key !== expected)
        fail(issues, [index, 'key'], 'invalid_value', `must be ${expected}: keys are a, b, c, d`, key);
    });
    const sum = value.reduce((total, { weight }) => total + weight, 0);
    if (sum !== percent) fail(issues, [], 'invalid_sum', `must have weights that sum to 100, not ${sum}`, value);
  });

const fields = {
  name: name({ max: 80 }),
  hypothesis: trimmedText({ max: 500 }).nullish(),
  variants,
  metric: z.enum(experimentMetrics),
  expectedPeople: z.int().min(200).max(1_000_000),
  minDays: z.int().min(1).max(60),
};

/** Returns the minimum duration of an experiment in days. `returned` needs longer, because its window is seven days. */
export const minDaysOf = (metric: string): number => (metric === 'returned' ? minReturnedDays : 1);
const usualDays = 7;
const usualPeople = 1_000;

export const createExperimentInput = z
  .object({
    ...fields,
    metric: orDefault(fields.metric, 'continued'),
    expectedPeople: orDefault(fields.expectedPeople, usualPeople),
    minDays: fields.minDays.nullish(),
  })
  .transform((input) => ({
    ...input,
    hypothesis: input.hypothesis ?? null,
    minDays: input.minDays ?? Math.max(usualDays, minDaysOf(input.metric)),
  }));

/** Changes to a draft. Omitted fields stay unchanged. */
export const updateExperimentInput = z.object(fields).partial();

export const concludeInput = z.object({ versionId: z.string() });

export const listExperimentsInput = pageInput();
