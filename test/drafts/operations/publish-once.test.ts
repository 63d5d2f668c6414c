import { expect, it } from 'vitest'
import { publishDraft } from '../../../src/drafts/operations/publish-draft'
import { saveDraft } from '../../../src/drafts/operations/save-draft'
import { getItem } from '../../../src/items/operations/get-item'
import { inspectCreations } from '../../../src/items/services/create/inspect-creations'
import { files } from '../../docks/attachments/attachment-files'
import { openTestWorkspace } from '../../items/test-workspace'
import { type FaultPlan, respondSignInPage, respondUnavailable } from '../../sandbox/fault-presets'

const isCreation = (path: string) => /workitems\/(\$|%24)/.test(path) && !path.includes('validateOnly')

/** Holds one request, chosen by the test, until the test releases it. */
function holdOne() {
  let arrive = () => {}
  let release = () => {}
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve
  })
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const held = { matches: null as ((path: string) => boolean) | null, arrived, release }
  const plan: FaultPlan = ({ path }) => {
    if (!held.matches?.(path)) return null
    held.matches = null
    return {
      hold: async () => {
        arrive()
        await released
      },
    }
  }
  return { held, plan }
}

it('creates one item if another call finds the creation unfinished while this one still looks for the item', async () => {
  let now = Date.now()
  let isDown = true
  const { held, plan } = holdOne()
  const faults: FaultPlan = (request) => (isDown && isCreation(request.path) ? respondSignInPage() : plan(request))
  const workspace = await openTestWorkspace({ faults, clock: { now: () => now++ } })
  await workspace.run(saveDraft, { title: 'Once' })
  const publish = () => workspace.run(publishDraft, { id: 1, type: 'Bug' })
  await expect(publish()).rejects.toMatchObject({ code: 'tracker_token' })
  isDown = false
  held.matches = (path) => path.includes('wiql')
  const slow = publish()
  await held.arrived
  now += 4 * 60_000
  await publish()
  held.release()
  await expect(slow).rejects.toMatchObject({ code: 'conflict' })
  expect(workspace.sandbox.requests.filter(({ path }) => isCreation(path))).toHaveLength(2)
})

it('creates one item if another call has published the draft while this one reads the parent', async () => {
  const { held, plan } = holdOne()
  const workspace = await openTestWorkspace({ faults: plan })
  await workspace.run(saveDraft, { title: 'Once' })
  const publish = () => workspace.run(publishDraft, { id: 1, type: 'User Story', parentId: 101 })
  held.matches = (path) => path.includes('workitemsbatch')
  const slow = publish()
  await held.arrived
  const { itemId } = await publish()
  held.release()
  await expect(slow).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining(String(itemId)) })
  expect(workspace.sandbox.requests.filter(({ path }) => isCreation(path))).toHaveLength(1)
})

it('carries out the plan for an item that still has its marker', async () => {
  let isDown = true
  const faults: FaultPlan = ({ method, path }) =>
    isDown && method === 'PATCH' && /workitems\/\d+/.test(path) ? respondUnavailable() : null
  const workspace = await openTestWorkspace({ faults })
  await workspace.run(saveDraft, { title: 'Marked' })
  const { itemId } = await workspace.run(publishDraft, { id: 1, type: 'Bug' })
  isDown = false
  await workspace.run(saveDraft, { id: 1, title: 'Changed since' })
  const { planId } = await workspace.run(publishDraft, { id: 1, dryRun: true })
  await workspace.run(publishDraft, { id: 1, planId })
  const { db } = workspace.studio.context({ actor: { kind: 'terminal', tenant: 'default' } })
  expect(await inspectCreations(db)).toEqual([])
  expect((await workspace.run(getItem, { id: itemId })).title).toBe('Changed since')
})

it('goes on without a conflict if an earlier call ended before the marker of the new item was gone', async () => {
  const { held, plan } = holdOne()
  const workspace = await openTestWorkspace({ faults: plan })
  const image = { path: 'shot.png', content: files.png.toString('base64') }
  await workspace.run(saveDraft, { title: 'Once', description: 'Before ![x](./shot.png)', files: [image] })
  held.matches = (path) => /workitems\/5\d\d/.test(path)
  const ended = workspace.run(publishDraft, { id: 1, type: 'Bug' }).catch(() => null)
  await held.arrived
  await workspace.run(saveDraft, { id: 1, storyPoints: 3 })
  const { itemId, conflicts } = await workspace.run(publishDraft, { id: 1 })
  expect(conflicts).toEqual([])
  const { description, storyPoints } = await workspace.run(getItem, { id: itemId })
  expect(storyPoints).toBe(3)
  expect(description).toMatch(/Before <img [^>]*attachments/)
  held.release()
  await ended
  expect(workspace.sandbox.requests.filter(({ path }) => isCreation(path))).toHaveLength(1)
})
