import { describe, expect, it } from 'vitest'
import { never } from '../azure-devops/fixtures'
import type { FakeJiraOptions } from './fake-jira'
import { DEPLOYMENTS, openJira } from './fixtures'

const issues = [
  { id: 101, type: 'Epic' },
  { id: 201, type: 'Story', parent: 'HAR-101' },
  { id: 202, type: 'Story' },
  { id: 203, type: 'Story' },
]

/** Malforms every issue that is read, beginning with the first change. */
function malformAfterChange(malform: (issue: any) => void): FakeJiraOptions['answer'] {
  let hasChanged = false
  return (request, { execute }) => {
    const isReading = /search|bulkfetch/.test(request.path)
    if (!isReading) hasChanged ||= request.method !== 'GET'
    if (!isReading || !hasChanged) return null
    const reply = execute(request)
    for (const issue of (reply.json as { issues: unknown[] }).issues) malform(issue)
    return reply
  }
}

const MALFORMED: [string, (issue: any) => void][] = [
  ['without a type', ({ fields }) => delete fields.issuetype],
  ['with a time that is none', ({ fields }) => Object.assign(fields, { updated: 'yesterday' })],
  ['with an ID that is no number', (issue) => Object.assign(issue, { id: '../7' })],
]

describe.each(DEPLOYMENTS)('an issue of %s', (deployment) => {
  it.each(MALFORMED)('%s is an error of the tracker', async (_, malform) => {
    const answer = malformAfterChange(malform)
    const { tracker } = await openJira({ deployment, issues, answer })
    const { rev } = await tracker.getItem(201, never)
    await tracker.updateItems([{ id: 201, rev, fields: { summary: 'Gate' } }], { signal: never })
    await expect(tracker.getItem(201, never)).rejects.toMatchObject({ code: 'tracker_answer' })
  })

  it.each(MALFORMED)('%s hides neither that it was created nor that another one was changed', async (_, malform) => {
    const { tracker, site } = await openJira({ deployment, issues, answer: malformAfterChange(malform) })
    const { rev } = await tracker.getItem(201, never)
    const changed = await tracker.updateItems([{ id: 201, rev, fields: { summary: 'Gate' } }], { signal: never })
    expect(changed).toMatchObject([{ id: 201, status: 'unknown', message: expect.stringMatching(/was accepted/) }])
    expect(site.find(201)!.summary).toBe('Gate')
    const item = { type: 'Task', parentId: null, fields: { summary: 'Lamp' }, marker: 'm1', startedAt: Date.now() }
    const created = await tracker.createItem(item, { signal: never })
    expect(created).toMatchObject({ status: 'created', id: expect.any(Number), item: null })
  })

  it('is changed completely although each removal of a link is confirmed with the status 200 alone', async () => {
    const { tracker, site } = await openJira({
      deployment,
      issues,
      answer: (request, { execute }) =>
        request.method === 'DELETE' ? { ...execute(request), status: 200, text: '' } : null,
    })
    const add = [202, 203].map((id) => ({ kind: 'related', id }) as const)
    const { rev } = await tracker.getItem(201, never)
    const [linked] = await tracker.updateItems([{ id: 201, rev, fields: {}, links: { add, remove: [] } }], {
      signal: never,
    })
    const { item } = linked as { item: { rev: number } }
    const change = { id: 201, rev: item.rev, fields: { status: 'Done' }, links: { add: [], remove: add } }
    expect(await tracker.updateItems([change], { signal: never })).toMatchObject([
      { status: 'applied', item: { state: 'Done', relatedIds: [] } },
    ])
    expect(site.links).toEqual([])
  })
})
