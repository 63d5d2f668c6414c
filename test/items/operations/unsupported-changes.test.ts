import { describe, expect, it } from 'vitest'
import { batchUpdate } from '../../../src/items/operations/batch-update'
import { createItem } from '../../../src/items/operations/create-item'
import { describeTracker } from '../../../src/items/operations/describe-tracker'
import { importFeature } from '../../../src/items/operations/import/import-feature'
import { linkItem } from '../../../src/items/operations/links/link-item'
import { unlinkItem } from '../../../src/items/operations/links/unlink-item'
import { resolveReferences } from '../../../src/items/operations/resolve-references'
import { openGitHub } from '../../tracker/github/fixtures'
import { openTestWorkspace } from '../test-workspace'

/** A workspace on the sandbox, with a repository as the further tracker `code`, whose feature 1 and its story 2 are imported. */
async function openWithRepository() {
  const { tracker, requests } = await openGitHub({
    issues: [
      { number: 1, type: 'Feature', title: 'Automate the crane' },
      { number: 2, type: 'Story', parent: 1, title: 'Read the position of the crane' },
    ],
    types: ['Feature', 'Story'],
  })
  const code = { name: 'code', kind: 'github' as const, url: 'https://github.com/works/harbor', project: null }
  const workspace = await openTestWorkspace({ furtherTrackers: [{ ...code, open: async () => tracker }] })
  const { items } = await workspace.run(resolveReferences, {
    references: ['code:works/harbor#1', 'code:works/harbor#2'],
  })
  const [featureId, storyId] = items.map(({ id }: { id: number }) => id)
  await workspace.run(importFeature, { featureId })
  requests.length = 0
  return { ...workspace, requests, featureId, storyId }
}

describe('what a tracker cannot do', () => {
  it('is refused for links, before a request', async () => {
    const { run, requests, featureId, storyId } = await openWithRepository()
    for (const op of [linkItem, unlinkItem])
      await expect(run(op, { id: storyId, relatedIds: [featureId] })).rejects.toMatchObject({
        code: 'invalid',
        message: expect.stringMatching(/Nothing was sent\. Related: .*GitHub \(.*works\/harbor\); use parent, child/),
      })
    expect(requests).toEqual([])
  })

  it.each([
    ['Area', 'Docks'],
    ['System.AreaPath', 'Docks'],
    ['Priority', '1'],
    ['acceptance criteria', 'It works.'],
  ])('is refused for fields, before a request: %s', async (field, value) => {
    const { run, requests, storyId } = await openWithRepository()
    const refused = { code: 'invalid', message: expect.stringMatching(/Nothing was sent\. .* cannot be set in GitHub/) }
    await expect(run(batchUpdate, { itemIds: [storyId], updates: { [field]: value } })).rejects.toMatchObject(refused)
    const item = { type: 'Story', title: 'New', parentId: storyId, fields: { [field]: value } }
    await expect(run(createItem, item)).rejects.toMatchObject(refused)
    expect(requests).toEqual([])
  })

  it('is not refused for the items of another tracker', async () => {
    const { run } = await openWithRepository()
    const change = { itemIds: [204], updates: { Priority: 1 }, dryRun: true }
    expect(await run(batchUpdate, change)).toMatchObject({ requested: 1 })
    expect(await run(linkItem, { id: 204, relatedIds: [205], dryRun: true })).toMatchObject({ requested: 1 })
  })

  it('is shown for each tracker', async () => {
    const { run } = await openWithRepository()
    expect((await run(describeTracker, {})).capabilities).toMatchObject({
      links: expect.arrayContaining(['related']),
      properties: expect.arrayContaining(['areaPath']),
    })
    const { capabilities } = await run(describeTracker, { tracker: 'code' })
    expect(capabilities).toMatchObject({ tracker: expect.stringContaining('GitHub ('), listsChanges: false })
    expect(capabilities.links).not.toContain('related')
  })
})
