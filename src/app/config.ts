import { distance } from 'fastest-levenshtein';
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

/** Shorter names resemble many others. */
const minNameLength = 8;

/** Returns a sentence for each variable that is not a setting but is written almost like one. */
export const misspelledSettings = (env: Readonly<Record<string, string | undefined>>): string[] =>
  Object.keys(env)
    .filter((name) => name.length >= minNameLength && !environmentVariables.includes(name))
    .flatMap((name) => {
      const meant = environmentVariables.find((setting) => distance(name, setting) <= 2);
      return meant === undefined ? [] : [`${name} is not a setting and has no effect; ${meant} is one`];
    });
