import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { runCommand } from '../../commands/start/command-line'
import { memoryTerminal } from '../../commands/terminal/terminal'

const CSV = 'ID,Work Item Type,Title,State\r\n1,Task,One,New\r\n'

async function emptyHome(): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'studio-import-'))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  return home
}

/** Imports a file that lies in the home. */
async function imported(home: string, name: string, ...more: string[]) {
  const terminal = memoryTerminal({ env: { STUDIO_HOME: home }, cwd: home })
  const argv = ['import', '--file', join(home, name), ...more]
  const exitCode = await runCommand(argv, terminal, new AbortController().signal)
  return { exitCode, out: terminal.output, err: terminal.errors }
}

describe('a dry run of an import', () => {
  it('creates no database', async () => {
    const home = await emptyHome()
    await writeFile(join(home, 'plan.csv'), CSV)
    const { exitCode, out } = await imported(home, 'plan.csv', '--dry-run')
    expect([exitCode, out]).toEqual([0, expect.stringContaining('1 added')])
    expect(await readdir(home)).toEqual(['plan.csv'])
  })

  it('reads the existing one', async () => {
    const home = await emptyHome()
    await writeFile(join(home, 'plan.csv'), CSV)
    await imported(home, 'plan.csv')
    const { out } = await imported(home, 'plan.csv', '--dry-run')
    expect(out).toContain('1 unchanged')
  })

  it('does not treat the remains of a database as none', async () => {
    const home = await emptyHome()
    await writeFile(join(home, 'plan.csv'), CSV)
    await imported(home, 'plan.csv')
    await rm(join(home, 'studio.db'))
    const { exitCode, err } = await imported(home, 'plan.csv', '--dry-run')
    expect([exitCode, err]).toEqual([1, expect.stringContaining('studio.db')])
  })
})

describe('a file that is not text', () => {
  it.each([
    ['a workbook', 'PK\u0003\u0004\u0014\u0000\u0006\u0000'],
    ['a workbook of old', Buffer.from('d0cf11e0a1b11ae1000000', 'hex')],
  ])('%s is rejected with a hint how to save it', async (_what, bytes) => {
    const home = await emptyHome()
    await writeFile(join(home, 'plan.xlsx'), bytes)
    const { exitCode, err } = await imported(home, 'plan.xlsx')
    expect(exitCode).toBe(2)
    expect(err).toContain('plan.xlsx: it is a workbook')
    expect(err).toContain('"CSV UTF-8"')
  })
})

describe('the report of an imported JSON file', () => {
  it('names its entries as the errors do', async () => {
    const home = await emptyHome()
    await writeFile(join(home, 'plan.json'), JSON.stringify([{ id: 'x', title: 'One' }]))
    const { exitCode, out } = await imported(home, 'plan.json')
    expect(exitCode).toBe(8)
    expect(out).toMatch(/^ENTRY/)
    expect(out).toContain('Entry 1, id: ')
    expect(out).not.toMatch(/line/i)
  })
})
