import { describe, expect, it } from 'vitest'
import { copySanitize } from '../../../src/drafts/operations/copy-sanitize'
import { getDraft } from '../../../src/drafts/operations/get-draft'
import { publishDraft } from '../../../src/drafts/operations/publish-draft'
import { saveDraft } from '../../../src/drafts/operations/save-draft'
import { getItem } from '../../../src/items/operations/get-item'
import { openTestWorkspace } from '../../items/test-workspace'
import { openJiraWorkspace } from '../../tracker/jira/fixtures'

const STORY = 204
const CODE = '<pre><code>a = 1\npassword: Hunter2!x103\nend</code></pre>'

/** Draft 1 is a copy of the story with edits in code from which a secret was removed, and in a paragraph. */
async function openWithEdit() {
  const workspace = await openTestWorkspace()
  await workspace.changeRemotely(STORY, { 'System.Description': `<p>First line</p>${CODE}<p>Last line</p>` })
  await workspace.run(copySanitize, { id: STORY })
  const { description } = await workspace.run(getDraft, { id: 1 })
  const edited = description.replace('a = 1', 'a = 2').replace('Last', 'Final')
  await workspace.run(saveDraft, { id: 1, description: edited })
  const read = async () => (await workspace.run(getItem, { id: STORY })).description as string
  return { workspace, read }
}

describe('publishing an edit beside what was removed from the draft', () => {
  it('sends nothing without a decision, and says which edit it is and what each decision does', async () => {
    const { workspace } = await openWithEdit()
    await expect(workspace.run(publishDraft, { id: 1, to: STORY })).rejects.toMatchObject({
      code: 'stale_revision',
      message: expect.stringContaining('beside what was removed from it'),
      hint: expect.stringContaining('leave these fields as they are in the tracker'),
      details: [{ path: 'description', message: expect.stringContaining('a = 2') }],
    })
  })

  it('makes all edits if the draft is preferred, and notes what the item loses', async () => {
    const { workspace, read } = await openWithEdit()
    const { notes } = await workspace.run(publishDraft, { id: 1, to: STORY, prefer: 'draft' })
    expect(await read()).toMatch(/a = 2[\s\S]*Final line/)
    expect(notes).toContainEqual(expect.stringContaining('[secret removed]'))
    expect(notes).not.toContainEqual(expect.stringContaining('whole text'))
  })

  it('notes the same if the value comes as the resolution of the conflict', async () => {
    const { workspace, read } = await openWithEdit()
    const preview = await workspace.run(publishDraft, { id: 1, to: STORY, dryRun: true })
    const description = preview.conflicts[0]!.withDraft as string
    const { notes } = await workspace.run(publishDraft, { id: 1, to: STORY, resolved: { description } })
    expect(await read()).toMatch(/a = 2[\s\S]*Final line/)
    expect(notes).toEqual([expect.stringContaining('[secret removed]'), expect.stringContaining('formatting')])
  })

  it('leaves the field as it is if the tracker is preferred, and says that edits were not sent', async () => {
    const { workspace, read } = await openWithEdit()
    const before = await read()
    const { notes } = await workspace.run(publishDraft, { id: 1, to: STORY, prefer: 'tracker' })
    expect(await read()).toBe(before)
    expect(notes).toEqual([expect.stringContaining('The edits of Description in the draft were not sent')])
  })
})

describe('publishing an edit that has no place in the document of an issue', () => {
  it('writes the text anew, and says so before it is sent', async () => {
    const card = { type: 'blockCard', attrs: { url: 'https://x.example/plan' } }
    const panel = { type: 'panel', attrs: { panelType: 'info' }, content: [{ type: 'paragraph', content: [] }] }
    const description = { type: 'doc', version: 1, content: [card, panel] }
    const issues = [{ id: 201, type: 'Story', description }]
    const { run, site } = await openJiraWorkspace({ deployment: 'cloud', issues })
    await run(copySanitize, { id: 201 })
    await run(saveDraft, { id: 1, description: 'The plan is elsewhere.' })
    const preview = await run(publishDraft, { id: 1, to: 201, dryRun: true })
    expect(preview.notes).toEqual([expect.stringContaining('the whole text is replaced')])
    const { notes } = await run(publishDraft, { id: 1, to: 201, planId: preview.planId })
    expect(JSON.stringify(site.find(201)!.description)).toContain('The plan is elsewhere.')
    expect(notes).toEqual(preview.notes)
  })
})
