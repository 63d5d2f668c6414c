import { getPersonalAccessTokenHandler, WebApi } from 'azure-devops-node-api'
import {
  TreeStructureGroup,
  WorkItemErrorPolicy,
  WorkItemExpand,
} from 'azure-devops-node-api/interfaces/WorkItemTrackingInterfaces'
import { describe, expect, it } from 'vitest'
import { NOW, sandbox } from './harness'

const PROJECT = 'Harbor'

/** The tracker's own client library for Node with a sandbox that requires a token. */
async function stockClient() {
  const tracker = await sandbox({ token: 'secret-token' })
  const api = new WebApi(tracker.url, getPersonalAccessTokenHandler('secret-token'))
  return { tracker, api, wit: await api.getWorkItemTrackingApi(), core: await api.getCoreApi() }
}

describe("the tracker's own client library", () => {
  it('reads the project, the types and items', async () => {
    const { wit, core } = await stockClient()
    expect((await core.getProjects()).map(({ name }) => name)).toEqual([PROJECT])
    expect((await wit.getWorkItemTypes(PROJECT)).map(({ name }) => name)).toContain('User Story')
    expect((await wit.getWorkItem(204)).fields!['System.Title']).toContain('dock door')
    const batch = await wit.getWorkItemsBatch({ ids: [204, 9_999], errorPolicy: WorkItemErrorPolicy.Omit })
    expect(batch.map(({ id }) => id)).toEqual([204])
    const found = await wit.queryByWiql(
      { query: "SELECT [System.Id] FROM WorkItems WHERE [System.WorkItemType] = 'Bug'" },
      { project: PROJECT },
    )
    expect(found.workItems!.map(({ id }) => id)).toContain(501)
  })

  it('connects, and reads one project, one type and one field', async () => {
    const { api, wit, core } = await stockClient()
    expect((await api.connect()).authenticatedUser).toMatchObject({ providerDisplayName: 'Hannah Okafor' })
    expect((await core.getProject(PROJECT)).name).toBe(PROJECT)
    expect((await wit.getWorkItemType(PROJECT, 'User Story')).name).toBe('User Story')
    expect((await wit.getField('System.Tags')).referenceName).toBe('System.Tags')
    expect(await wit.getField('System.Gone')).toBeNull()
  })

  it('validates a change without making it', async () => {
    const { wit } = await stockClient()
    const title = (value: string) => [{ op: 'add', path: '/fields/System.Title', value }]
    const { rev } = await wit.getWorkItem(204)
    expect((await wit.updateWorkItem(null, title('Tried'), 204, PROJECT, true)).fields!['System.Title']).toBe('Tried')
    await expect(wit.updateWorkItem(null, title(''), 204, PROJECT, true)).rejects.toMatchObject({ statusCode: 400 })
    expect((await wit.getWorkItem(204)).rev).toBe(rev)
    const { id } = await wit.createWorkItem(null, title('Tried'), PROJECT, 'Task', true)
    expect(await wit.getWorkItem(id!)).toBeNull()
  })

  it('adds and removes links, and reports those that are not possible', async () => {
    const { tracker, wit } = await stockClient()
    const linkTo = (rel: string, id: number) => ({
      op: 'add',
      path: '/relations/-',
      value: { rel: `System.LinkTypes.${rel}`, url: `${tracker.url}/_apis/wit/workItems/${id}` },
    })
    const change = (id: number, ...steps: unknown[]) => wit.updateWorkItem(null, steps, id, PROJECT)
    await change(211, linkTo('Dependency-Reverse', 212), linkTo('Related', 213))
    const { relations } = await wit.getWorkItem(211, undefined, undefined, WorkItemExpand.Relations)
    const targets = relations!.map(({ rel, url }) => [rel, Number(url!.split('/').pop())])
    expect(targets).toContainEqual(['System.LinkTypes.Related', 213])
    await expect(change(212, linkTo('Dependency-Reverse', 211))).rejects.toMatchObject({
      statusCode: 400,
      message: expect.stringContaining('TF201035'),
    })
    await expect(change(211, linkTo('Hierarchy-Reverse', 103))).rejects.toMatchObject({
      statusCode: 400,
      message: expect.stringContaining('TF201036'),
    })
    const at = targets.findIndex(([rel, id]) => rel === 'System.LinkTypes.Dependency-Reverse' && id === 212)
    await change(211, { op: 'remove', path: `/relations/${at}` })
    await change(212, linkTo('Dependency-Reverse', 211))
  })

  it('reads comments, one and many, and adds one', async () => {
    const { wit } = await stockClient()
    const added = await wit.addComment({ text: 'The door is fixed.' }, PROJECT, 204)
    expect(added).toMatchObject({ workItemId: 204, text: 'The door is fixed.' })
    expect(await wit.getComment(PROJECT, 204, added.id!)).toMatchObject({ text: 'The door is fixed.' })
    const { comments, totalCount } = await wit.getComments(PROJECT, 204)
    expect(comments![0]).toMatchObject({ id: added.id })
    expect(totalCount).toBe(comments!.length)
    await expect(wit.addComment({ text: '' }, PROJECT, 204)).rejects.toThrow(/text/)
  })

  it('reads the roots of areas and iterations, nodes by id, and a node by its group', async () => {
    const { wit } = await stockClient()
    const roots = await wit.getRootNodes(PROJECT, 1)
    expect(roots.map(({ name, hasChildren }) => [name, hasChildren])).toEqual([
      [PROJECT, true],
      [PROJECT, true],
    ])
    const ids = [roots[1]!.id!, roots[0]!.children![0]!.id!]
    expect((await wit.getClassificationNodes(PROJECT, ids)).map(({ id }) => id)).toEqual(ids)
    const iterations = await wit.getClassificationNode(PROJECT, TreeStructureGroup.Iterations, undefined, 2)
    expect(iterations).toMatchObject({ id: roots[1]!.id, structureType: expect.anything() })
    const quarter = await wit.getClassificationNode(PROJECT, TreeStructureGroup.Iterations, '2026 Q4')
    expect(quarter.name).toBe('2026 Q4')
  })

  it('reads one update of an item, as it is listed', async () => {
    const { wit } = await stockClient()
    const updates = await wit.getUpdates(204)
    expect(await wit.getUpdate(204, 2)).toEqual(updates[1])
    expect(await wit.getUpdate(204, 999)).toBeNull()
  })

  it('bypasses the rules of the process on request', async () => {
    const { wit } = await stockClient()
    const at = new Date(NOW - 60_000)
    const steps = [
      { op: 'add', path: '/fields/System.AssignedTo', value: 'Invalid Value' },
      { op: 'add', path: '/fields/Microsoft.VSTS.Common.Priority', value: 7 },
      { op: 'add', path: '/fields/System.ChangedDate', value: at.toISOString() },
      { op: 'add', path: '/fields/System.ChangedBy', value: 'mei.tanaka@quayside.example' },
    ]
    await expect(wit.updateWorkItem(null, steps, 204, PROJECT)).rejects.toMatchObject({ statusCode: 400 })
    const { fields } = await wit.updateWorkItem(null, steps, 204, PROJECT, false, true)
    expect(fields).toMatchObject({
      'System.AssignedTo': 'Invalid Value',
      'Microsoft.VSTS.Common.Priority': 7,
      'System.ChangedBy': { displayName: 'Mei Tanaka' },
    })
    expect(new Date(fields!['System.ChangedDate'])).toEqual(at)
    await expect(wit.updateWorkItem(null, steps, 204, PROJECT, false, true)).rejects.toThrow(/VS402625/)
    const made = [
      { op: 'add', path: '/fields/System.Title', value: 'Moved from another tracker' },
      { op: 'add', path: '/fields/System.State', value: 'Closed' },
      { op: 'add', path: '/fields/System.CreatedDate', value: '2025-01-02T03:04:05Z' },
      { op: 'add', path: '/fields/System.CreatedBy', value: 'A former colleague' },
    ]
    expect((await wit.createWorkItem(null, made, PROJECT, 'Task', false, true)).fields).toMatchObject({
      'System.State': 'Closed',
      'System.CreatedDate': '2025-01-02T03:04:05Z',
      'System.CreatedBy': 'A former colleague',
    })
  })
})

describe('a route that is not served', () => {
  it.each(['/Harbor/_apis/wit/nothing', '/_apis/nothing'])('responds as the tracker does: %s', async (path) => {
    const { status, json } = await (await sandbox()).get(path)
    expect(status).toBe(404)
    expect(json).toEqual({
      $id: '1',
      innerException: null,
      message: `The controller for path '/quayside${path}' was not found or does not implement IController.`,
      typeName: 'System.Web.HttpException, System.Web',
      typeKey: 'HttpException',
      errorCode: 0,
      eventId: 0,
    })
  })
})
