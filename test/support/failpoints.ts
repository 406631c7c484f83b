import { registerHooks } from 'node:module';
import { failpoints } from './failpoint-table.ts';

/**
 * Steps at which a process can be made to exit or to throw, for kills that random times would hardly ever hit.
 *
 * The product contains none of them: a test starts it with `--import` of this file and `FAILPOINT=name`, and the call is
 * inserted into the built module while it is loaded. `name:3` acts when the step is reached for the third time, `name=throw`
 * throws instead of exiting. If a changed module no longer contains the step, the start fails.
 */
const wish = /^(\w+)(?::(\d+))?(=throw)?$/.exec(process.env['FAILPOINT'] ?? '');
const name = wish?.[1] ?? '';
const point = failpoints[name];
if (!wish || !point) throw new Error(`There is no failpoint "${process.env['FAILPOINT']}".`);
let passes = Number(wish[2] ?? 1);

function fail(): undefined {
  passes -= 1;
  if (wish?.[3]) {
    if (passes > 0) return undefined;
    throw new TypeError(`failpoint ${name} in /secret/path`);
  }
  if (passes === 0) process.kill(process.pid, 'SIGKILL');
  return undefined;
}

Object.assign(globalThis, { failpoint: fail });
registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!url.endsWith(`/dist/${point.module}`)) return loaded;
    const source = Buffer.from(loaded.source as Uint8Array).toString();
    if (source.split(point.find).length !== 2) throw new Error(`The step of failpoint ${name} was not found.`);
    const text = point.with.replace('FAIL', 'globalThis.failpoint()');
    return { ...loaded, source: source.replace(point.find, () => text.replace('$&', () => point.find)) };
  },
});
