import { describe, expect, it } from 'vitest'
import { never as signal } from '../azure-devops/fixtures'
import { isMutation, losing, openLinear } from './fixtures'

const workspace = {
  issues: [
    { number: 1, title: 'Gate', labels: ['Story'] },
    { number: 2, title: 'Lamp', labels: ['Bug', 'Gate', 'ready'] },
    { number: 3, title: 'Door' },
  ],
  labels: ['Story', 'Bug', 'Area/Gate', 'ready', 'blocked', 'Task'],
  projects: ['Harbor'],
  cycles: [null, 'Winter'],
}

describe('an issue of Linear', () => {
  it('gets the values that are set, by their names', async () => {
    const { tracker, linear } = await openLinear(workspace)
    const { rev } = await tracker.getItem(2, signal)
    const fields = {
      title: 'Lamp 2',
      state: 'in progress',
      assignee: 'ines@works.example',
      labels: 'Area/Gate; blocked',
      cycle: '1',
      estimate: 3,
      priority: 2,
      project: 'harbor',
      dueDate: '2026-12-24T00:00:00.000Z',
      description: 'Text',
    }
    const [outcome] = await tracker.updateItems([{ id: 2, rev, fields }], { signal })
    expect(outcome).toMatchObject({
      status: 'applied',
      item: {
        type: 'Bug',
        title: 'Lamp 2',
        state: 'In Progress',
        stateCategory: 'InProgress',
        assignedTo: { uniqueName: 'ines@works.example' },
        tags: ['Area/Gate', 'blocked'],
        iterationPath: 'Cycle 1',
        storyPoints: 3,
        priority: 2,
        fields: { project: 'Harbor', dueDate: '2026-12-24' },
      },
    })
    const cleared = { assignee: null, cycle: null, estimate: null, priority: null, project: null, dueDate: null }
    const [again] = await tracker.updateItems([{ id: 2, rev: (outcome as any).item.rev, fields: cleared }], { signal })
    expect(again).toMatchObject({ status: 'applied', item: { assignedTo: null, storyPoints: null, priority: null } })
    expect(linear.find(2)).toMatchObject({ priority: 0, projectId: null, cycleId: null, dueDate: null })
  })

  it.each([
    [{ state: 'Nowhere' }, 'no state "Nowhere"'],
    [{ labels: 'other' }, 'no label "other"'],
    [{ cycle: 'Summer' }, 'no cycle "Summer"'],
    [{ project: 'None' }, 'no project "None"'],
    [{ estimate: 1.5 }, 'whole number'],
    [{ priority: 7 }, 'whole number'],
    [{ assignee: 'nobody' }, 'no account "nobody"'],
    [{ other: 'x' }, 'no field "other"'],
  ])('is not changed by values that Linear cannot take: %j', async (fields, message) => {
    const { tracker, requests } = await openLinear(workspace)
    const { rev } = await tracker.getItem(2, signal)
    const [outcome] = await tracker.updateItems([{ id: 2, rev, fields }], { signal })
    expect(outcome).toMatchObject({ status: 'rejected', message: expect.stringContaining(message) })
    expect(requests.filter(isMutation)).toEqual([])
  })

  it('keeps the labels that others add while single tags are changed', async () => {
    const { tracker, linear } = await openLinear(workspace, {
      answer(request, linear) {
        if (isMutation(request)) linear.find(2).labelIds.push(linear.labels.find(({ name }) => name === 'Task')!.id)
        return null
      },
    })
    const { rev } = await tracker.getItem(2, signal)
    const tags = { add: ['Blocked'], remove: ['READY', 'unknown'] }
    expect(await tracker.updateItems([{ id: 2, rev, fields: {}, tags }], { signal })).toMatchObject([
      { status: 'applied', item: { tags: ['Area/Gate', 'blocked'] } },
    ])
    const names = linear.find(2).labelIds.map((id) => linear.labels.find((one) => one.id === id)!.name)
    expect(names).toEqual(['Bug', 'Gate', 'Task', 'blocked'])
  })

  it.each([true, false])('is created once if the response is lost (executed: %s)', async (isExecuted) => {
    const { tracker, linear } = await openLinear(workspace, { answer: losing('issueCreate', isExecuted) })
    const marker = '6f0f3fb0-0000-4000-8000-000000000002'
    const item = { type: 'Task', parentId: 1, fields: { title: 'New', labels: 'ready' }, marker, startedAt: 0 }
    const created = await tracker.createItem(item, { signal })
    expect(created).toMatchObject(
      isExecuted ? { status: 'created', item: { type: 'Task', parentId: 1, tags: ['ready'] } } : { status: 'unknown' },
    )
    expect(linear.issues.filter(({ title }) => title === 'New')).toHaveLength(isExecuted ? 1 : 0)
  })

  it('shows a link that a lost response has made, and does not make it again', async () => {
    const { tracker, linear } = await openLinear(workspace, { answer: losing('issueRelationCreate', true) })
    const { rev } = await tracker.getItem(1, signal)
    const links = { add: [{ kind: 'predecessor', id: 2 }], remove: [] } as const
    const [outcome] = await tracker.updateItems([{ id: 1, rev, fields: {}, links }], { signal })
    expect(outcome).toMatchObject({ status: 'applied', item: { predecessorIds: [2] } })
    expect(linear.relations).toMatchObject([{ type: 'blocks', from: linear.find(2).id, to: linear.find(1).id }])
  })

  it('moves to the trash and back, once, whatever is lost', async () => {
    const { tracker } = await openLinear(workspace, { answer: losing('issueDelete', true) })
    const { rev } = await tracker.getItem(3, signal)
    const { deletion, restoring } = tracker.parts
    expect(await deletion!.delete({ id: 3, rev: rev - 1 }, signal)).toMatchObject({ status: 'conflict' })
    expect(await deletion!.delete({ id: 3, rev }, signal)).toEqual({ status: 'deleted' })
    expect(await deletion!.delete({ id: 3, rev }, signal)).toEqual({ status: 'deleted' })
    await expect(tracker.getItem(3, signal)).rejects.toMatchObject({ code: 'not_found' })
    expect((await tracker.explainAbsence([3], signal)).get(3)).toMatch(/^Deleted on 2026-11-02; it is in the trash\.$/)
    expect(await restoring!.restore(3, signal)).toMatchObject({ status: 'applied', item: { id: 3, title: 'Door' } })
    expect(await deletion!.delete({ id: 99, rev }, signal)).toMatchObject({ status: 'rejected', code: 'not_found' })
  })
})
