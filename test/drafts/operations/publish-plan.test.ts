import { describe, expect, it } from 'vitest'
import { copySanitize } from '../../../src/drafts/operations/copy-sanitize'
import { deleteDraft } from '../../../src/drafts/operations/delete-draft'
import { getDraft } from '../../../src/drafts/operations/get-draft'
import { publishDraft } from '../../../src/drafts/operations/publish-draft'
import { saveDraft } from '../../../src/drafts/operations/save-draft'
import { getItem } from '../../../src/items/operations/get-item'
import { openTestWorkspace, type TestWorkspace } from '../../items/test-workspace'
import { type FaultPlan, refuseWith } from '../../sandbox/fault-presets'

const STORY = 204
const TEXT = '<p>First line</p><p>Last line</p>'
const DESCRIPTION = 'System.Description'

const read = async (workspace: TestWorkspace) => (await workspace.run(getItem, { id: STORY })).description as string

/** A workspace in which draft 1 is a copy of the story with another last line. */
async function openWithEdit(faults: FaultPlan = () => null): Promise<TestWorkspace> {
  const workspace = await openTestWorkspace({ faults })
  await workspace.changeRemotely(STORY, { [DESCRIPTION]: TEXT })
  const { description } = await workspace.run(copySanitize, { id: STORY })
  await workspace.run(saveDraft, { id: 1, description: description.replace('Last line', 'Our end') })
  return workspace
}

/** An edit that somebody makes while the nth change of the story is on its way, so that the tracker refuses that change. */
function editWhileSending(nth: number) {
  const edit = { during: async () => {} }
  let sent = 0
  const faults: FaultPlan = ({ method, path }) => {
    if (method !== 'PATCH' || !/workitems\/204/.test(path)) return null
    if (++sent !== nth) return null
    const refusal = refuseWith(
      412,
      'TestPatchOperationFailedException',
      'VS403351: Test Operation for path /rev failed.',
    )
    return {
      respond: async (exchange) => {
        await edit.during()
        return refusal.respond!(exchange)
      },
    }
  }
  return { edit, faults }
}

describe('what was shown is what is sent', () => {
  it('sends the plan of a dry run', async () => {
    const workspace = await openWithEdit()
    const { planId } = await workspace.run(publishDraft, { id: 1, to: STORY, dryRun: true })
    await workspace.run(publishDraft, { id: 1, to: STORY, planId })
    expect(await read(workspace)).toContain('Our end')
  })

  it.each([
    ['another line', TEXT.replace('First', 'Their first'), 'Their first line'],
    ['the same line', TEXT.replace('Last line', 'Their end'), 'Their end'],
  ])('sends nothing if somebody has changed %s since, and answers with the new plan', async (_, text, kept) => {
    const workspace = await openWithEdit()
    const shown = await workspace.run(publishDraft, { id: 1, to: STORY, dryRun: true })
    await workspace.changeRemotely(STORY, { [DESCRIPTION]: text })
    const call = { id: 1, to: STORY, planId: shown.planId }
    const error = await workspace.run(publishDraft, call).catch((thrown) => thrown)
    expect(error).toMatchObject({
      code: 'plan_changed',
      details: [{ path: 'planId', plan: { dryRun: true, rev: shown.rev + 1 } }],
    })
    expect(await read(workspace)).toContain(kept)
    expect(await read(workspace)).not.toContain('Our end')
    expect(error.details[0].planId).toBe(error.details[0].plan.planId)
    expect(error.details[0].planId).not.toBe(shown.planId)
  })

  it('sends nothing if the draft was changed since it was shown', async () => {
    const workspace = await openWithEdit()
    const { planId } = await workspace.run(publishDraft, { id: 1, to: STORY, dryRun: true })
    await workspace.run(saveDraft, { id: 1, description: 'A text that nobody was shown' })
    await expect(workspace.run(publishDraft, { id: 1, to: STORY, planId })).rejects.toMatchObject({
      code: 'plan_changed',
      details: [{ plan: { changes: [{ to: expect.stringContaining('nobody was shown') }] } }],
    })
    expect(await read(workspace)).toContain('Last line')
  })

  it('sends nothing to an item that shares no version with the draft and was changed since it was shown', async () => {
    const workspace = await openWithEdit()
    const call = { id: 1, to: 101, prefer: 'draft' }
    const { planId } = await workspace.run(publishDraft, { ...call, dryRun: true })
    await workspace.changeRemotely(101, { [DESCRIPTION]: '<p>Written meanwhile</p>' })
    await expect(workspace.run(publishDraft, { ...call, planId })).rejects.toMatchObject({ code: 'plan_changed' })
    expect((await workspace.run(getItem, { id: 101 })).description).toContain('Written meanwhile')
  })

  it('applies a settlement only to the version that it was made for', async () => {
    const workspace = await openWithEdit()
    await workspace.changeRemotely(STORY, { [DESCRIPTION]: TEXT.replace('Last line', 'Their end') })
    const call = { id: 1, to: STORY, resolved: { description: 'Both ends' } }
    const { planId } = await workspace.run(publishDraft, { ...call, dryRun: true })
    await workspace.changeRemotely(STORY, { [DESCRIPTION]: TEXT.replace('Last line', 'A later end') })
    await expect(workspace.run(publishDraft, { ...call, planId })).rejects.toMatchObject({ code: 'plan_changed' })
    expect(await read(workspace)).toContain('A later end')
  })

  it.each([
    ['a plan', async (workspace: TestWorkspace, call: object) => ({ planId: (await preview(workspace, call)).planId })],
    [
      'a settlement',
      async (workspace: TestWorkspace, call: object) => {
        await preview(workspace, call)
        return { resolved: { description: 'Ours alone' } }
      },
    ],
  ])('keeps what somebody writes while %s is on its way to the tracker', async (_, bind) => {
    const { edit, faults } = editWhileSending(2)
    const workspace = await openWithEdit(faults)
    const call = { id: 1, to: STORY }
    const bound = await bind(workspace, call)
    edit.during = () => workspace.changeRemotely(STORY, { [DESCRIPTION]: TEXT.replace('Last line', 'Their end') })
    await expect(workspace.run(publishDraft, { ...call, ...bound })).rejects.toMatchObject({
      code: expect.stringMatching(/^(plan_changed|stale_revision)$/),
    })
    expect(await read(workspace)).toContain('Their end')
  })

  it('refuses to create an item from a draft that was changed since it was shown', async () => {
    const workspace = await openWithEdit()
    const { planId } = await workspace.run(publishDraft, { id: 1, dryRun: true })
    await workspace.run(saveDraft, { id: 1, title: 'Another title' })
    await expect(workspace.run(publishDraft, { id: 1, planId })).rejects.toMatchObject({ code: 'plan_changed' })
    expect((await workspace.run(getDraft, { id: 1 })).publications).toEqual([])
  })
})

function preview(workspace: TestWorkspace, call: object) {
  return workspace.run(publishDraft, { ...call, dryRun: true })
}

describe('a conflict', () => {
  it('is settled with the version of one side only where both have changed the same', async () => {
    const workspace = await openWithEdit()
    await workspace.changeRemotely(STORY, {
      [DESCRIPTION]: '<p>Their own paragraph</p><p>First line</p><p>Their end</p>',
    })
    const { conflicts } = await preview(workspace, { id: 1, to: STORY })
    const [{ withDraft, withTracker }] = conflicts
    expect(withDraft).toMatch(/Their own paragraph[\s\S]*First line[\s\S]*Our end/)
    expect(withTracker).toMatch(/Their own paragraph[\s\S]*First line[\s\S]*Their end/)
  })
})

describe('a draft that is deleted while it is being published', () => {
  it.each([
    ['creates the item', {}],
    ['updates the item', { to: STORY }],
  ])('%s, and says that the draft is gone', async (_, target) => {
    const deletion = { run: async () => {} }
    const workspace = await openWithEdit(({ method, path }) =>
      (method === 'PATCH' && /workitems\/204/.test(path)) || (isCreation(path) && method === 'POST')
        ? { hold: () => deletion.run() }
        : null,
    )
    deletion.run = async () => {
      deletion.run = async () => {}
      await workspace.run(deleteDraft, { id: 1 })
    }
    const published = await workspace.run(publishDraft, { id: 1, ...target })
    expect(published.notes).toEqual(['Draft 1 was deleted meanwhile.'])
    expect((await workspace.run(getItem, { id: published.itemId })).description).toContain('Our end')
  })
})

const isCreation = (path: string) => /workitems\/(\$|%24)/.test(path) && !path.includes('validateOnly')

describe('an item whose creation was not confirmed', () => {
  const page = { 'content-type': 'text/html; charset=utf-8' }

  it.each([
    ['203 and a sign-in page', { status: 203, headers: page, body: '<html>Sign in</html>' }],
    ['200 and a sign-in page', { status: 200, headers: page, body: '<html>Sign in</html>' }],
    ['a redirection to a sign-in page', { status: 302, headers: { location: '/_signin' }, body: '' }],
  ])('is found again after %s in place of the answer', async (_, response) => {
    let isDown = true
    const workspace = await openWithEdit(({ path }) =>
      isDown && isCreation(path) ? { editResponse: () => response } : null,
    )
    await expect(workspace.run(publishDraft, { id: 1 })).rejects.toThrow()
    isDown = false
    const found = await workspace.run(publishDraft, { id: 1 })
    expect(found.notes).toEqual(['An earlier call had created this item, and its response was lost.'])
  })

  it('is found among any number of later ones of the same account', async () => {
    let isDown = true
    const workspace = await openWithEdit(({ path }) =>
      isDown && isCreation(path) ? { editResponse: () => ({ status: 203, headers: page, body: '' }) } : null,
    )
    await workspace.run(saveDraft, { id: 1, title: 'Once' })
    await expect(workspace.run(publishDraft, { id: 1 })).rejects.toThrow()
    isDown = false
    const url = `${workspace.sandbox.url}/Harbor/_apis/wit/workitems/$User%20Story?api-version=7.1`
    const body = JSON.stringify([{ op: 'add', path: '/fields/System.Title', value: 'Later' }])
    const headers = { 'content-type': 'application/json-patch+json' }
    for (let i = 0; i < 410; i++) expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(200)
    const found = await workspace.run(publishDraft, { id: 1 })
    expect(found.notes).toHaveLength(1)
    expect((await workspace.run(getItem, { id: found.itemId })).title).toBe('Once')
  })

  it('is based on what was sent, so that what the draft has got since is sent as a change', async () => {
    let now = Date.now()
    let isDown = true
    const faults: FaultPlan = ({ method, path }) => {
      if (!isDown) return null
      if (isCreation(path)) return { reset: 'after' }
      return method === 'POST' && path.includes('wiql') ? { reset: 'before' } : null
    }
    const workspace = await openTestWorkspace({ faults, clock: { now: () => now++ } })
    await workspace.run(saveDraft, { title: 'Sent', description: 'The text of then' })
    await expect(workspace.run(publishDraft, { id: 1, type: 'Bug' })).rejects.toMatchObject({ code: 'tracker_timeout' })
    await workspace.run(saveDraft, { id: 1, description: 'The text of now' })
    isDown = false
    now += 4 * 60_000
    const found = await workspace.run(publishDraft, { id: 1, type: 'Bug' })
    expect(found.notes).toEqual([expect.stringContaining('publish the draft again')])
    expect((await workspace.run(getItem, { id: found.itemId })).description).toContain('The text of then')
    const again = await workspace.run(publishDraft, { id: 1 })
    expect(again).toMatchObject({ action: 'update', changes: [{ to: 'The text of now' }] })
    expect((await workspace.run(getItem, { id: found.itemId })).description).toContain('The text of now')
  })
})
