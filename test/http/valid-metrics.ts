import parseMetrics from 'parse-prometheus-text-format'
import { expect } from 'vitest'

/** Expects text that Prometheus can read, with names that follow its rules, and labels of a limited number of values. */
export function expectValidMetrics(text: string): void {
  const families = parseMetrics(text)
  for (const { name, help, type, metrics } of families) {
    expect([name, help === '', type === 'UNTYPED']).toEqual([name, false, false])
    expect([name, text.split(`# HELP ${name} `).length, text.split(`# TYPE ${name} `).length]).toEqual([name, 2, 2])
    if (type === 'COUNTER') expect(name).toMatch(/_total$/)
    // The library names some of its own gauges like counters.
    else if (!name.startsWith('nodejs_')) expect(name).not.toMatch(/_total$/)
    expect(metrics.length).toBeLessThan(1_000)
  }
  expect(families.length).toBe(text.match(/^# TYPE /gm)!.length)
}
