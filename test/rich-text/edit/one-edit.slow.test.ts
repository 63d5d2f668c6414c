import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { edits } from './edits'
import { check, trackers } from './one-edit'

const RUNS = Number(process.env['STUDIO_RUNS'] ?? 400)

describe.each(Object.entries(trackers))('edits of a clean copy of %s', (_name, tracker) => {
  it('changes only what was edited, and keeps in its block what the copy lacks', () => {
    let noted = 0
    fc.assert(
      fc.property(tracker.items, edits, (blocks, changes) => {
        const { kind, ...outcome } = check(tracker, blocks, changes)
        if (kind === 'noted') noted++
        else expect(['exact', 'skipped'], JSON.stringify(outcome)).toContain(kind)
      }),
      { numRuns: RUNS },
    )
    expect(noted).toBeLessThan(RUNS * 0.06)
  })
})
