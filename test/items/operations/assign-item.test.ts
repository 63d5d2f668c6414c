import { describe, expect, it } from 'vitest'
import { assignItem } from '../../../src/items/operations/steps/assign-item'
import { openTestWorkspace } from '../test-workspace'

describe('the dry run of an assignment', () => {
  it('says that the name cannot be checked, where the tracker does not list people', async () => {
    const { run } = await openTestWorkspace()
    const preview = await run(assignItem, { id: 204, assignedTo: 'Nobody Known', dryRun: true })
    expect(preview.results).toMatchObject([
      { status: 'notAttempted', message: 'The name cannot be checked before the change is sent.' },
    ])
  })

  it('says nothing of no one', async () => {
    const { run } = await openTestWorkspace()
    const preview = await run(assignItem, { id: 204, assignedTo: '', dryRun: true })
    expect(preview.results).toMatchObject([{ message: 'dry run' }])
  })
})
