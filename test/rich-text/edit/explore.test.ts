import fc from 'fast-check'
import { it } from 'vitest'
import { check, trackers } from './one-edit'
import { applyEdit, edits } from './edits'

it('finds', () => {
  const only = process.env['ONLY']
  for (const [name, tracker] of Object.entries(trackers)) {
    if (only && !name.includes(only)) continue
    const samples = fc.sample(fc.tuple(tracker.items, fc.array(edits, { minLength: 2, maxLength: 4 })), { numRuns: Number(process.env['N'] ?? 300), seed: Number(process.env['SEED'] ?? 7) })
    const failures: { size: number; text: string }[] = []
    const counts: Record<string, number> = {}
    for (const [blocks, changes] of samples) {
      let outcome
      const all = (copy: string) => changes.reduce((text, change) => applyEdit(text, change) ?? text, copy)
      try { outcome = check(tracker, blocks, changes[0]!, all) } catch (error) { outcome = { kind: 'crash', detail: String((error as Error).stack).slice(0, 600), source: blocks.map((b) => b.source).join('\n'), copy: '', after: '', result: '' } }
      counts[outcome.kind] = (counts[outcome.kind] ?? 0) + 1
      if (!['exact', 'skipped', 'lost part', 'other blocks'].includes(outcome.kind)) failures.push({ size: String(outcome.source).length, text: [`## ${outcome.kind} ${changes.map((c) => c.kind)}: ${outcome.detail}`, '-- source', outcome.source, '-- copy', outcome.copy, '-- after', outcome.after, '-- result', outcome.result].join('\n') })
    }
    console.log(`##### ${name} ${JSON.stringify(counts)}\n` + failures.sort((a, b) => a.size - b.size).slice(0, Number(process.env['SHOW'] ?? 3)).map((f) => f.text).join('\n\n'))
  }
})
