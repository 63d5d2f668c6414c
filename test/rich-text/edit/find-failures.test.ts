import fc from 'fast-check'
import { it } from 'vitest'
import { check, trackers } from './one-edit'
import { edits } from './edits'

it('finds', () => {
  const only = process.env['ONLY']
  for (const [name, tracker] of Object.entries(trackers)) {
    if (only && !name.includes(only)) continue
    const samples = fc.sample(fc.tuple(tracker.items, edits), { numRuns: Number(process.env['N'] ?? 300), seed: Number(process.env['SEED'] ?? 7) })
    const failures: { size: number; text: string }[] = []
    const counts: Record<string, number> = {}
    for (const [blocks, change] of samples) {
      let outcome
      try { outcome = check(tracker, blocks, change) } catch (error) { outcome = { kind: 'crash', detail: String((error as Error).stack).slice(0, 600), source: blocks.map((b) => b.source).join('\n'), copy: '', after: '', result: '' } }
      counts[outcome.kind] = (counts[outcome.kind] ?? 0) + 1
      if (!['exact', 'skipped'].includes(outcome.kind)) failures.push({ size: String(outcome.source).length, text: [`## ${outcome.kind} ${change.kind}: ${outcome.detail}`, '-- source', outcome.source, '-- copy', outcome.copy, '-- after', outcome.after, '-- result', outcome.result].join('\n') })
    }
    console.log(`##### ${name} ${JSON.stringify(counts)}\n` + failures.sort((a, b) => a.size - b.size).slice(0, Number(process.env['SHOW'] ?? 3)).map((f) => f.text).join('\n\n'))
  }
})
