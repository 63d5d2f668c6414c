import { describe, expect, it } from 'vitest'
import { importSingle } from '../../../src/items/operations/import/import-single'
import { linkItem } from '../../../src/items/operations/links/link-item'
import { listItemHistory } from '../../../src/items/operations/list-item-history'
import { openJiraWorkspace } from '../../tracker/jira/fixtures'

/** The number of an issue is not that of its key, as on a real site. */
const openWorkspace = () =>
  openJiraWorkspace({
    deployment: 'cloud',
    issues: [
      { id: 10_007, key: 'HAR-1' },
      { id: 10_008, key: 'HAR-2' },
    ],
  })

describe('an error about an issue of the default tracker that is not cached', () => {
  it('has the key that the caller gave, also in its hint', async () => {
    const { run } = await openWorkspace()
    await expect(run(listItemHistory, { id: 'HAR-1' })).rejects.toMatchObject({
      message: 'There is no snapshot of work item HAR-1.',
      hint: ['Fetch it: ', { operation: 'items.get', input: { id: 'HAR-1' } }],
    })
  })

  it('has the key that an earlier call gave, and the number if none did', async () => {
    const { run, restart } = await openWorkspace()
    await run(listItemHistory, { id: 'HAR-2' }).catch(() => null)
    const message = (id: number) => `There is no snapshot of work item ${id === 10_008 ? 'HAR-2' : id}.`
    for (const id of [10_007, 10_008])
      await expect(run(listItemHistory, { id })).rejects.toMatchObject({ message: message(id) })
    await expect(restart()(listItemHistory, { id: 10_008 })).rejects.toMatchObject({
      message: 'There is no snapshot of work item 10008.',
    })
  })

  it('has the key of the tracker as soon as the issue is cached', async () => {
    const { run, restart } = await openWorkspace()
    await run(listItemHistory, { id: 'har-1' }).catch(() => null)
    await run(importSingle, { ids: ['HAR-1'] })
    const refusal = { message: 'No link of work item HAR-1 was specified.' }
    await expect(run(linkItem, { id: 10_007 })).rejects.toMatchObject(refusal)
    await expect(restart()(linkItem, { id: 10_007 })).rejects.toMatchObject(refusal)
  })
})
