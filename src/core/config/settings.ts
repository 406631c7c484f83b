import type { z } from 'zod';
import type { Config } from './config.ts';

/** What the defaults of a feature may depend on. */
type BaseConfig = Pick<Config, 'profile' | 'publicUrl'>;

/** Environment variables of a feature and the part of `Config` that they become. */
export interface Settings {
  variables: z.ZodRawShape;
  read(variables: unknown, base: BaseConfig): Partial<Config>;
}

/** `read` gets the parsed variables. A feature declares its part of `Config` by declaration merging. */
export const defineSettings = <Shape extends z.ZodRawShape>(
  variables: Shape,
  read: (variables: z.output<z.ZodObject<Shape>>, base: BaseConfig) => Partial<Config>,
): Settings => ({
  variables,
  read: (parsed, base) => read(parsed as z.output<z.ZodObject<Shape>>, base),
});
