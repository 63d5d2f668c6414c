import { Readable } from 'node:stream'
import { getPersonalAccessTokenHandler, WebApi } from 'azure-devops-node-api'
import { QueryExpand } from 'azure-devops-node-api/interfaces/WorkItemTrackingInterfaces'
import { describe, expect, it } from 'vitest'
import { sandbox } from './harness'

const PROJECT = 'Harbor'

async function stockClient() {
  const tracker = await sandbox({ token: 'secret-token' })
  const api = new WebApi(tracker.url, getPersonalAccessTokenHandler('secret-token'))
  return { tracker, wit: await api.getWorkItemTrackingApi(), git: await api.getGitApi() }
}

async function readAll(stream: NodeJS.ReadableStream): Promise<string> {
  const read: Buffer[] = []
  for await (const chunk of stream) read.push(Buffer.from(chunk as Uint8Array))
  return Buffer.concat(read).toString()
}

describe("the tracker's own client library", () => {
  it('uploads a file, attaches it and gets it back', async () => {
    const { wit } = await stockClient()
    const { id, url } = await wit.createAttachment({}, Readable.from([Buffer.from('ten bytes!')]), 'ten.txt')
    const value = { rel: 'AttachedFile', url, attributes: { comment: 'Counted' } }
    const item = await wit.updateWorkItem({}, [{ op: 'add', path: '/relations/-', value }] as never, 203)
    expect(item.relations!.at(-1)).toMatchObject({
      rel: 'AttachedFile',
      attributes: { name: 'ten.txt', resourceSize: 10, comment: 'Counted' },
    })
    expect(await readAll(await wit.getAttachmentContent(id!, 'ten.txt'))).toBe('ten bytes!')
  })

  it('refuses to attach what was not uploaded', async () => {
    const { tracker, wit } = await stockClient()
    const url = `${tracker.url}/_apis/wit/attachments/11111111-2222-4333-8444-555555555555`
    const value = { rel: 'AttachedFile', url, attributes: {} }
    const patch = [{ op: 'add', path: '/relations/-', value }]
    await expect(wit.updateWorkItem({}, patch as never, 203)).rejects.toMatchObject({ statusCode: 400 })
  })

  it('reads the saved queries and runs one', async () => {
    const { wit } = await stockClient()
    const [mine, shared] = await wit.getQueries(PROJECT, QueryExpand.Wiql, 2)
    expect([mine!.name, shared!.name]).toEqual(['My Queries', 'Shared Queries'])
    const [folder, stories, sprint] = shared!.children!
    expect(folder).toMatchObject({ isFolder: true, path: 'Shared Queries/Gate', hasChildren: true })
    expect(stories!.wiql).toContain('User Story')
    expect(sprint!.wiql).toContain('Sprint 24')
    const bugs = folder!.children![0]!
    expect((await wit.getQuery(PROJECT, 'Shared Queries/Gate/Open bugs')).id).toBe(bugs.id)
    const found = await wit.queryById(bugs.id!, { project: PROJECT })
    expect(found.workItems!.map(({ id }) => id)).toContain(501)
  })

  it('changes and deletes a comment', async () => {
    const { wit } = await stockClient()
    const { id, version } = await wit.addComment({ text: 'One' }, PROJECT, 204)
    const changed = await wit.updateComment({ text: 'Two' }, PROJECT, 204, id!)
    expect(changed).toMatchObject({ id, text: 'Two', version: version! + 1 })
    const { totalCount } = await wit.getComments(PROJECT, 204)
    await wit.deleteComment(PROJECT, 204, id!)
    const left = await wit.getComments(PROJECT, 204)
    expect(left.totalCount).toBe(totalCount! - 1)
    expect((await wit.getWorkItem(204)).fields!['System.CommentCount']).toBe(left.totalCount)
  })

  it('finds a repository by its name', async () => {
    const { git } = await stockClient()
    expect(await git.getRepository('gate', PROJECT)).toMatchObject({ name: 'gate', project: { name: PROJECT } })
  })
})
