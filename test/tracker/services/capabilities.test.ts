import { describe, expect, it } from 'vitest'
import { loadAllOperations } from '../../../src/catalog'
import { fieldsOf, flagsOf } from '../../../src/kernel'
import { isOffered, TRACKER_KINDS } from '../../../src/tracker'

describe('a capability', () => {
  it('is offered if one of the trackers has it', () => {
    expect(isOffered('link:related', ['github'])).toBe(false)
    expect(isOffered('link:related', ['github', 'jira'])).toBe(true)
    expect(isOffered('property:areaPath', ['github', 'jira'])).toBe(false)
    expect(isOffered('property:areaPath', ['azure-devops'])).toBe(true)
    expect(isOffered('link:related', [])).toBe(false)
  })
})

describe('the catalog', () => {
  it('names capabilities that a tracker has, and fields that its operations have', async () => {
    for (const op of await loadAllOperations()) {
      for (const [path, need] of Object.entries(op.fieldNeeds ?? {})) {
        expect(isOffered(need, TRACKER_KINDS), `${op.id} ${need}`).toBe(true)
        const [field, criterion] = path.split('.')
        expect(
          fieldsOf(op.input).map(({ name }) => name),
          op.id,
        ).toContain(field)
        if (criterion)
          expect(
            flagsOf(op).map(({ key }) => key),
            op.id,
          ).toContain(criterion)
      }
    }
  })
})
