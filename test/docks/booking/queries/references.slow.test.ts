import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openDatabase, openMemoryDatabase } from '../../../../src/storage'
import { migrations } from '../../../../src/studio'
import { describeWithPostgres } from '../../../storage/postgres/server'
import { promisesOfReferences, raceForReferences } from './reference-oracle'

describe('the references of loads in the embedded engine', () => {
  promisesOfReferences(() => openMemoryDatabase(migrations), { runs: 100 })

  it('stay so with 32 clients of two processes', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'studio-references-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const databases = [await openDatabase(join(folder, 'studio.db'), migrations)]
    databases.push(await openDatabase(join(folder, 'studio.db'), migrations))
    for (let seed = 1; seed <= 3; seed++)
      expect(await raceForReferences(databases, { clients: 32, seed })).toBeGreaterThan(10)
    await Promise.all(databases.map((db) => db.close()))
  })
})

describeWithPostgres('the references of loads in PostgreSQL', (server) => {
  promisesOfReferences(async () => openDatabase(await server().createDatabase(), migrations), { runs: 25 })

  it('stay so with 32 clients of two processes', async () => {
    const address = await server().createDatabase()
    const databases = [await openDatabase(address, migrations), await openDatabase(address, migrations)]
    for (let seed = 1; seed <= 3; seed++)
      expect(await raceForReferences(databases, { clients: 32, seed })).toBeGreaterThan(10)
    await Promise.all(databases.map((db) => db.close()))
  })
})
