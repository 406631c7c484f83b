import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

/** With `--import` of this file, a process appends the URL of each module that it loads to `LOADED_FILES`, one a line. */
const target = process.env['LOADED_FILES'] ?? '';

registerHooks({
  load(url, context, nextLoad) {
    if (!url.startsWith('node:')) appendFileSync(target, `${url}\n`);
    return nextLoad(url, context);
  },
});
