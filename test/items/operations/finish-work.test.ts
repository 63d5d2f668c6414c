import { describe, expect, it } from 'vitest'
import { catalog } from '../../../src/catalog'
import type { OperationId } from '../../../src/kernel'
import { resetAfter } from '../../sandbox/fault-presets'
import { openTestWorkspace } from '../test-workspace'

/** Runs operations by their IDs in a workspace over the sandbox. */
async function open(options: Parameters<typeof openTestWorkspace>[0] = {}) {
  const workspace = await openTestWorkspace(options)
  const run = async (id: OperationId, input: object) => workspace.run((await catalog[id]()) as any, input)
  return { ...workspace, run }
}

const isChange = ({ method }: { method: string }) => method !== 'GET' && method !== 'POST'

describe('an item moves on', () => {
  it('into a state that may follow, and says which these are', async () => {
    const { run } = await open()
    const { state, transitions } = await run('items.transitions', { id: 204 })
    const states = transitions.map((one: { state: string }) => one.state)
    expect(states).not.toContain(state)
    const error = { code: 'invalid', details: [{ path: 'state', message: expect.stringContaining(states.join(', ')) }] }
    await expect(run('items.move', { id: 204, state: 'Shipped' })).rejects.toMatchObject(error)
    const [next] = states
    expect(await run('items.move', { id: 204, state: next.toUpperCase(), dryRun: true })).toMatchObject({
      results: [{ status: 'notAttempted', changes: [{ field: 'State', from: state, to: next }] }],
    })
    expect((await run('items.transitions', { id: 204 })).state).toBe(state)
    expect(await run('items.move', { id: 204, state: next })).toMatchObject({ applied: 1 })
    expect((await run('items.transitions', { id: 204 })).state).toBe(next)
    expect(await run('items.move', { id: 204, state: next })).toMatchObject({
      results: [{ status: 'applied', message: 'had these values already' }],
    })
  })

  it('with the fields that are given beside it', async () => {
    const { run } = await open()
    const [next] = (await run('items.transitions', { id: 204 })).transitions
    await run('items.move', { id: 204, state: next.state, updates: { Priority: 1 } })
    expect(await run('items.get', { id: 204 })).toMatchObject({ state: next.state, priority: 1 })
  })

  it('to a person, to the user and to no one', async () => {
    const { run } = await open({ env: { STUDIO_USER: 'priya.nair@quayside.example' } })
    await run('items.assign', { id: 204, assignedTo: '@me' })
    expect((await run('items.get', { id: 204 })).assignedTo.uniqueName).toBe('priya.nair@quayside.example')
    await run('items.assign', { id: 204, assignedTo: '' })
    expect((await run('items.get', { id: 204 })).assignedTo).toBeNull()
  })
})

describe('single tags', () => {
  it('are added and removed beside what others have added meanwhile', async () => {
    const { run, changeRemotely } = await open()
    await run('items.get', { id: 343 })
    await changeRemotely(343, { 'System.Tags': 'theirs; blocked' })
    const shown = await run('items.batch-update', { itemIds: [343], tags: ['+ready', '-Blocked'], dryRun: true })
    expect(shown.results[0].changes).toEqual([
      { field: 'Tags', from: 'theirs; blocked', to: 'theirs; ready', storedAs: null },
    ])
    expect(await run('items.batch-update', { itemIds: [343], tags: ['+ready', '-Blocked'] })).toMatchObject({
      applied: 1,
    })
    expect((await run('items.get', { id: 343 })).tags.sort()).toEqual(['ready', 'theirs'])
  })

  it('cannot be changed where a field replaces all of them', async () => {
    const { run } = await open()
    const both = { itemIds: [343], tags: ['+ready'], updates: { Tags: 'other' } }
    await expect(run('items.batch-update', both)).rejects.toMatchObject({
      code: 'invalid',
      details: [{ path: 'tags' }],
    })
  })
})

describe('a deleted item', () => {
  it('is gone in the tracker and in the workspace, and comes back', async () => {
    const { run } = await open()
    const { title } = await run('items.get', { id: 344 })
    const shown = await run('items.delete', { id: 344, dryRun: true })
    expect(shown).toMatchObject({ title, canBeRestored: true, dryRun: true })
    expect(await run('items.delete', { id: 344, planId: shown.planId })).toMatchObject({ title, dryRun: false })
    const gone = await run('items.get', { id: 344, cached: true })
    expect(gone).toMatchObject({ title, goneReason: expect.stringContaining('Deleted') })
    await expect(run('items.delete', { id: 344 })).rejects.toMatchObject({ code: 'not_found' })
    expect(await run('items.restore', { id: 344 })).toMatchObject({ title })
    expect(await run('items.get', { id: 344, cached: true })).toMatchObject({ title, goneSince: null })
  })

  it('is deleted as it was shown, or not at all', async () => {
    const { run, changeRemotely } = await open()
    const { planId } = await run('items.delete', { id: 344, dryRun: true })
    await changeRemotely(344, { 'System.Title': 'Changed by others' })
    await expect(run('items.delete', { id: 344, planId })).rejects.toMatchObject({ code: 'plan_changed' })
    expect(await run('items.get', { id: 344 })).toMatchObject({ title: 'Changed by others', goneSince: null })
  })

  it('is deleted once if the response is lost', async () => {
    const { run, sandbox } = await open({ faults: [{ method: 'DELETE', fault: resetAfter() }] })
    expect(await run('items.delete', { id: 344 })).toMatchObject({ dryRun: false })
    expect(sandbox.requests.filter(isChange)).toHaveLength(1)
  })
})

describe('a comment of the user', () => {
  it('gets another text, and is deleted', async () => {
    const { run } = await open()
    const { comment } = await run('items.comment', { id: 343, text: 'One' })
    const change = { id: 343, commentId: comment.id }
    expect(await run('items.edit-comment', { ...change, text: '**Two**', dryRun: true })).toMatchObject({
      comment: { text: 'One' },
      text: '**Two**',
    })
    expect(await run('items.edit-comment', { ...change, text: '**Two**' })).toMatchObject({
      comment: { text: '**Two**' },
    })
    const { planId } = await run('items.delete-comment', { ...change, dryRun: true })
    await run('items.edit-comment', { ...change, text: 'Three' })
    await expect(run('items.delete-comment', { ...change, planId })).rejects.toMatchObject({ code: 'plan_changed' })
    await run('items.delete-comment', change)
    expect((await run('items.comments', { id: 343 })).comments).toEqual([])
    await expect(run('items.delete-comment', change)).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('a link to a page', () => {
  const url = 'https://example.com/plan'

  it('is added once, shown and removed', async () => {
    const { run } = await open()
    expect(await run('items.add-web-link', { id: 343, url, title: 'The plan', dryRun: true })).toMatchObject({
      link: null,
    })
    await run('items.add-web-link', { id: 343, url, title: 'The plan' })
    await run('items.add-web-link', { id: 343, url, title: 'The plan' })
    expect((await run('items.web-links', { id: 343 })).links).toMatchObject([{ kind: 'page', url, title: 'The plan' }])
    await run('items.remove-web-link', { id: 343, url: `${url}/` })
    expect((await run('items.web-links', { id: 343 })).links).toEqual([])
    await expect(run('items.remove-web-link', { id: 343, url })).rejects.toMatchObject({ code: 'not_found' })
  })

  it.each([
    'javascript:alert(1)',
    'file:///etc/passwd',
    'example.com',
    'vstfs:///Git/Ref/x',
    'https://user:password@example.com/',
    'https://user@example.com/',
    'https://example.com/\u202egnp',
    'https://example.com/"><script>',
  ])('is no %j', async (bad) => {
    const { run } = await open()
    await expect(run('items.add-web-link', { id: 343, url: bad })).rejects.toMatchObject({ code: 'invalid' })
  })
})

describe('what the tracker does not have', () => {
  it('is refused with its name', async () => {
    const { run } = await open()
    await expect(run('items.log-work', { id: 343, time: '1h' })).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringMatching(/Azure DevOps .* does not record the time/),
    })
  })
})

describe('a query of the tracker', () => {
  it('is found by its name, shows what it finds, and imports that', async () => {
    const { run } = await open()
    const { queries, language } = await run('queries.list', {})
    expect(language).toBe('WIQL')
    const { name, id } = queries.find((one: { name: string }) => one.name.endsWith('/Open bugs'))
    const found = await run('queries.run', { query: 'open bugs' })
    expect(found).toMatchObject({ query: name, total: found.results.length })
    expect(found.results.every(({ type }: { type: string }) => type === 'Bug')).toBe(true)
    expect(await run('items.list', {})).toEqual([])
    const imported = await run('queries.import', { query: id, limit: 2 })
    expect(imported).toMatchObject({ total: found.total, failed: [] })
    const ids = (items: { id: number }[]) => items.map(({ id: one }) => one).sort()
    expect(ids(imported.imported)).toEqual(ids(found.results.slice(0, 2)))
    expect(await run('items.list', {})).toHaveLength(2)
  })

  it('is given as a text in its language, and one of both', async () => {
    const { run } = await open()
    const text = 'SELECT [System.Id] FROM WorkItems WHERE [System.Id] IN (204, 101)'
    expect((await run('queries.run', { text })).results).toHaveLength(2)
    for (const input of [{}, { text, query: 'Open bugs' }])
      await expect(run('queries.run', input)).rejects.toMatchObject({ code: 'invalid', details: [{ path: 'query' }] })
    await expect(run('queries.run', { query: 'No such' })).rejects.toMatchObject({ code: 'not_found' })
    for (const id of ['queries.run', 'queries.import'] as const)
      await expect(run(id, { text: 'SELECT nothing' })).rejects.toMatchObject({
        code: 'invalid',
        message: expect.stringContaining('The tracker refused the request'),
      })
  })
})
