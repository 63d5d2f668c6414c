/// <reference types="vite/types/importMeta.d.ts" />
import { beforeAll, describe, vi } from 'vitest'
import type { Database, Migration } from '../../../src/storage'
import { describeWithPostgres } from './server'

/** Runs the tests of the operations with a database on the server instead of one in memory. */
const stage = vi.hoisted(() => ({ open: async (_: readonly Migration[]): Promise<Database> => Promise.reject() }))
vi.mock('../../../src/storage', async (original) => ({
  ...(await original<typeof import('../../../src/storage')>()),
  openMemoryDatabase: (migrations: readonly Migration[]) => stage.open(migrations),
}))

const tests = import.meta.glob('../../{access,docks,reports,search,workspace}/operations/*.test.ts')

describeWithPostgres('on PostgreSQL', async (server) => {
  beforeAll(() => {
    stage.open = (migrations) => server().openDatabase(migrations)
  })
  for (const [path, load] of Object.entries(tests))
    describe(path.replace('../../', ''), async () => void (await load()))
})
