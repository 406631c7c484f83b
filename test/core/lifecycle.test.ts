import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { createLifecycle } from '../../src/app/lifecycle.ts';
import { createLogger } from '../../src/core/process/log.ts';

const silent = createLogger('silent');

describe('the lifecycle', () => {
  test('stops every part once, in reverse order, even when parts fail', async () => {
    const lifecycle = createLifecycle(silent);
    const stopped: string[] = [];
    lifecycle.onStop('database', () => void stopped.push('database'));
    lifecycle.onStop('worker', () => {
      stopped.push('worker');
      throw new Error('at once');
    });
    lifecycle.onStop('server', async () => {
      stopped.push('server');
      throw new Error('later');
    });
    await lifecycle.stop();
    await lifecycle.stop();
    expect(stopped).toEqual(['server', 'worker', 'database']);
  });

  test('stops in order also when it is called again meanwhile', async () => {
    const lifecycle = createLifecycle(silent);
    const stopped: string[] = [];
    const drained = Promise.withResolvers<void>();
    lifecycle.onStop('database', () => void stopped.push('database'));
    lifecycle.onStop('last requests', async () => {
      await drained.promise;
      stopped.push('last requests');
    });
    const both = [lifecycle.stop(), lifecycle.stop()];
    drained.resolve();
    await Promise.all(both);
    expect(stopped).toEqual(['last requests', 'database']);
  });

  test('logs which part failed', async () => {
    const lines: string[] = [];
    const lifecycle = createLifecycle(pino({}, { write: (line: string) => void lines.push(line) }));
    lifecycle.onStop('worker', () => Promise.reject(new Error('broken')));
    await lifecycle.stop();
    expect(lines.map((line) => JSON.parse(line).part)).toEqual(['worker']);
  });

  test('bounds the whole stop, however many parts take too long', async () => {
    const lifecycle = createLifecycle(silent, 500);
    const left: number[] = [];
    const hang = (leftMs: number) => {
      left.push(leftMs);
      return new Promise<void>(() => undefined);
    };
    let isClosed = false;
    lifecycle.onStop('database', () => void (isClosed = true));
    lifecycle.onStop('worker', hang);
    lifecycle.onStop('worker', hang);
    const startedMs = performance.now();
    await lifecycle.stop();
    expect(isClosed).toBe(true);
    expect(performance.now() - startedMs).toBeLessThan(2_000);
    expect(left[0]).toBeGreaterThan(left[1] ?? 0);
  });
});
