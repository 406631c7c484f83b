import type { z } from 'zod';
import type { Config } from './config.ts';

/** The settings that the defaults of a feature may depend on. */
type BaseConfig = Pick<Config, 'profile' | 'publicUrl'>;

/** Environment variables of a feature, and how to turn them into the feature's part of `Config`. */
export interface Settings {
  variables: z.ZodRawShape;
  read(variables: unknown, base: BaseConfig): Partial<Config>;
}

/**
 * Defines the settings of a feature. `read` receives the parsed variables. The feature adds its part of `Config` by
 * declaration merging.
 */
export const defineSettings = <Shape extends z.ZodRawShape>(
  variables: Shape,
  read: (variables: z.output<z.ZodObject<Shape>>, base: BaseConfig) => Partial<Config>,
): Settings => ({
  variables,
  read: (parsed, base) => read(parsed as z.output<z.ZodObject<Shape>>, base),
});
