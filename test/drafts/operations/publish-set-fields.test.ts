import { describe, expect, it } from 'vitest'
import { copySanitize } from '../../../src/drafts/operations/copy-sanitize'
import { getDraft } from '../../../src/drafts/operations/get-draft'
import { publishDraft } from '../../../src/drafts/operations/publish-draft'
import { saveDraft } from '../../../src/drafts/operations/save-draft'
import { getItem } from '../../../src/items/operations/get-item'
import { openTestWorkspace } from '../../items/test-workspace'
import { type Faults, resetAfter, resetBefore } from '../../sandbox/fault-presets'

const STORY = 204
const PRIORITY = 'Microsoft.VSTS.Common.Priority'

/** A workspace with draft 1, a copy of the story. */
async function openWithCopy(faults: Faults = [], clock?: { now(): number }) {
  const workspace = await openTestWorkspace({ faults, clock })
  await workspace.changeRemotely(STORY, { 'System.State': 'New', [PRIORITY]: 2 })
  await workspace.run(copySanitize, { id: STORY })
  const read = (id = STORY) => workspace.run(getItem, { id })
  return { ...workspace, read, publish: (input: object) => workspace.run(publishDraft, { id: 1, ...input }) }
}

describe('an image that is a file of this machine', () => {
  it.each([
    ['on an item', { to: STORY }],
    ['on a new item', {}],
  ])('is refused before anything is sent: %s', async (_, call) => {
    const { run, publish } = await openWithCopy()
    await run(saveDraft, { id: 1, title: 'New title', description: 'Look: ![x](./shot.png)' })
    await expect(publish(call)).rejects.toMatchObject({
      code: 'invalid',
      details: [{ message: expect.stringMatching(/shot\.png is a file of this machine.*attach it in the tracker/) }],
    })
  })
})

describe('fields that a publication sets besides the draft', () => {
  it('are sent with the changes of the draft, and shown before', async () => {
    const { run, read, publish } = await openWithCopy()
    await run(saveDraft, { id: 1, title: 'New title' })
    const call = { to: STORY, updates: { state: 'active', Priority: '1', tags: ['gate', 'lamp'] } }
    const shown = await publish({ ...call, dryRun: true })
    expect(shown.changes).toMatchObject([
      { field: 'State', from: 'New', to: 'Active' },
      { field: 'Priority', from: 2, to: 1 },
      { field: 'Tags', from: 'gate; messaging', to: 'gate; lamp' },
      { field: 'Title', to: 'New title' },
    ])
    await publish({ ...call, planId: shown.planId })
    expect(await read()).toMatchObject({ title: 'New title', state: 'Active', priority: 1, tags: ['gate', 'lamp'] })
  })

  it('belong to the plan: one with other fields is another one', async () => {
    const { publish } = await openWithCopy()
    const { planId } = await publish({ to: STORY, updates: { Priority: 1 }, dryRun: true })
    await expect(publish({ to: STORY, updates: { Priority: 3 }, planId })).rejects.toMatchObject({
      code: 'plan_changed',
    })
  })

  it('belong to that call alone: the next one leaves them as they are in the tracker', async () => {
    const { run, read, publish, changeRemotely } = await openWithCopy()
    await publish({ to: STORY, updates: { State: 'Active', Tags: 'lamp' } })
    await changeRemotely(STORY, { 'System.State': 'Resolved' })
    await run(saveDraft, { id: 1, title: 'Again' })
    expect(await publish({})).toMatchObject({ changes: [{ field: 'Title' }], conflicts: [] })
    expect(await read()).toMatchObject({ title: 'Again', state: 'Resolved', tags: ['lamp'] })
    expect(await run(getDraft, { id: 1 })).toMatchObject({ tags: 'gate; messaging' })
    // The tags of the draft have not been changed since, so its next edit of them is no conflict.
    await run(saveDraft, { id: 1, tags: 'gate; clock' })
    await publish({})
    expect(await read()).toMatchObject({ tags: ['gate', 'clock'] })
  })

  it.each([
    ['a field that no draft has', 'State', { 'System.State': 'Resolved' }, 'Active', 'System.State'],
    ['a field of drafts', 'Story Points', { 'Microsoft.VSTS.Scheduling.StoryPoints': 2 }, 3, 'storyPoints'],
  ])('are a conflict if somebody else has changed the same since the copy: %s', async (...args) => {
    const [, name, theirs, value, property] = args
    const { run, read, publish, changeRemotely } = await openWithCopy()
    await changeRemotely(STORY, theirs)
    await run(saveDraft, { id: 1, title: 'New title' })
    const call = { to: STORY, updates: { [name]: value } }
    await expect(publish(call)).rejects.toMatchObject({
      code: 'stale_revision',
      details: [{ path: property, now: Object.values(theirs)[0], draft: value }],
    })
    const before = await read()
    expect((await publish({ ...call, prefer: 'tracker' })).notes).toEqual([
      `${name} was changed in the tracker, so its new value was not sent.`,
    ])
    expect(await read()).toMatchObject({ title: 'New title', state: before.state, storyPoints: before.storyPoints })
  })

  it.each([
    ['the version of the draft', { prefer: 'draft' }, 'Active'],
    ['a value for the conflict', { resolved: { 'System.State': 'Closed' } }, 'Closed'],
  ])('settle a conflict with %s', async (_, how, expected) => {
    const { read, publish, changeRemotely } = await openWithCopy()
    await changeRemotely(STORY, { 'System.State': 'Resolved' })
    const call = { to: STORY, updates: { State: 'Active' } }
    const preview = await publish({ ...call, ...how, dryRun: true })
    await publish({ ...call, ...how, planId: preview.planId })
    expect(await read()).toMatchObject({ state: expected })
  })

  it('are a conflict without a common version, unless the item has none', async () => {
    const { run, publish, changeRemotely } = await openWithCopy()
    await changeRemotely(205, { [PRIORITY]: 3, 'System.Tags': '' })
    const { title } = await run(getItem, { id: 205 })
    await run(saveDraft, { id: 1, title, description: null, acceptanceCriteria: null, storyPoints: null, tags: null })
    const { conflicts } = await publish({ to: 205, updates: { Priority: 1, Tags: 'lamp' }, dryRun: true })
    expect(conflicts.map(({ property }: { property: string }) => property)).toContain(PRIORITY)
    expect(conflicts.map(({ property }: { property: string }) => property)).not.toContain('tags')
  })

  it('are refused all at once, and a text of the draft too', async () => {
    const { publish } = await openWithCopy()
    const updates = { Nope: 1, State: 'Bogus', Priority: 9 }
    for (const call of [{ to: STORY }, {}])
      await expect(publish({ ...call, updates })).rejects.toMatchObject({
        code: 'invalid',
        details: [{ path: 'updates.Nope' }, { path: 'updates.State' }, { path: 'updates.Priority' }],
      })
    for (const call of [{ to: STORY }, {}])
      await expect(publish({ ...call, updates: { Title: 'x' } })).rejects.toMatchObject({
        details: [{ path: 'updates.Title', message: 'is a text of the draft' }],
      })
    await expect(publish({ to: STORY, updates: { Parent: 101 } })).rejects.toMatchObject({ code: 'invalid' })
  })

  it('are values of a new item, which override those of the draft', async () => {
    const { run, read, publish } = await openWithCopy()
    await run(saveDraft, { id: 1, title: 'A new story', storyPoints: 5 })
    const call = { updates: { Priority: 1, points: 8, Parent: 101 }, fields: { Tags: 'lamp' } }
    const shown = await publish({ ...call, dryRun: true })
    const { itemId } = await publish({ ...call, planId: shown.planId })
    expect(await read(itemId)).toMatchObject({
      title: 'A new story',
      priority: 1,
      storyPoints: 8,
      tags: ['lamp'],
      parentId: 101,
    })
  })

  it('are asked for if the tracker requires them: the error names the field, its values and the flag', async () => {
    const { run, publish } = await openWithCopy([
      {
        path: /workitemtypes\?/,
        fault: {
          editResponse: (answer) => ({
            ...answer,
            body: answer.body.replaceAll(
              /"alwaysRequired":false,"defaultValue":[^,]*,("allowedValues":[^\]]*\],"referenceName":"Microsoft.VSTS.Common.Priority")/g,
              '"alwaysRequired":true,"defaultValue":null,$1',
            ),
          }),
        },
      },
    ])
    await run(saveDraft, { id: 1, title: 'A new story' })
    await expect(publish({})).rejects.toMatchObject({
      code: 'invalid',
      details: [{ path: 'updates.Priority', message: 'is required for a User Story; use one of 1, 2, 3, 4' }],
    })
    expect(await publish({ updates: { Priority: 2 } })).toMatchObject({ action: 'create' })
  })

  it('are named by the error if a rule of the process requires them', async () => {
    const customProperties = {
      RuleValidationErrors: [{ fieldReferenceName: PRIORITY, errorMessage: 'TF401320: Priority is required.' }],
    }
    const body = JSON.stringify({ typeKey: 'RuleValidationException', message: 'A rule.', customProperties })
    const refusal = { respond: () => ({ status: 400, headers: { 'content-type': 'application/json' }, body }) }
    let isOn = false
    const { run, publish } = await openWithCopy(({ method, path }) =>
      isOn && (method === 'PATCH' || /workitems\/(\$|%24)/.test(path)) ? refusal : null,
    )
    await run(saveDraft, { id: 1, title: 'New title' })
    isOn = true
    for (const call of [{ to: STORY }, {}, { dryRun: true }])
      await expect(publish(call)).rejects.toMatchObject({
        code: 'invalid',
        details: [
          { path: 'updates.Priority', message: expect.stringMatching(/is required\. Use one of 1, 2, 3, 4\.$/) },
        ],
      })
  })

  it('are named if an earlier call has created the item with others', async () => {
    let now = Date.now()
    let isDown = true
    const { run, publish } = await openWithCopy(
      ({ method, path }) => {
        if (!isDown) return null
        if (/workitems\/(\$|%24)/.test(path)) return resetAfter()
        return method === 'POST' && path.includes('wiql') ? resetBefore() : null
      },
      { now: () => now++ },
    )
    await run(saveDraft, { id: 1, title: 'Created once' })
    await expect(publish({ updates: { Priority: 1 } })).rejects.toMatchObject({ code: 'tracker_timeout' })
    isDown = false
    now += 4 * 60_000
    const { notes } = await publish({ updates: { Priority: 3, Tags: 'gate' } })
    expect(notes).toContain('It may have other values of Priority, Tags: publish the draft again to set them.')
  })
})
