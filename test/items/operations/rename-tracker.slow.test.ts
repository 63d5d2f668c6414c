import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { getItem } from '../../../src/items/operations/get-item'
import { importFeature } from '../../../src/items/operations/import/import-feature'
import { syncItems } from '../../../src/items/operations/import/sync-items'
import { execute } from '../../../src/kernel'
import { searchWorkspace } from '../../../src/search/operations/search-workspace'
import { openStudio } from '../../../src/studio'
import { describeWithPostgres } from '../../storage/postgres/server'
import { openGitHub } from '../../tracker/github/fixtures'

type Named = { reference: string }

/** A workspace in a database, with the repository works/harbor as its further tracker of that name. */
async function openWorkspace(address: string, name: string) {
  const { tracker } = await openGitHub({
    issues: [
      { number: 101, type: 'Feature', title: 'Automate the crane' },
      { number: 102, type: 'Story', parent: 101, title: 'Read the position of the crane' },
    ],
    types: ['Feature', 'Story'],
  })
  // The repository of each opened tracker has another port, and is the same one.
  const same = { ...tracker, resolveIdentity: async () => 'github.com/works/harbor' }
  const settings = { name, kind: 'github' as const, url: 'https://github.com/works/harbor', project: null }
  const studio = openStudio({
    env: { STUDIO_HOME: '/nowhere', STUDIO_DB: address },
    cwd: '/',
    furtherTrackers: [{ ...settings, open: async () => same }],
  })
  onTestFinished(() => studio.close())
  const run = (op: Parameters<typeof execute>[0], input: unknown): Promise<any> =>
    execute(op, input, studio.context({ actor: { kind: 'terminal', tenant: 'default' } }))
  const find = async (q: string): Promise<string[]> =>
    (await run(searchWorkspace as never, { q })).results.map(({ reference }: Named) => reference).sort()
  return { run, find }
}

function checkRenaming(createPlace: () => Promise<string>): void {
  it('is found by its new name, with the same items, as soon as it is asked for an item', async () => {
    const place = await createPlace()
    const before = await openWorkspace(place, 'code')
    await before.run(importFeature as never, { featureId: 'code:works/harbor#101' })
    const old = ['code:works/harbor#101', 'code:works/harbor#102']
    expect(await before.find('tracker:code crane')).toEqual(old)

    const { run, find } = await openWorkspace(place, 'cranes')
    expect(await find('tracker:code crane')).toEqual(old)
    expect(await find('tracker:cranes crane')).toEqual([])
    await run(getItem as never, { id: 'cranes:works/harbor#102' })
    expect(await find('tracker:cranes crane')).toEqual(['cranes:works/harbor#101', 'cranes:works/harbor#102'])
    expect(await find('tracker:code crane')).toEqual([])
  })

  it('is recognized by a call that names no tracker', async () => {
    const place = await createPlace()
    const before = await openWorkspace(place, 'code')
    await before.run(importFeature as never, { featureId: 'code:works/harbor#101' })
    const { run, find } = await openWorkspace(place, 'cranes')
    expect(await run(syncItems as never, {})).toMatchObject({ checked: 2, failed: 0 })
    expect(await find('tracker:cranes crane')).toHaveLength(2)
  })
}

describe('a tracker with another name in the settings', () => {
  describe('in files', () => {
    checkRenaming(async () => {
      const folder = await mkdtemp(join(tmpdir(), 'studio-renaming-'))
      onTestFinished(() => rm(folder, { recursive: true, force: true }))
      return join(folder, 'studio.db')
    })
  })

  describeWithPostgres('on PostgreSQL', (server) => {
    checkRenaming(() => server().createDatabase())
  })
})
