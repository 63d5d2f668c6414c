import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Program, program } from './program'

/** SQLite as another program uses it. */
const SCRIPT = `
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
for statement in sys.argv[2:]: connection.execute(statement).fetchall()
connection.close()`
const hasPython = spawnSync('python3', ['-c', 'import sqlite3']).status === 0

/** A draft, a facility and an appointment, all of them in the log of a new database. */
async function programWithData(): Promise<{ studio: Program; path: string }> {
  const studio = await program()
  await studio.json(['draft', 'save', '--title', 'Unload at night'])
  const hours = ['--queue', 'mon-sun 00:00-23:00', '--door', 'D1']
  await studio.json(['facility', 'create', '--code', 'DC1', '--name', 'North', '--time-zone', 'UTC', ...hours])
  const load = ['--type', 'delivery', '--carrier', 'Acme', '--reference', 'PO-1', '--date', '2030-01-08']
  await studio.json(['book', '--facility', 'DC1', ...load])
  return { studio, path: join(studio.home, 'studio.db') }
}

const runInPython = (path: string, ...statements: string[]) =>
  expect(spawnSync('python3', ['-c', SCRIPT, path, ...statements]).status).toBe(0)

async function expectData(studio: Program): Promise<void> {
  expect(await studio.json(['draft', 'list'])).toMatchObject([{ title: 'Unload at night' }])
  const found = await studio.json(['appointment', 'list', '--facility', 'DC1', '--reference', 'PO-1'])
  expect(found).toMatchObject([{ referenceNumber: 'PO-1' }])
}

describe('a database that another program has changed', () => {
  it.skipIf(!hasPython)('is used as before after a switch of the journal mode', async () => {
    const { studio, path } = await programWithData()
    runInPython(path, 'pragma journal_mode = wal')
    await expectData(studio)
    const doctor = await studio.run(['doctor', '--offline'])
    expect(doctor.exitCode).toBe(0)
    expect(doctor.out).toContain('Another program has changed its header')
  })

  it.skipIf(!hasPython)('is repaired after VACUUM without a loss, and exits with 0', async () => {
    const { studio, path } = await programWithData()
    runInPython(path, 'vacuum')
    const { exitCode, err } = await studio.run(['draft', 'list'])
    expect(exitCode).toBe(1)
    expect(err).toContain('studio doctor --repair')
    expect(err).toContain('studio restore <file>')
    expect((await studio.run(['doctor', '--offline'])).exitCode).toBe(8)
    const repair = await studio.run(['doctor', '--offline', '--repair', '--yes'])
    expect(repair.out).toMatch(/3 commits of the log applied\. The previous files are in .*studio\.db\.aside-/)
    expect(repair.exitCode).toBe(0)
    await expectData(studio)
  })

  it('is repaired as far as possible, and exits with 8 if something may be lost', async () => {
    const { studio, path } = await programWithData()
    writeFileSync(path, randomBytes(statSync(path).size))
    expect(await studio.run(['draft', 'list'])).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('is not a database'),
    })
    const repair = await studio.run(['doctor', '--offline', '--repair', '--yes'])
    expect(repair.out).toContain('lost  the whole base')
    expect(repair.exitCode).toBe(8)
    expect(readdirSync(studio.home).filter((name) => name.includes('.aside-'))).toHaveLength(1)
    await expectData(studio)
  })
})
