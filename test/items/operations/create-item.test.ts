import { describe, expect, it } from 'vitest'
import { createItem } from '../../../src/items/operations/create-item'
import { getItem } from '../../../src/items/operations/get-item'
import { checkFreshness } from '../../../src/items/operations/import/check-freshness'
import { importSingle } from '../../../src/items/operations/import/import-single'
import { syncItems } from '../../../src/items/operations/import/sync-items'
import { parseItemFile } from '../../../src/items/rules/item-file'
import { inspectCreations } from '../../../src/items/services/create/inspect-creations'
import { cutAfter, refuseWith, resetAfter, resetBefore, respondUnavailable } from '../../sandbox/fault-presets'
import { openTestWorkspace } from '../test-workspace'

describe('createItem', () => {
  it('creates an item of the type, converts its texts and caches it', async () => {
    const workspace = await openTestWorkspace()
    const updates = { Description: '1. drive **in**', Priority: 2, tags: ['gate', 'clock'] }
    const { id, rev } = await workspace.run(createItem, { type: 'bug', title: 'The clock is slow', updates })
    expect(await workspace.run(getItem, { id, cached: true })).toMatchObject({
      type: 'Bug',
      title: 'The clock is slow',
      description: '<ol>\n<li>drive <strong>in</strong></li>\n</ol>',
      priority: 2,
      tags: ['gate', 'clock'],
      localRev: rev,
    })
  })

  it('takes the parent from a flag or a value', async () => {
    const workspace = await openTestWorkspace()
    const { id } = await workspace.run(createItem, { type: 'Task', title: 'x', updates: { Parent: '#204' } })
    expect(await workspace.run(getItem, { id })).toMatchObject({ parentId: 204 })
    const other = await workspace.run(createItem, { type: 'Task', title: 'x', parentId: 205, fields: { Parent: 204 } })
    expect(await workspace.run(getItem, { id: other.id })).toMatchObject({ parentId: 205 })
  })

  it('leaves the cached parent up to date', async () => {
    const workspace = await openTestWorkspace()
    await workspace.run(importSingle, { id: 204 })
    await workspace.run(createItem, { type: 'Task', title: 'x', parentId: 204 })
    expect(await workspace.run(checkFreshness, { id: 204 })).toMatchObject({ isFresh: true })
  })

  it('gives a bug its description where people read it', async () => {
    const workspace = await openTestWorkspace()
    const answer = await workspace.run(createItem, { type: 'Bug', title: 'x', fields: { Description: 'Steps' } })
    const { fields } = await workspace.run(getItem, { id: answer.id, raw: true })
    expect(fields['Microsoft.VSTS.TCM.ReproSteps']).toContain('Steps')
  })

  it('names everything that is wrong before it sends anything', async () => {
    const workspace = await openTestWorkspace()
    const updates = { Nope: 1, State: 'Bogus', Priority: 9, Zip: 2 }
    await expect(
      workspace.run(createItem, { type: 'Task', title: 'x', updates, fields: { Due: 'soon', 'Story Points': 1 } }),
    ).rejects.toMatchObject({
      code: 'invalid',
      details: [
        'fields.Due',
        'updates.Nope',
        'updates.Zip',
        'fields.Story Points',
        'updates.State',
        'updates.Priority',
      ].map((path) => ({ path })),
    })
    await expect(workspace.run(createItem, { type: 'Nope', title: 'x', updates: { Zip: 2 } })).rejects.toMatchObject({
      details: [{ path: 'type' }, { path: 'updates.Zip' }],
    })
    const twice = { type: 'Task', title: 'x', updates: { Title: 'y' } }
    await expect(workspace.run(createItem, twice)).rejects.toMatchObject({
      details: [{ path: 'updates.Title', message: 'sets Title a second time' }],
    })
    await expect(workspace.run(createItem, { type: 'Task', title: 'x', parentId: 9999 })).rejects.toMatchObject({
      code: 'not_found',
    })
    expect(workspace.sandbox.requests.some(({ path }) => path.includes('$'))).toBe(false)
  })

  it('names a field that the process requires', async () => {
    const isTypes = /workitemtypes\?/
    const workspace = await openTestWorkspace({
      faults: [
        {
          path: isTypes,
          fault: {
            editResponse: (answer) => ({
              ...answer,
              body: answer.body.replaceAll(
                /"alwaysRequired":false,"defaultValue":null,("referenceName":"Microsoft.VSTS.Common.AcceptanceCriteria")/g,
                '"alwaysRequired":true,"defaultValue":null,$1',
              ),
            }),
          },
        },
      ],
    })
    await expect(workspace.run(createItem, { type: 'User Story', title: 'x' })).rejects.toMatchObject({
      details: [{ path: 'updates.Acceptance Criteria', message: 'is required for a User Story' }],
    })
  })

  it.each([
    ['was lost', resetAfter()],
    ['broke off', cutAfter(40)],
  ])('finds the item if the response %s', async (_, fault) => {
    const workspace = await openTestWorkspace({ faults: [{ path: /workitems\/(\$|%24)/, nth: 1, fault }] })
    const { id } = await workspace.run(createItem, { type: 'Task', title: 'Created once' })
    expect((await workspace.run(getItem, { id })).title).toBe('Created once')
    expect(workspace.sandbox.requests.filter(({ path }) => /workitems\/(\$|%24)/.test(path))).toHaveLength(1)
  })

  it('says that the result is unknown if the request may still arrive', async () => {
    const workspace = await openTestWorkspace({
      faults: [{ path: /workitems\/(\$|%24)/, fault: resetBefore() }],
    })
    await expect(workspace.run(createItem, { type: 'Task', title: 'x' })).rejects.toMatchObject({
      code: 'tracker_timeout',
      message: expect.stringContaining('not known whether the tracker created'),
    })
  })

  it('reports what the tracker rejected', async () => {
    const fault = refuseWith(400, 'RuleValidationException', 'TF401320: Rule Error for field Title.')
    const workspace = await openTestWorkspace({ faults: [{ path: /workitems\/(\$|%24)/, fault }] })
    await expect(workspace.run(createItem, { type: 'Task', title: 'x' })).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('TF401320'),
    })
  })
})

describe('parseItemFile', () => {
  it('reads the type, title and parent, and takes everything else as fields', () => {
    const file = '---\ntype: Bug\nparent: 204\nPriority: 2\ntags: [gate, clock]\n---\n\n# Slow clock\n\nSteps\n'
    expect(parseItemFile(file, 'bug.md')).toEqual({
      type: 'Bug',
      title: 'Slow clock',
      parentId: 204,
      fields: { Description: 'Steps', Priority: 2, tags: 'gate; clock' },
    })
    expect(parseItemFile('{"type":"Task","title":7,"fields":{"State":"New"},"Priority":1}', 'x.json')).toEqual({
      type: 'Task',
      title: '7',
      fields: { State: 'New', Priority: 1 },
    })
  })
})

describe('an item that is being created', () => {
  const isCreation = (path: string) => /workitems\/(\$|%24)/.test(path) && !path.includes('validateOnly')
  const signInPage = { status: 203, headers: { 'content-type': 'text/html' }, body: '<html>Sign in</html>' }

  it('is found by the same call again, and by no other', async () => {
    let isDown = true
    const workspace = await openTestWorkspace({
      faults: ({ path }) => (isDown && isCreation(path) ? { editResponse: () => signInPage } : null),
    })
    const input = { type: 'Task', title: 'Once' }
    await expect(workspace.run(createItem, input)).rejects.toMatchObject({ code: 'tracker_token' })
    isDown = false
    const other = await workspace.run(createItem, { ...input, title: 'Another' })
    expect(other.notes).toEqual([])
    const found = await workspace.run(createItem, input)
    expect(found.notes).toEqual(['An earlier call had created this item, and its response was lost.'])
    expect((await workspace.run(getItem, { id: found.id })).title).toBe('Once')
    const second = await workspace.run(createItem, input)
    expect(second).toMatchObject({ notes: [] })
    expect(second.id).not.toBe(found.id)
  })

  it('is found by the same call again after its parent was moved, whatever the order of the fields', async () => {
    let isDown = true
    const workspace = await openTestWorkspace({
      faults: ({ path }) => (isDown && isCreation(path) ? { editResponse: () => signInPage } : null),
    })
    const input = { type: 'Task', title: 'Once', parentId: 101 }
    const first = workspace.run(createItem, { ...input, updates: { Priority: 1, tags: 'gate' } })
    await expect(first).rejects.toMatchObject({ code: 'tracker_token' })
    isDown = false
    await workspace.changeRemotely(101, { 'System.IterationPath': 'Harbor' })
    const found = await workspace.run(createItem, { ...input, updates: { tags: 'gate', Priority: 1 } })
    expect(found.notes).toHaveLength(1)
  })

  it('keeps its marker until the tracker removes it, which the next sync requests again', async () => {
    let isDown = true
    const workspace = await openTestWorkspace({
      faults: ({ method, path }) =>
        isDown && method === 'PATCH' && /workitems\/\d+/.test(path) ? respondUnavailable() : null,
    })
    const { id } = await workspace.run(createItem, { type: 'Task', title: 'Marked' })
    const { db } = workspace.studio.context({ actor: { kind: 'terminal', tenant: 'default' } })
    expect(await inspectCreations(db)).toMatchObject([{ level: 'warning', message: expect.stringContaining(`#${id}`) }])
    await workspace.run(syncItems, {})
    expect(await inspectCreations(db)).toHaveLength(1)
    isDown = false
    await workspace.run(syncItems, {})
    expect(await inspectCreations(db)).toEqual([])
    const url = `${workspace.sandbox.url}/_apis/wit/workitems/${id}?$expand=relations&api-version=7.1`
    expect(((await (await fetch(url)).json()) as { relations?: unknown[] }).relations ?? []).toEqual([])
  })
})
