import { describe, expect, it } from 'vitest'
import { deleteDraft } from '../../../src/drafts/operations/delete-draft'
import { listDrafts } from '../../../src/drafts/operations/list-drafts'
import { publishTree } from '../../../src/drafts/operations/publish-tree'
import { getItem } from '../../../src/items/operations/get-item'
import { openTestWorkspace, type TestWorkspace } from '../../items/test-workspace'
import { refuseWith, resetAfter, resetBefore, respondUnavailable } from '../../sandbox/fault-presets'
import { listCreated } from '../list-created'

const TEXT = `# Zebra feature
tags: zebra; gate

What it is *for*.

## Zebra kiosk
points: 5
Risk: 2 - medium

The driver checks in.

- [ ] Zebra order
  assignee: mei.tanaka@quayside.example
- [ ] Zebra mount
- [x] Zebra done

### Acceptance criteria

- [ ] in 4 minutes

## Zebra board

- [ ] Zebra screen
`
const TITLES = ['Zebra feature', 'Zebra kiosk', 'Zebra order', 'Zebra mount', 'Zebra board', 'Zebra screen']

const fileOf = (text: string) => ({ files: [{ name: 'zebra.md', text }] })
const publish = (workspace: TestWorkspace, text = TEXT, more: object = {}) =>
  workspace.run(publishTree, { ...fileOf(text), ...more })
const statusesOf = ({ nodes }: { nodes: { status: string }[] }) => nodes.map(({ status }) => status)

const ALL = [...TITLES].sort()

describe('publishing a tree', () => {
  it('creates headings and boxes as items with the types of their levels, below each other', async () => {
    const workspace = await openTestWorkspace()
    const { nodes, created, failed } = await publish(workspace)
    expect({ created, failed }).toEqual({ created: 6, failed: 0 })
    expect(nodes.map(({ type, depth }: any) => [type, depth])).toEqual([
      ['Feature', 0],
      ['User Story', 1],
      ['Task', 2],
      ['Task', 2],
      ['User Story', 1],
      ['Task', 2],
    ])
    const read = (index: number) => workspace.run(getItem, { id: nodes[index].itemId })
    expect(await read(0)).toMatchObject({ title: 'Zebra feature', tags: ['zebra', 'gate'], parentId: null })
    expect(await read(1)).toMatchObject({
      parentId: nodes[0].itemId,
      storyPoints: 5,
      description: '<p>The driver checks in.</p>',
      acceptanceCriteria: expect.stringContaining('in 4 minutes'),
      customFields: { Risk: '2 - Medium' },
    })
    expect(await read(2)).toMatchObject({ parentId: nodes[1].itemId, assignedTo: { displayName: 'Mei Tanaka' } })
    expect(await listCreated(workspace)).toEqual(ALL)
  })

  it('shows the plan and every problem of all items before anything is sent', async () => {
    const workspace = await openTestWorkspace()
    const wrong = TEXT.replace('Risk: 2 - medium', 'Risk: huge\nRsik: 1').replace('points: 5', 'points: many')
    const plan = await publish(workspace, `${wrong}\n# Zebra other\ntype: Stroy\n`, { dryRun: true })
    expect(plan.problems.map(({ path, message }: any) => `${path} ${message}`)).toEqual([
      expect.stringMatching(/^zebra\.md:\d+ "Stroy" is not a type/),
      expect.stringMatching(/^zebra\.md:6 points: must be a number/),
      expect.stringMatching(/^zebra\.md:6 .*Rsik.*did you mean "Risk"/),
      expect.stringMatching(/^zebra\.md:6 Risk: "huge" is not a value of a User Story; use one of 1 - High/),
    ])
    expect(statusesOf(plan)).toEqual(Array(7).fill('planned'))
    await expect(publish(workspace, wrong)).rejects.toMatchObject({
      code: 'invalid',
      details: expect.arrayContaining([]),
    })
    expect(await listCreated(workspace)).toEqual([])
    expect((await workspace.run(listDrafts, {})).length).toBe(0)
  })

  it('does exactly what its plan showed, or nothing', async () => {
    const workspace = await openTestWorkspace()
    const { planId } = await publish(workspace, TEXT, { dryRun: true })
    await expect(publish(workspace, `${TEXT}\n- [ ] Zebra more\n`, { planId })).rejects.toMatchObject({
      code: 'plan_changed',
    })
    expect(await publish(workspace, TEXT, { planId })).toMatchObject({ created: 6 })
  })

  it('gives the items below a parent the types below it', async () => {
    const workspace = await openTestWorkspace()
    const { nodes } = await publish(workspace, '# Zebra kiosk\n- [ ] Zebra order\n', { parentId: 101 })
    expect(nodes.map(({ type }: any) => type)).toEqual(['User Story', 'Task'])
    expect(await workspace.run(getItem, { id: nodes[0].itemId })).toMatchObject({ parentId: 101 })
    const below = await publish(workspace, '# Zebra a\n- [ ] Zebra b\n', { parentId: 204, dryRun: true })
    expect(below.problems).toMatchObject([
      { path: 'zebra.md:2', message: expect.stringContaining('one level below Task') },
    ])
    const bug = await publish(workspace, '# Zebra a\ntype: bug\n- [ ] Zebra b\n', { dryRun: true })
    expect(bug.nodes.map(({ type }: any) => type)).toEqual(['Bug', 'Task'])
  })

  it('sends nothing again if nothing has changed', async () => {
    const workspace = await openTestWorkspace()
    await publish(workspace)
    workspace.asked()
    const again = await publish(workspace)
    expect(again).toMatchObject({ created: 0, updated: 0, unchanged: 6 })
    expect(workspace.asked().filter((request) => /^(PATCH|POST)/.test(request))).toEqual([])
  })

  it('updates what was changed in the file alone, and merges it with what others have changed', async () => {
    const workspace = await openTestWorkspace()
    const { nodes } = await publish(workspace)
    const kiosk = nodes[1].itemId
    await workspace.changeRemotely(kiosk, {
      'Microsoft.VSTS.Common.Priority': 4,
      'Microsoft.VSTS.Common.Risk': '1 - High',
    })
    const edited = TEXT.replace('points: 5', 'points: 8').replace(
      '- [ ] Zebra mount',
      '- [ ] Zebra mount\n- [ ] Zebra paint',
    )
    const answer = await publish(workspace, edited)
    expect(answer).toMatchObject({ created: 1, updated: 1, unchanged: 5, failed: 0 })
    expect(await workspace.run(getItem, { id: kiosk })).toMatchObject({
      storyPoints: 8,
      priority: 4,
      customFields: { Risk: '1 - High' },
    })
    expect(await listCreated(workspace)).toEqual([...ALL, 'Zebra paint'].sort())
  })

  it('publishes all but what both sides have changed, and settles that as the caller asks', async () => {
    const workspace = await openTestWorkspace()
    const { nodes } = await publish(workspace)
    await workspace.changeRemotely(nodes[1].itemId, { 'Microsoft.VSTS.Scheduling.StoryPoints': 1 })
    const edited = `${TEXT.replace('points: 5', 'points: 8').replace('Zebra order', 'Zebra order now')}\n- [ ] Zebra more\n`
    const plan = await publish(workspace, edited, { dryRun: true })
    expect(plan.problems).toEqual([])
    expect(plan.nodes[1]).toMatchObject({
      action: 'conflict',
      message:
        'The file and the tracker both have changes of Story Points. Publish again with the version of the file (--ours, prefer=draft) or of the tracker (--theirs, prefer=tracker).',
    })
    const first = await publish(workspace, edited, { planId: plan.planId })
    expect(first).toMatchObject({ created: 2, updated: 0, failed: 1, notAttempted: 0 })
    expect(first.nodes[1]).toMatchObject({
      status: 'conflict',
      itemId: nodes[1].itemId,
      message: plan.nodes[1].message,
    })
    expect(publishTree.isPartial!(first)).toBe(true)
    const points = async () => (await workspace.run(getItem, { id: nodes[1].itemId })).storyPoints
    expect(await points()).toBe(1)
    expect(await publish(workspace, edited)).toMatchObject({ created: 0, failed: 1 })
    expect(await publish(workspace, edited, { prefer: 'draft' })).toMatchObject({ created: 0, updated: 1, failed: 0 })
    expect(await points()).toBe(8)
  })

  it('names items that are no longer in the file, and renames one by its ID', async () => {
    const workspace = await openTestWorkspace()
    const { nodes } = await publish(workspace)
    const screen = nodes[5].itemId
    const renamed = TEXT.replace('- [ ] Zebra screen', `- [ ] Zebra display\n  id: #${screen}`)
    const { gone, updated, created } = await publish(workspace, renamed, { prefer: 'draft' })
    expect({ updated, created }).toEqual({ updated: 1, created: 0 })
    expect(gone).toEqual([])
    expect(await workspace.run(getItem, { id: screen })).toMatchObject({ title: 'Zebra display' })
    expect(await publish(workspace, renamed)).toMatchObject({ unchanged: 6, gone: [] })
    const shorter = renamed.replace(/- \[ \] Zebra display\n.*\n/, '')
    expect(await publish(workspace, shorter)).toMatchObject({
      unchanged: 5,
      gone: [{ itemId: screen, title: 'Zebra display' }],
    })
  })

  it('finds the item of a draft that was deleted', async () => {
    const workspace = await openTestWorkspace()
    await publish(workspace)
    for (const { id } of await workspace.run(listDrafts, {})) await workspace.run(deleteDraft, { id })
    expect(await publish(workspace)).toMatchObject({ created: 0, failed: 0 })
    expect(await listCreated(workspace)).toEqual(ALL)
  })
})

describe('an interrupted tree', () => {
  const creation = /workitems\/(\$|%24)/

  it.each([
    ['the tracker is unavailable', respondUnavailable()],
    ['the connection is lost before an item is sent', resetBefore()],
    ['a response is lost', resetAfter()],
  ])('goes on where it stopped, and creates nothing twice, if %s', async (_what, fault) => {
    for (const stopsAt of [1, 2, 4, 6]) {
      let count = 0
      let isBroken = true
      const clock = { time: Date.now(), now: () => clock.time }
      const workspace = await openTestWorkspace({
        clock,
        faults: ({ path, method }) => {
          if (!isBroken) return null
          if (creation.test(path)) count += 1
          return count >= stopsAt && (creation.test(path) || method === 'POST') ? fault : null
        },
      })
      const first = await publish(workspace).catch((error: unknown) => error as any)
      expect(first.created ?? 0).toBeLessThan(6)
      isBroken = false
      // The claim of a call whose outcome is not known ends by itself.
      clock.time += 10 * 60_000
      const second = await publish(workspace)
      expect(second).toMatchObject({ failed: 0, notAttempted: 0 })
      expect(await listCreated(workspace)).toEqual(ALL)
      expect(await publish(workspace)).toMatchObject({ created: 0, failed: 0 })
      expect(await listCreated(workspace)).toEqual(ALL)
    }
  })

  it('creates the other items if the tracker rejects one, but none below it', async () => {
    let isBroken = true
    const workspace = await openTestWorkspace({
      faults: ({ path, body }) =>
        isBroken && creation.test(path) && body.includes('Zebra kiosk')
          ? refuseWith(400, 'RuleValidationException', 'TF401320: Rule Error for field Zip.')
          : null,
    })
    const first = await publish(workspace)
    expect(statusesOf(first)).toEqual(['created', 'rejected', 'notAttempted', 'notAttempted', 'created', 'created'])
    expect(first).toMatchObject({ created: 3, failed: 1, notAttempted: 2 })
    isBroken = false
    expect(await publish(workspace)).toMatchObject({ created: 3, unchanged: 3 })
    expect(await listCreated(workspace)).toEqual(ALL)
  })

  it('is published once by two calls at the same time', async () => {
    const workspace = await openTestWorkspace()
    const [one, other] = await Promise.all([publish(workspace), publish(workspace)])
    expect(one.created + other.created).toBeGreaterThan(0)
    await publish(workspace)
    expect(await listCreated(workspace)).toEqual(ALL)
  })

  it('makes an item of each title, also of those that differ in letter case alone', async () => {
    const workspace = await openTestWorkspace()
    const text = '# Zebra\n\none\n\n# zebra\n\ntwo\n'
    expect(await publish(workspace, text)).toMatchObject({ created: 2, updated: 0 })
    expect(await publish(workspace, text)).toMatchObject({ created: 0, updated: 0, unchanged: 2 })
    expect(await listCreated(workspace)).toEqual(['Zebra', 'zebra'])
  })

  it('refuses two places of the files that are one item', async () => {
    const workspace = await openTestWorkspace()
    const text = '# Zebra one\nid: 204\n\n# Zebra two\nid: 204\n'
    const { problems } = await publish(workspace, text, { dryRun: true, prefer: 'draft' })
    expect(problems).toEqual([{ path: 'zebra.md:4', message: 'is work item 204, and so is zebra.md:1' }])
    await expect(publish(workspace, text, { prefer: 'draft' })).rejects.toMatchObject({ code: 'invalid' })
  })

  it('sends later the fields that were changed between a lost answer and the next call', async () => {
    let isCut = true
    const clock = { time: Date.now(), now: () => clock.time }
    const workspace = await openTestWorkspace({
      clock,
      faults: ({ path }) => {
        if (!isCut) return null
        if (creation.test(path)) return resetAfter()
        return path.includes('wiql') ? respondUnavailable() : null
      },
    })
    const file = (risk: string) => `# Zebra kiosk\nRisk: ${risk}\n`
    expect(await publish(workspace, file('1 - High'))).toMatchObject({ created: 0, failed: 1 })
    isCut = false
    clock.time += 10 * 60_000
    const { nodes } = await publish(workspace, file('3 - Low'))
    const risk = async () => (await workspace.run(getItem, { id: nodes[0].itemId })).customFields['Risk']
    expect([nodes[0].status, await risk()]).toEqual(['created', '1 - High'])
    expect(await publish(workspace, file('3 - Low'))).toMatchObject({ updated: 1 })
    expect(await risk()).toBe('3 - Low')
    expect(await publish(workspace, file('3 - Low'))).toMatchObject({ unchanged: 1 })
  })

  it('takes changes of the file between two calls', async () => {
    let isBroken = true
    const clock = { time: Date.now(), now: () => clock.time }
    const workspace = await openTestWorkspace({
      clock,
      faults: ({ path, body }) =>
        isBroken && creation.test(path) && body.includes('Zebra mount') ? respondUnavailable() : null,
    })
    await publish(workspace)
    isBroken = false
    clock.time += 10 * 60_000
    const edited = `# Zebra first\n\n${TEXT.replace('What it is *for*.', 'Changed.')}`
    expect(await publish(workspace, edited)).toMatchObject({ failed: 0, notAttempted: 0 })
    expect(await listCreated(workspace)).toEqual([...ALL, 'Zebra first'].sort())
  })
})
