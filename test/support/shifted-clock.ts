/**
 * Preloaded into a service process (`--import`). Shifts its wall clock by CLOCK_SHIFT_MS, or by the number in the file
 * CLOCK_SHIFT_FILE, which a test changes to make the clock jump. The monotonic clock is unaffected, as on a real machine.
 */
import { readFileSync } from 'node:fs';

const RealDate = Date;
const file = process.env['CLOCK_SHIFT_FILE'];
const readShift = (): number => Number(file ? readFileSync(file, 'utf8') : (process.env['CLOCK_SHIFT_MS'] ?? 0));
let shiftMs = readShift();
if (file) setInterval(() => (shiftMs = readShift()), 20).unref();

const now = (): number => RealDate.now() + shiftMs;
globalThis.Date = new Proxy(RealDate, {
  construct: (target, args: unknown[], newTarget) =>
    Reflect.construct(target, args.length > 0 ? args : [now()], newTarget),
  apply: () => new RealDate(now()).toString(),
  get: (target, name) => (name === 'now' ? now : (Reflect.get(target, name) as unknown)),
});
