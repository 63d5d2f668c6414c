import { expect, it } from 'vitest'
import { saveView } from '../../../src/items/operations/filters/save-view'
import { importFeature } from '../../../src/items/operations/import/import-feature'
import { listItems } from '../../../src/items/operations/list-items'
import { migrations } from '../../../src/studio'
import { describeWithPostgres } from '../../storage/postgres/server'
import { openTestWorkspace, type TestWorkspace } from '../test-workspace'

describeWithPostgres('the list of items on PostgreSQL', (server) => {
  it('is the same as in a file, for every filter', async () => {
    const clock = { now: () => Date.parse('2026-11-18T12:00:00Z') }
    const embedded = await openTestWorkspace({ clock })
    const onServer = await openTestWorkspace({ clock, db: await server().openDatabase(migrations) })
    const list = async (workspace: TestWorkspace, input: object) =>
      (await workspace.run(listItems, input)).map(({ id }: { id: number }) => id)
    for (const workspace of [embedded, onServer]) {
      await workspace.run(importFeature, { featureId: 101 })
      await workspace.run(saveView, { name: 'sprint', criteria: { iteration: '@current', state: 'open' } })
    }
    for (const input of [
      { state: 'active,done' },
      { type: 'story' },
      { assignedTo: 'tanak,Jonas Lindqvist' },
      { area: 'Yard', iteration: 'Sprint 24' },
      { tag: 'gate' },
      { parent: '204,205' },
      { filter: 'sprint', sort: 'state,-points' },
    ]) {
      const wanted = await list(embedded, input)
      expect(wanted.length, JSON.stringify(input)).toBeGreaterThan(0)
      expect(await list(onServer, input), JSON.stringify(input)).toEqual(wanted)
    }
    for (const input of [{ state: 'Activ' }, { tag: "'" }, { parent: '999999999999999' }])
      expect(await list(onServer, input)).toEqual([])
  })
})
