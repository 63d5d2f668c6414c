import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openDatabase } from '../../src/storage'
import { migrations } from '../../src/studio'
import { temporaryFolder } from '../temporary-folder'
import { served } from './served'

it.each([
  { replacement: 'a folder', code: 'unavailable', replace: (file: string) => mkdir(file) },
  {
    replacement: 'another file',
    code: 'database_damaged',
    replace: (file: string) => writeFile(file, 'x'.repeat(9_000)),
  },
  { replacement: 'nothing', code: 'database_damaged', replace: async () => {} },
])('answers 503 while the database file is replaced by $replacement, and recovers', async ({ code, replace }) => {
  const folder = temporaryFolder()
  const file = join(folder, 'studio.db')
  const server = await served({ db: await openDatabase(file, migrations), env: { STUDIO_DB: file } })
  const save = (title: string) => server.call('POST', '/api/stories/save-draft', { body: { title } })
  const list = () => server.call('GET', '/api/stories/saved')
  expect((await save('One')).status).toBe(200)
  expect((await list()).status).toBe(200)
  await rename(file, `${folder}/moved`)
  await replace(file)
  for (const call of [list, () => save('Two'), list]) {
    const { status, body, text } = await call()
    expect({ status, body }).toMatchObject({ status: 503, body: { status: 'error', code, details: expect.anything() } })
    expect(body.hint).not.toBeNull()
    expect(text).not.toContain(folder)
  }
  await rm(file, { recursive: true, force: true })
  await rename(`${folder}/moved`, file)
  expect((await list()).body.map(({ title }: { title: string }) => title)).toEqual(['One'])
  expect((await save('Two')).status).toBe(200)
  expect((await list()).body).toHaveLength(2)
})
