import type { Attributes, Meter, ObservableResult } from '@opentelemetry/api';
import { Counter, Gauge } from 'prom-client';
import type { Metrics } from '../../core/process/telemetry.ts';

interface Named {
  name: string;
  help: string;
}

/** Exports the gauges and counters of /metrics under the same names. Request durations have a separate histogram. */
export function exportFigures(meter: Meter, figures: Metrics): void {
  for (const metric of figures.registry.getMetricsAsArray() as unknown[]) {
    if (!(metric instanceof Gauge || metric instanceof Counter)) continue;
    const { name, help } = metric as unknown as Named;
    const options = { description: help };
    const instrument =
      metric instanceof Gauge
        ? meter.createObservableGauge(name, options)
        : meter.createObservableCounter(name, options);
    instrument.addCallback(async (result: ObservableResult) => {
      await figures.refresh();
      for (const { value, labels } of (await metric.get()).values) result.observe(value, labels as Attributes);
    });
  }
}
