import { describe, expect, it } from 'vitest'
import { copySanitize } from '../../../src/drafts/operations/copy-sanitize'
import { deleteDraft } from '../../../src/drafts/operations/delete-draft'
import { getDraft } from '../../../src/drafts/operations/get-draft'
import { publishDraft } from '../../../src/drafts/operations/publish-draft'
import { saveDraft } from '../../../src/drafts/operations/save-draft'
import { getItem } from '../../../src/items/operations/get-item'
import { execute, StudioError } from '../../../src/kernel'
import { openTracker } from '../../../src/tracker'
import { openTestWorkspace, type TestWorkspace } from '../../items/test-workspace'
import {
  type Fault,
  type Faults,
  refuseWith,
  resetAfter,
  resetBefore,
  respondSignInPage,
  respondUnavailable,
  throttle,
} from '../../sandbox/fault-presets'

const STORY = 204
const FIRST = '<p>First line</p><p>Call Anna at <b>+1 512 555 0199</b> first</p><p>Last line</p>'

/** A workspace with draft 1, a sanitized copy of the story. */
async function openWithCopy(faults: Faults = [], clock?: { now(): number }): Promise<TestWorkspace> {
  const workspace = await openTestWorkspace({ faults, clock })
  await workspace.changeRemotely(STORY, { 'System.Description': FIRST })
  await workspace.run(copySanitize, { id: STORY })
  return workspace
}

const readDescription = async (workspace: TestWorkspace) =>
  (await workspace.run(getItem, { id: STORY })).description as string

/** How often the sandbox has an item with the title. */
const countCreated = async (workspace: TestWorkspace, title: string) => {
  const body = JSON.stringify({ query: `SELECT [System.Id] FROM WorkItems WHERE [System.Title] = '${title}'` })
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${workspace.sandbox.url}/Harbor/_apis/wit/wiql?api-version=7.1`, {
    method: 'POST',
    headers,
    body,
  })
  return ((await response.json()) as { workItems: unknown[] }).workItems.length
}

describe('publishing to an item', () => {
  it('sends only what was changed in the draft, and keeps in the item what was removed from the copy', async () => {
    const workspace = await openWithCopy()
    const { description } = await workspace.run(getDraft, { id: 1 })
    expect(description).toContain('[phone removed]')
    const edited = description.replace('Last line', 'The very last line').replace('Call', 'Phone')
    await workspace.run(saveDraft, { id: 1, description: edited, storyPoints: 13 })
    const published = await workspace.run(publishDraft, { id: 1, to: STORY })
    expect(published.changes.map(({ field }: { field: string }) => field).sort()).toEqual([
      'Description',
      'Story Points',
    ])
    expect(published.notes).toEqual([])
    const item = await workspace.run(getItem, { id: STORY })
    expect(item.description).toContain('Phone Anna at <b>+1 512 555 0199</b> first')
    expect(item.description).toContain('The very last line')
    expect(item).toMatchObject({ storyPoints: 13, rev: published.rev })
    expect(item.title).not.toContain('Copy')
  })

  it('takes three requests if the item has not changed in the tracker, two of them for the process', async () => {
    const workspace = await openWithCopy()
    await workspace.run(saveDraft, { id: 1, title: 'Ready' })
    // A command starts without a process in its memory.
    const { url, project } = workspace.sandbox
    const tracker = openTracker({ url, project, token: null })
    const context = workspace.studio.context({ actor: { kind: 'terminal', tenant: 'default' } })
    workspace.asked()
    await execute(publishDraft, { id: 1, to: STORY }, { ...context, tracker: async () => tracker })
    await tracker.close()
    expect(workspace.asked()).toHaveLength(3)
  })

  it('warns of a mark that would replace what was removed', async () => {
    const workspace = await openWithCopy()
    const { description } = await workspace.run(getDraft, { id: 1 })
    await workspace.run(saveDraft, { id: 1, description: `${description}\n\nOr call [phone removed].` })
    const preview = await workspace.run(publishDraft, { id: 1, to: STORY, dryRun: true })
    expect(preview.notes).toEqual([
      'Description will contain “[phone removed]” in place of what was removed from the draft.',
    ])
  })

  it('merges other changes of the tracker, and remembers the result as the base of the next publication', async () => {
    const workspace = await openWithCopy()
    const { description } = await workspace.run(getDraft, { id: 1 })
    await workspace.changeRemotely(STORY, { 'System.Description': FIRST.replace('First line', 'Their first line') })
    await workspace.run(saveDraft, { id: 1, description: description.replace('Last line', 'Our last line') })
    await workspace.run(publishDraft, { id: 1, to: STORY })
    expect(await readDescription(workspace)).toMatch(/Their first line[\s\S]*555 0199[\s\S]*Our last line/)
    const again = await workspace.run(publishDraft, { id: 1 })
    expect(again).toMatchObject({ action: 'update', itemId: STORY, changes: [] })
    const draft = await workspace.run(getDraft, { id: 1 })
    expect(draft.publications).toMatchObject([{ itemId: STORY, rev: again.rev }])
  })

  it('refuses a change of the same line in the tracker, and shows both versions', async () => {
    const workspace = await openWithCopy()
    const { description } = await workspace.run(getDraft, { id: 1 })
    await workspace.changeRemotely(STORY, { 'System.Description': FIRST.replace('Last line', 'Their end') })
    await workspace.run(saveDraft, { id: 1, description: description.replace('Last line', 'Our end') })
    await expect(workspace.run(publishDraft, { id: 1, to: STORY })).rejects.toMatchObject({
      code: 'stale_revision',
      details: [{ path: 'description', now: expect.stringContaining('Their end') }],
    })
    expect(await readDescription(workspace)).toContain('Their end')
    const { conflicts } = await workspace.run(publishDraft, { id: 1, to: STORY, dryRun: true })
    expect(conflicts).toMatchObject([
      {
        property: 'description',
        merged: expect.stringMatching(/<<<<<<< draft\nOur end\n=======\nTheir end\n>>>>>>> tracker/),
      },
    ])
  })

  it.each([
    ['prefers the draft', { prefer: 'draft' }, 'Our end'],
    ['prefers the tracker', { prefer: 'tracker' }, 'Their end'],
  ])('%s', async (_, how, expected) => {
    const workspace = await openWithCopy()
    const { description } = await workspace.run(getDraft, { id: 1 })
    await workspace.changeRemotely(STORY, { 'System.Description': FIRST.replace('Last line', 'Their end') })
    await workspace.run(saveDraft, { id: 1, description: description.replace('Last line', 'Our end') })
    await workspace.run(publishDraft, { id: 1, to: STORY, ...how })
    expect(await readDescription(workspace)).toContain(expected)
  })

  it('takes a text that settles the conflict, for the version of the item that the caller has seen', async () => {
    const workspace = await openWithCopy()
    const { description } = await workspace.run(getDraft, { id: 1 })
    await workspace.changeRemotely(STORY, { 'System.Description': FIRST.replace('Last line', 'Their end') })
    await workspace.run(saveDraft, { id: 1, description: description.replace('Last line', 'Our end') })
    const settled = { id: 1, to: STORY, resolved: { description: 'Both ends' } }
    await expect(workspace.run(publishDraft, settled)).rejects.toMatchObject({ code: 'stale_revision' })
    expect(await readDescription(workspace)).toContain('Their end')
    await workspace.run(publishDraft, settled)
    expect(await readDescription(workspace)).toContain('Both ends')
  })

  it('refuses a short field that both sides changed, and sends the others if the tracker is preferred', async () => {
    const workspace = await openWithCopy()
    await workspace.changeRemotely(STORY, { 'Microsoft.VSTS.Scheduling.StoryPoints': 3 })
    await workspace.run(saveDraft, { id: 1, storyPoints: 5, title: 'New title' })
    await expect(workspace.run(publishDraft, { id: 1, to: STORY })).rejects.toMatchObject({
      details: [{ path: 'storyPoints', now: 3 }],
    })
    await workspace.run(publishDraft, { id: 1, to: STORY, prefer: 'tracker' })
    expect(await workspace.run(getItem, { id: STORY })).toMatchObject({ storyPoints: 3, title: 'New title' })
  })

  it('remembers what the draft has not seen: a later edit of it in the draft is a conflict, and a note names it', async () => {
    const workspace = await openWithCopy()
    const { description } = await workspace.run(getDraft, { id: 1 })
    await workspace.changeRemotely(STORY, {
      'System.Title': 'Their title',
      'System.Description': FIRST.replace('First line', 'Their first line'),
    })
    const edited = description.replace('Last line', 'Our last line')
    await workspace.run(saveDraft, { id: 1, description: edited, storyPoints: 13 })
    const published = await workspace.run(publishDraft, { id: 1, to: STORY })
    expect(published.notes).toEqual([
      'Title was changed in the tracker, and draft 1 has an older value, which was not sent.',
    ])
    // Publishing without a change must not forget it either.
    await workspace.run(publishDraft, { id: 1 })
    await workspace.run(saveDraft, { id: 1, title: 'Our title', description: edited.replace('First', 'Our first') })
    await expect(workspace.run(publishDraft, { id: 1 })).rejects.toMatchObject({
      details: [
        { path: 'title', now: 'Their title' },
        { path: 'description', now: expect.stringContaining('Their first line') },
      ],
    })
  })

  it('publishes a draft that was not copied, without clearing what it lacks', async () => {
    const workspace = await openTestWorkspace()
    const before = await workspace.run(getItem, { id: STORY })
    await workspace.run(saveDraft, { title: 'Written by hand', description: '**New** text' })
    await expect(workspace.run(publishDraft, { id: 1, to: STORY })).rejects.toMatchObject({
      code: 'stale_revision',
      details: [{ path: 'title' }, { path: 'description' }],
    })
    await workspace.run(publishDraft, { id: 1, to: STORY, prefer: 'draft' })
    expect(await workspace.run(getItem, { id: STORY })).toMatchObject({
      title: 'Written by hand',
      description: expect.stringContaining('<strong>New</strong> text'),
      acceptanceCriteria: before.acceptanceCriteria,
      tags: before.tags,
    })
  })

  it.each([
    ['a lost response', [{ method: 'PATCH', nth: 1, fault: resetAfter() }]],
    ['a pause of the tracker', [{ method: 'PATCH', nth: 1, fault: throttle(0) }]],
    ['an unavailable tracker', [{ method: 'PATCH', nth: 1, fault: respondUnavailable() }]],
  ] as const)('applies the change once after %s', async (_, faults) => {
    const workspace = await openWithCopy([...faults].map((rule) => ({ ...rule, path: /workitems\/204/, nth: 2 })))
    const { rev } = await workspace.run(getItem, { id: STORY })
    await workspace.run(saveDraft, { id: 1, title: 'Sent once' })
    await workspace.run(publishDraft, { id: 1, to: STORY })
    expect(await workspace.run(getItem, { id: STORY })).toMatchObject({ title: 'Sent once', rev: rev + 1 })
  })
})

describe('publishing to an item that the tracker does not let be changed', () => {
  /** A workspace with an edited copy, whose story the tracker answers for in this way when it is changed. */
  const openWithRefusal = async (fault: Fault | null) => {
    const faults: Faults = ({ method, path }) =>
      method === 'PATCH' && /workitems\/204/.test(path) && isOn ? fault : null
    let isOn = false
    const workspace = await openWithCopy(faults)
    await workspace.run(saveDraft, { id: 1, title: 'New title' })
    isOn = true
    return workspace
  }
  const advice = expect.arrayContaining([expect.objectContaining({ input: { id: 1, asNew: true } })])

  it.each([
    ['a send', false],
    ['a dry run', true],
  ])('is not_found if it was deleted, and says how to create another one: %s', async (_, dryRun) => {
    const workspace = await openWithRefusal(null)
    await workspace.removeRemotely(STORY)
    await expect(workspace.run(publishDraft, { id: 1, to: STORY, dryRun })).rejects.toMatchObject({
      code: 'not_found',
      hint: advice,
    })
  })

  it.each([
    [404, 'WorkItemUnauthorizedAccessException', 'not_found'],
    [403, 'AccessDeniedException', 'tracker_forbidden'],
    [500, 'VssServiceException', 'tracker_answer'],
    [400, 'RuleValidationException', 'invalid'],
  ])('reports %i of the tracker as what it is', async (status, type, code) => {
    const workspace = await openWithRefusal(refuseWith(status, type, 'TF0: because.'))
    await expect(workspace.run(publishDraft, { id: 1, to: STORY })).rejects.toMatchObject({
      code,
      message: expect.stringMatching(/^Work item 204 was not updated\. because\./),
    })
  })
})

describe('publishing a new item', () => {
  it('creates it below the parent with its area and iteration, and remembers where', async () => {
    const workspace = await openWithCopy()
    await workspace.run(saveDraft, { id: 1, title: 'A new story', areaPath: null, iterationPath: null })
    const published = await workspace.run(publishDraft, { id: 1, parentId: 101 })
    const parent = await workspace.run(getItem, { id: 101 })
    const item = await workspace.run(getItem, { id: published.itemId })
    expect(item).toMatchObject({
      type: 'User Story',
      title: 'A new story',
      parentId: 101,
      areaPath: parent.areaPath,
      iterationPath: parent.iterationPath,
      rev: published.rev,
    })
    expect(item.description).toContain('[phone removed]')
    const { publications } = await workspace.run(getDraft, { id: 1 })
    expect(publications).toMatchObject([{ itemId: published.itemId, rev: published.rev }])
  })

  it('leaves no marker in the item', async () => {
    const workspace = await openWithCopy()
    const { itemId } = await workspace.run(publishDraft, { id: 1 })
    const response = await fetch(
      `${workspace.sandbox.url}/_apis/wit/workitems/${itemId}?$expand=relations&api-version=7.1`,
    )
    expect(((await response.json()) as { relations?: unknown[] }).relations ?? []).toEqual([])
  })

  it('updates the item that it created when it is published again', async () => {
    const workspace = await openWithCopy()
    const { itemId } = await workspace.run(publishDraft, { id: 1 })
    await workspace.run(saveDraft, { id: 1, title: 'Changed since' })
    const again = await workspace.run(publishDraft, { id: 1 })
    expect(again).toMatchObject({ action: 'update', itemId, changes: [{ field: 'Title', to: 'Changed since' }] })
    const another = await workspace.run(publishDraft, { id: 1, asNew: true })
    expect(another.itemId).not.toBe(itemId)
  })

  it('sends nothing in a dry run, but lets the tracker check the item', async () => {
    const workspace = await openWithCopy()
    await workspace.run(saveDraft, { id: 1, title: 'Only checked' })
    const preview = await workspace.run(publishDraft, { id: 1, dryRun: true })
    expect(preview).toMatchObject({ itemId: null, type: 'User Story' })
    expect(await countCreated(workspace, 'Only checked')).toBe(0)
  })

  it('refuses a type, a parent or a value that the process does not allow', async () => {
    const workspace = await openWithCopy()
    await expect(workspace.run(publishDraft, { id: 1, type: 'Nope' })).rejects.toMatchObject({ code: 'invalid' })
    await expect(workspace.run(publishDraft, { id: 1, type: 'Feature', parentId: 204 })).rejects.toMatchObject({
      message: expect.stringContaining('cannot be the parent of'),
    })
    await expect(workspace.run(publishDraft, { id: 1, type: 'Task' })).rejects.toMatchObject({
      details: [{ path: 'acceptanceCriteria' }, { path: 'storyPoints', message: 'is not a field of a Task' }],
    })
    await workspace.run(saveDraft, { title: 'By hand' })
    await expect(workspace.run(publishDraft, { id: 2 })).rejects.toMatchObject({ details: [{ path: 'type' }] })
    expect(workspace.sandbox.requests.some(({ path }) => /workitems\/\$/.test(path))).toBe(false)
  })

  it.each([
    ['a lost response', resetAfter()],
    ['an unavailable tracker', respondUnavailable()],
    ['a pause of the tracker', throttle(0)],
  ])('creates one item after %s', async (_, fault) => {
    const workspace = await openWithCopy([{ method: 'POST', path: /workitems\/(\$|%24)/, nth: 1, fault }])
    await workspace.run(saveDraft, { id: 1, title: 'Created once' })
    const { itemId } = await workspace.run(publishDraft, { id: 1 })
    expect(await countCreated(workspace, 'Created once')).toBe(1)
    expect((await workspace.run(getItem, { id: itemId })).title).toBe('Created once')
  })

  it('looks for the item before it sends the draft again, if a call did not learn the result', async () => {
    let now = Date.now()
    // The response is lost, and so are the answers to the queries that look for the item.
    let isDown = true
    const faults: Faults = ({ method, path }) => {
      if (!isDown) return null
      if (/workitems\/(\$|%24)/.test(path)) return resetAfter()
      return method === 'POST' && path.includes('wiql') ? resetBefore() : null
    }
    const workspace = await openWithCopy(faults, { now: () => now++ })
    await workspace.run(saveDraft, { id: 1, title: 'Created once' })
    await expect(workspace.run(publishDraft, { id: 1 })).rejects.toMatchObject({ code: 'tracker_timeout' })
    isDown = false
    await expect(workspace.run(publishDraft, { id: 1 })).rejects.toMatchObject({ code: 'conflict' })
    now += 4 * 60_000
    const published = await workspace.run(publishDraft, { id: 1 })
    expect(published.notes).toEqual(['An earlier call had created this item, and its response was lost.'])
    expect(await countCreated(workspace, 'Created once')).toBe(1)
  })

  it('finds the item again if the workspace could not be written after it was created', async () => {
    let now = Date.now()
    let isCreated = false
    const workspace = await openWithCopy(
      ({ path }) => {
        if (/workitems\/(\$|%24)/.test(path) && !path.includes('validateOnly')) isCreated = true
        return null
      },
      { now: () => now++ },
    )
    await workspace.run(saveDraft, { id: 1, title: 'Created once' })
    const context = workspace.studio.context({ actor: { kind: 'terminal', tenant: 'default' } })
    const { db } = context
    const fullDisk: typeof db = {
      ...db,
      read: (work) => db.read(work),
      write: (work, options) =>
        isCreated ? Promise.reject(new StudioError('disk_full', 'The disk is full.')) : db.write(work, options),
      close: () => db.close(),
    }
    await expect(execute(publishDraft, { id: 1 }, { ...context, db: fullDisk })).rejects.toMatchObject({
      code: 'disk_full',
    })
    now += 4 * 60_000
    const published = await workspace.run(publishDraft, { id: 1 })
    expect(published.notes).toHaveLength(1)
    expect(await countCreated(workspace, 'Created once')).toBe(1)
  })

  it('can be repeated at once after a sign-in page, because nothing was created', async () => {
    const workspace = await openWithCopy([
      { method: 'POST', path: /workitems\/(\$|%24)/, nth: 1, fault: respondSignInPage() },
    ])
    await workspace.run(saveDraft, { id: 1, title: 'Created once' })
    await expect(workspace.run(publishDraft, { id: 1 })).rejects.toMatchObject({ code: 'tracker_token' })
    await workspace.run(publishDraft, { id: 1 })
    expect(await countCreated(workspace, 'Created once')).toBe(1)
  })

  it('creates one item for two calls at once', async () => {
    const workspace = await openWithCopy()
    await workspace.run(saveDraft, { id: 1, title: 'Created once' })
    const calls = await Promise.allSettled([1, 2, 3].map(() => workspace.run(publishDraft, { id: 1 })))
    expect(calls.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThanOrEqual(1)
    expect(await countCreated(workspace, 'Created once')).toBe(1)
  })

  it('can be deleted after it was published', async () => {
    const workspace = await openWithCopy()
    await workspace.run(publishDraft, { id: 1 })
    await workspace.run(deleteDraft, { id: 1 })
    await expect(workspace.run(getDraft, { id: 1 })).rejects.toMatchObject({ code: 'not_found' })
  })
})
