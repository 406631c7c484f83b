import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

/** With `--import` of this file, a process writes the address of every module that it loads into `LOADED_FILES`, a line each. */
const target = process.env['LOADED_FILES'] ?? '';

registerHooks({
  load(url, context, nextLoad) {
    if (!url.startsWith('node:')) appendFileSync(target, `${url}\n`);
    return nextLoad(url, context);
  },
});
