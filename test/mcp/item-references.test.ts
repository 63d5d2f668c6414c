import { Ajv2020 } from 'ajv/dist/2020'
import { describe, expect, it } from 'vitest'
import { openWithRepository } from '../items/operations/workspace-with-repository'
import { openToolDesk } from './tool-desk'

const FEATURE = 'code:works/harbor#101'
const TASK = 'code:works/harbor#103'

describe('the reference of an item in a tool call', () => {
  it('is taken where an action takes the ID of an item', async () => {
    const workspace = await openWithRepository()
    const { call, refusal } = await openToolDesk({ workspace })
    const imported = await call('fetch_work_items', { action: 'features.import', featureId: FEATURE })
    expect(imported.result.feature).toMatchObject({ id: await workspace.idOf(FEATURE), reference: FEATURE })
    const { result } = await call('update_work_items', {
      action: 'items.batch-update',
      itemIds: [TASK, '#343', 204],
      updates: { Title: 'Other' },
      dryRun: true,
    })
    expect(result.results.map(({ reference }: { reference: string }) => reference)).toEqual([TASK, '#343', '#204'])
    expect(await refusal('fetch_work_items', { action: 'items.get', id: 'code:works/harbor#999' })).toContain(
      'code:works/harbor#999',
    )
    expect(await refusal('fetch_work_items', { action: 'items.get', id: 'crane' })).toContain('id')
  })

  it('fits the schema of the tool, as a number does', async () => {
    const { client } = await openToolDesk()
    const { tools } = await client.listTools()
    const accepts = (name: string, args: object) => {
      const schema = tools.find((tool) => tool.name === name)!.inputSchema
      return new Ajv2020({ strict: false, validateFormats: false }).validate(schema, args)
    }
    for (const id of [101, '#101', 'ABC-7', FEATURE]) {
      expect([id, accepts('fetch_work_items', { action: 'items.get', id })]).toEqual([id, true])
      expect([id, accepts('update_work_items', { action: 'items.batch-update', itemIds: [id] })]).toEqual([id, true])
      expect([id, accepts('edit_drafts', { action: 'drafts.copy-sanitize', id })]).toEqual([id, true])
    }
    for (const id of [1.5, null])
      expect([id, accepts('fetch_work_items', { action: 'items.get', id })]).toEqual([id, false])
  })
})
