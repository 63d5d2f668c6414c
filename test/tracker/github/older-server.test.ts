import { describe, expect, it } from 'vitest'
import { never } from '../azure-devops/fixtures'
import { isMutation, openGitHub } from './fixtures'

const issues = Array.from({ length: 250 }, (_, i) => ({ number: i + 1, labels: ['story'], body: 'Text' }))
const item = {
  type: 'Story',
  parentId: null,
  fields: { title: 'Crane', body: 'Lifts.' },
  marker: '5f0f3fb0-0000-4000-8000-000000000001',
  startedAt: Date.UTC(2026, 10, 2, 9),
}

describe.each(['older', 'oldest'] as const)('an Enterprise Server without newer fields (%s)', (version) => {
  const options = { issues, labels: ['story'], version }

  it('is read without them, with one more request when they are found missing', async () => {
    const { tracker, requests } = await openGitHub(options)
    expect(await tracker.getItem(1, never)).toMatchObject({ type: 'Story', parentId: null, predecessorIds: [] })
    expect(requests).toHaveLength(2)
    await tracker.getItem(2, never)
    expect(requests).toHaveLength(3)
    expect(await tracker.getTree(1, never)).toEqual([])
    expect((await tracker.describeProcess(never)).types.map(({ name }) => name)).toEqual(['Story', 'Issue'])
  })

  it('is read by several requests at once', async () => {
    const { tracker } = await openGitHub(options)
    const ids = issues.map(({ number }) => number)
    expect((await tracker.getItems(ids, { signal: never })).items).toHaveLength(250)
  })

  it('creates and changes an issue, also if nothing was read before', async () => {
    const { tracker, github, requests } = await openGitHub(options)
    expect(await tracker.createItem(item, { signal: never })).toMatchObject({
      status: 'created',
      id: 251,
      item: { type: 'Story' },
    })
    expect(github.issues.size).toBe(251)
    expect(requests.filter(isMutation)).toHaveLength(2)
    const { rev } = (await tracker.removeMarker(251, item.marker, never)).item!
    const change = { id: 251, rev, fields: { title: 'Lift', state: 'Closed' } }
    expect(await tracker.updateItems([change], { signal: never })).toMatchObject([{ status: 'applied' }])
    expect(github.issues.get(251)).toMatchObject({ title: 'Lift', body: 'Lifts.', state: 'CLOSED' })
    expect(await tracker.addComment({ itemId: 251, text: 'Done.', after: 0 }, never)).toMatchObject({ status: 'added' })
  })

  it('has no dependencies, and a change that needs them is refused before anything is sent', async () => {
    const { tracker, requests } = await openGitHub(options)
    const { rev } = await tracker.getItem(1, never)
    for (const kind of ['predecessor', 'successor'] as const) {
      const links = { add: [{ kind, id: 2 }], remove: [] }
      const [outcome] = await tracker.updateItems([{ id: 1, rev, fields: { title: 'Lift' }, links }], { signal: never })
      expect(outcome).toMatchObject({
        status: 'rejected',
        message: expect.stringMatching(/no dependencies.+newer version of GitHub Enterprise Server/),
      })
    }
    expect(requests.filter(isMutation)).toHaveLength(0)
  })
})

describe('sub-issues', () => {
  it('exist on a server that has no dependencies', async () => {
    const { tracker, github } = await openGitHub({ issues, labels: ['story'], version: 'older' })
    const { rev } = await tracker.getItem(2, never)
    const links = { add: [{ kind: 'parent' as const, id: 1 }], remove: [] }
    const outcomes = await tracker.updateItems([{ id: 2, rev, fields: {}, links }], { signal: never })
    expect(outcomes).toMatchObject([{ status: 'applied', item: { parentId: 1 } }])
    expect(await tracker.createItem({ ...item, parentId: 1 }, { signal: never })).toMatchObject({ status: 'created' })
    expect(github.issues.get(251)!.parent).toBe(1)
  })

  it('are refused before anything is sent if the server does not have them', async () => {
    const { tracker, requests } = await openGitHub({ issues, labels: ['story'], version: 'oldest' })
    const message = expect.stringMatching(/no sub-issues.+newer version of GitHub Enterprise Server/)
    for (const validateOnly of [true, false]) {
      const created = await tracker.createItem({ ...item, parentId: 1 }, { signal: never, validateOnly })
      expect(created).toEqual({ status: 'rejected', message })
    }
    const { rev } = await tracker.getItem(1, never)
    for (const kind of ['parent', 'child'] as const) {
      const links = { add: [], remove: [{ kind, id: 2 }] }
      const outcomes = await tracker.updateItems([{ id: 1, rev, fields: {}, links }], { signal: never })
      expect(outcomes).toEqual([{ id: 1, status: 'rejected', message }])
    }
    expect(requests.filter(isMutation)).toHaveLength(0)
  })
})
