import type { Config } from '../core/config/config.ts';
import { readSettings } from '../core/config/read-settings.ts';
import { environment } from '../core/config/environment.ts';
import { catalog } from './features.ts';

/** Reads the settings of a process from its environment. @throws ConfigError that lists every fault */
export const readConfig = (env: Readonly<Record<string, string | undefined>>): Config =>
  readSettings(env, catalog.settings);

/** Names of all environment variables that the service reads. */
export const environmentVariables: readonly string[] = [
  environment,
  ...catalog.settings.map((s) => s.variables),
].flatMap((shape) => Object.keys(shape));
