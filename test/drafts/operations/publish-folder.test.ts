import { beforeEach, describe, expect, it } from 'vitest'
import { copySanitize } from '../../../src/drafts/operations/copy-sanitize'
import { createFolder } from '../../../src/drafts/operations/create-folder'
import { publishDraft } from '../../../src/drafts/operations/publish-draft'
import { publishTree } from '../../../src/drafts/operations/publish-tree'
import { saveDraft } from '../../../src/drafts/operations/save-draft'
import { getItem } from '../../../src/items/operations/get-item'
import { importFeature } from '../../../src/items/operations/import/import-feature'
import { files } from '../../docks/attachments/attachment-files'
import { openTestWorkspace, type TestWorkspace } from '../../items/test-workspace'
import { type FaultPlan, resetAfter, respondUnavailable } from '../../sandbox/fault-presets'
import { listCreated } from '../list-created'

const creation = /workitems\/(\$|%24)/

let workspace: TestWorkspace
let fault: FaultPlan
let clock: { time: number; now(): number }
let folderId: number
const publish = (more: object = {}) => workspace.run(publishTree, { folderId, parentId: 101, ...more })
const save = (draft: object) => workspace.run(saveDraft, { folderId, ...draft })

beforeEach(async () => {
  fault = () => null
  clock = { time: Date.now(), now: () => clock.time }
  workspace = await openTestWorkspace({ clock, faults: (request) => fault(request) })
  await workspace.run(importFeature, { featureId: 101 })
  folderId = (await workspace.run(createFolder, { name: 'Zebras' })).id
  const inner = await workspace.run(createFolder, { name: 'Inner', parentId: folderId })
  await save({ title: 'Zebra kiosk', storyPoints: 5, fields: { Risk: '2 - medium' } })
  await save({ title: 'Zebra board' })
  await save({ title: 'Zebra screen', folderId: inner.id })
  await save({ title: 'Elsewhere', folderId: 1 })
})

describe('publishing the drafts of a folder', () => {
  it('creates an item of each draft in it and below it, under the parent, once', async () => {
    const plan = await publish({ dryRun: true })
    expect(plan.nodes.map(({ place, title, action }: any) => [place, title, action])).toEqual([
      ['draft 1', 'Zebra kiosk', 'create'],
      ['draft 2', 'Zebra board', 'create'],
      ['draft 3', 'Zebra screen', 'create'],
    ])
    const { nodes, created } = await publish({ planId: plan.planId })
    expect(created).toBe(3)
    expect(await workspace.run(getItem, { id: nodes[0].itemId })).toMatchObject({
      type: 'User Story',
      parentId: 101,
      storyPoints: 5,
      customFields: { Risk: '2 - Medium' },
    })
    workspace.asked()
    expect(await publish()).toMatchObject({ created: 0, unchanged: 3 })
    expect(workspace.asked().filter((request) => creation.test(request))).toEqual([])
  })

  it('updates what was changed in the drafts, also of those that were published alone', async () => {
    const { itemId } = await workspace.run(publishDraft, { id: 2, type: 'Bug' })
    await save({ id: 2, title: 'Zebra boards' })
    expect(await publish()).toMatchObject({ created: 2, updated: 1 })
    expect(await workspace.run(getItem, { id: itemId })).toMatchObject({ title: 'Zebra boards', type: 'Bug' })
  })

  it('gives a copy the type of its original, as a new item', async () => {
    const { id } = await workspace.run(copySanitize, { id: 204, folderId })
    const { nodes } = await publish({ parentId: undefined, dryRun: true })
    const original = await workspace.run(getItem, { id: 204 })
    expect(nodes.find(({ place }: any) => place === `draft ${id}`)).toMatchObject({ type: original.type, itemId: null })
  })

  it('names all that is wrong before anything is sent', async () => {
    await save({ id: 1, fields: { Risk: 'Bogus', Rsk: 1 } })
    await expect(publish()).rejects.toMatchObject({
      code: 'invalid',
      details: [
        { path: 'draft 1', message: expect.stringContaining('Rsk: is not a field of this tracker') },
        { path: 'draft 1', message: expect.stringMatching(/^Risk: .*1 - High/) },
      ],
    })
    expect(workspace.asked().filter((request) => creation.test(request))).toEqual([])
  })

  it('leaves a draft in conflict as it is, and publishes the others', async () => {
    const { nodes } = await publish()
    await workspace.changeRemotely(nodes[0].itemId, { 'Microsoft.VSTS.Scheduling.StoryPoints': 1 })
    await save({ id: 1, storyPoints: 8 })
    await save({ id: 2, title: 'Zebra boards' })
    const answer = await publish()
    expect(answer).toMatchObject({ updated: 1, failed: 1, unchanged: 1 })
    expect(answer.nodes[0]).toMatchObject({ status: 'conflict', message: expect.stringContaining('--theirs') })
    expect(await publish({ prefer: 'tracker' })).toMatchObject({ failed: 0 })
    expect(await workspace.run(getItem, { id: nodes[0].itemId })).toMatchObject({ storyPoints: 1 })
  })

  it.each([
    ['the tracker is unavailable', respondUnavailable()],
    ['a response is lost', resetAfter()],
  ])('goes on where it stopped, if %s', async (_, what) => {
    for (const stopsAt of [1, 2, 3]) {
      await save({ title: `Zebra ${stopsAt}` })
      let count = 0
      fault = ({ path, method }) => {
        if (creation.test(path)) count += 1
        return count >= stopsAt && (creation.test(path) || method === 'POST') ? what : null
      }
      await publish().catch(() => {})
      fault = () => null
      clock.time += 10 * 60_000
      expect(await publish()).toMatchObject({ failed: 0, notAttempted: 0 })
    }
    expect(await publish()).toMatchObject({ created: 0, unchanged: 6 })
    expect(await listCreated(workspace)).toEqual(
      ['Zebra 1', 'Zebra 2', 'Zebra 3', 'Zebra board', 'Zebra kiosk', 'Zebra screen'].sort(),
    )
  })

  it('says when to try again what another call is publishing', async () => {
    let second: Promise<any> | null = null
    fault = ({ path }) => {
      if (second !== null || !creation.test(path)) return null
      second = publish()
      return { hold: () => second! }
    }
    const [first] = (await publish()).nodes
    const [busy] = (await second!).nodes
    expect(busy).toMatchObject({ status: 'conflict', message: expect.stringMatching(/\. Try again in \d+ s\.$/) })
    expect(first).toMatchObject({ status: 'created' })
    expect(await publish()).toMatchObject({ unchanged: 3 })
    expect(await listCreated(workspace)).toEqual(['Zebra board', 'Zebra kiosk', 'Zebra screen'])
  })

  it('attaches the images of the drafts', async () => {
    const image = { path: 'shot.png', content: files.png.toString('base64') }
    await save({ id: 2, description: '![x](./shot.png)', files: [image] })
    const { nodes } = await publish()
    const { description } = await workspace.run(getItem, { id: nodes[1].itemId })
    expect(description).toContain('<img')
    expect(await publish()).toMatchObject({ unchanged: 3 })
  })

  it('refuses an empty folder, a folder with files, and neither', async () => {
    const { id } = await workspace.run(createFolder, { name: 'Empty' })
    await expect(publish({ folderId: id })).rejects.toMatchObject({ message: `Folder ${id} has no drafts.` })
    await expect(publish({ files: [{ name: 'a.md', text: '# A' }] })).rejects.toMatchObject({ code: 'invalid' })
    await expect(workspace.run(publishTree, {})).rejects.toMatchObject({ code: 'invalid' })
    await expect(publish({ folderId: 99 })).rejects.toMatchObject({ code: 'not_found' })
  })

  it('leaves an unfinished item of a file to that file, which has its parent', async () => {
    fault = ({ path, body }) => (creation.test(path) && body.includes('Zebra mount') ? respondUnavailable() : null)
    const file = { name: 'zebra.md', text: '# Zebra order\n- [ ] Zebra mount\n' }
    await workspace.run(publishTree, { files: [file] })
    fault = () => null
    const { problems } = await publish({ folderId: 1, dryRun: true, parentId: undefined })
    expect(problems).toEqual([
      { path: expect.stringMatching(/^draft \d+$/), message: expect.stringContaining('is part of zebra.md') },
    ])
  })
})
