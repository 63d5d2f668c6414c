import { describe, expect, it } from 'vitest'
import { copySanitize } from '../../../src/drafts/operations/copy-sanitize'
import { publishDraft } from '../../../src/drafts/operations/publish-draft'
import { saveDraft } from '../../../src/drafts/operations/save-draft'
import { getItem } from '../../../src/items/operations/get-item'
import { openGitHubWorkspace } from '../../tracker/github/fixtures'

const open = async () => {
  const workspace = await openGitHubWorkspace({
    issues: [{ number: 1, type: 'Story', title: 'Read the plate' }],
    types: ['Feature', 'Story'],
    labels: ['gate', 'night'],
  })
  await workspace.run(copySanitize, { id: 1 })
  await workspace.run(saveDraft, { id: 1, title: 'Read both plates' })
  return { ...workspace, publish: (input: object) => workspace.run(publishDraft, { id: 1, ...input }) }
}

describe('fields that a publication sets on GitHub', () => {
  it('are the state and the labels of an issue that exists', async () => {
    const { run, publish } = await open()
    const updates = { State: 'Closed', Labels: 'night' }
    const shown = await publish({ to: 1, updates, dryRun: true })
    expect(shown.changes).toMatchObject([{ field: 'State' }, { field: 'Labels', to: 'night' }, { field: 'Title' }])
    await publish({ to: 1, updates, planId: shown.planId })
    expect(await run(getItem, { id: 1 })).toMatchObject({ title: 'Read both plates', state: 'Closed', tags: ['night'] })
  })

  it('are labels of a new issue, and are refused all at once', async () => {
    const { run, publish } = await open()
    const { itemId } = await publish({ updates: { Labels: 'gate; night' } })
    expect(await run(getItem, { id: itemId })).toMatchObject({ tags: ['gate', 'night'] })
    await expect(publish({ asNew: true, updates: { Priority: 1, Nope: 2 } })).rejects.toMatchObject({
      code: 'invalid',
      details: [{ path: 'updates.Priority', message: expect.stringContaining('GitHub') }, { path: 'updates.Nope' }],
    })
  })
})
