import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openDatabase, openMemoryDatabase } from '../../src/storage'
import { describeDatabase } from './database-contract'

describeDatabase('memory', openMemoryDatabase)

describeDatabase('file', async (migrations) => {
  const folder = await mkdtemp(join(tmpdir(), 'studio-storage-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return openDatabase(join(folder, 'studio.db'), migrations)
})
