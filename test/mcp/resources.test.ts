import { describe, expect, it } from 'vitest'
import { saveDraft } from '../../src/drafts/operations/save-draft'
import { importFile } from '../../src/items/operations/import/import-file'
import { dockCaller } from '../dock-caller'
import { openToolDesk } from './tool-desk'

describe('the resources', () => {
  it('are the reports, the drafts and the cached work items, and can be read', async () => {
    const { desk, client, call } = await openToolDesk()
    await call('fetch_work_items', { action: 'features.import', featureId: 101 })
    const { id } = await desk.run(saveDraft, { title: 'A draft', description: 'Its text' })
    const { resources } = await client.listResources()
    expect(resources.map(({ uri }) => uri)).toEqual(
      expect.arrayContaining([
        'studio://report/summary',
        'studio://report/briefing',
        'studio://report/hierarchy',
        `studio://draft/${id}`,
        'studio://item/204',
      ]),
    )
    const read = async (uri: string) => {
      const { contents } = await client.readResource({ uri })
      expect(contents).toMatchObject([{ uri, mimeType: 'application/json' }])
      return JSON.parse((contents[0] as any).text)
    }
    for (const { uri } of resources.slice(0, 4)) expect(await read(uri)).toHaveProperty('result')
    expect(await read('studio://item/204')).toMatchObject({
      notice: expect.stringContaining('data'),
      result: { id: 204, description: expect.stringMatching(/./), stale: true },
    })
    expect(await read(`studio://draft/${id}`)).toMatchObject({ result: { title: 'A draft', description: 'Its text' } })
    expect(await read('studio://report/hierarchy/101')).toMatchObject({ result: { features: [{ id: 101 }] } })
    expect((await read('studio://report/briefing')).result).toMatchObject({ mode: 'deterministic', model: null })
  })

  it('have the limits of the tools, and say which lists are cut', async () => {
    const { desk, client } = await openToolDesk()
    const rows = Array.from({ length: 30 }, (_, n) => `${n + 1},Feature,Feature ${n + 1},New`)
    await desk.run(importFile, { text: ['ID,Work Item Type,Title,State', ...rows].join('\n'), name: 'plan.csv' })
    const { contents } = await client.readResource({ uri: 'studio://report/hierarchy' })
    const { result, cut } = JSON.parse((contents[0] as any).text)
    expect(result.features).toHaveLength(20)
    expect(cut).toContainEqual({ path: 'result.features', total: 30, shown: 20 })
  })

  it('have templates for resources with an ID', async () => {
    const { client } = await openToolDesk()
    const { resourceTemplates } = await client.listResourceTemplates()
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'studio://report/hierarchy/{id}',
      'studio://draft/{id}',
      'studio://item/{id}',
      'studio://item/{id}/attachment/{name}',
    ])
  })

  it('come in pages that neither skip nor repeat a remaining one, whatever is deleted meanwhile', async () => {
    const { desk, client, call } = await openToolDesk()
    for (let n = 1; n <= 120; n++) await desk.run(saveDraft, { title: `Draft ${n}` })
    const first = (await client.request({ method: 'resources/list', params: {} })) as any
    await call('edit_drafts', { action: 'drafts.delete', id: 3 })
    const second = (await client.request({ method: 'resources/list', params: { cursor: first.nextCursor } })) as any
    const uris = [...first.resources, ...second.resources].map(({ uri }) => uri)
    expect(second.nextCursor).toBeUndefined()
    expect(new Set(uris).size).toBe(uris.length)
    for (let n = 1; n <= 120; n++) expect(uris).toContain(`studio://draft/${n}`)
  })

  it.each(['studio://item/0', 'studio://item/204/raw', 'studio://secret/1', 'file:///etc/passwd', 'studio://draft/9'])(
    'that are not there are refused: %s',
    async (uri) => {
      const { client } = await openToolDesk()
      await expect(client.readResource({ uri })).rejects.toMatchObject({ code: -32602 })
    },
  )

  it('that do not exist yet are rejected with a hint to create them', async () => {
    const { client } = await openToolDesk()
    await expect(client.readResource({ uri: 'studio://item/204' })).rejects.toThrow(
      'fetch_work_items with action items.get, id 204',
    )
  })

  it('are none for a dock key', async () => {
    const { client } = await openToolDesk({
      actor: dockCaller({ role: 'manager' }),
    })
    expect((await client.listResources()).resources).toEqual([])
    expect((await client.listResourceTemplates()).resourceTemplates).toEqual([])
    expect((await client.listPrompts()).prompts).toEqual([])
    await expect(client.readResource({ uri: 'studio://report/summary' })).rejects.toMatchObject({ code: -32602 })
    await expect(client.getPrompt({ name: 'story', arguments: { itemId: '204' } })).rejects.toMatchObject({
      code: -32602,
    })
  })
})
