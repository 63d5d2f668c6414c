import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runCommand } from '../../commands/start/command-line'
import { memoryTerminal } from '../../commands/terminal/terminal'
import { temporaryFolder } from '../temporary-folder'

async function openYard() {
  const home = temporaryFolder()
  const run = async (line: string, ...more: string[]) => {
    const terminal = memoryTerminal({ env: { STUDIO_HOME: home, TERM: 'dumb' }, cwd: home })
    const exitCode = await runCommand([...line.split(' '), ...more], terminal, new AbortController().signal)
    return { exitCode, out: terminal.output, err: terminal.errors }
  }
  await run('facility create --code DC1 --name North --time-zone UTC --door D1 --queue', 'mon-sun 00:00-24:00')
  return { run, path: (name: string) => join(home, name) }
}

describe('studio yard', () => {
  it('says which spots were added, and whether there were new ones', async () => {
    const { run } = await openYard()
    expect((await run('yard add-spots DC1 Y1 Y2')).out).toBe('✓ Added 2 spots to the yard of DC1.\n')
    expect((await run('yard add-spots DC1 Y1')).out).toContain('Nothing was changed')
  })

  it('shows each place with its trailer, and only those doors that have one', async () => {
    const { run } = await openYard()
    expect((await run('yard board DC1')).out).toContain('Add some: studio yard add-spots DC1 Y1 Y2')
    await run('yard add-spots DC1 Y1 Y2')
    await run('yard arrive TR-1 --facility DC1 --carrier Blue --spot Y2 --no-loaded')
    await run('yard arrive TR-2 --facility DC1 --carrier Blue')
    const { out } = await run('yard board DC1')
    expect(out).toContain('2 trailers, 1 loaded, 1 empty, 1 of 2 spots free\n')
    const [, ...places] = out.split('\n').slice(3, -3)
    expect(places.map((line) => line.split(/ {2,}/).slice(0, 4))).toEqual([
      ['Y1'],
      ['Y2', 'TR-1', 'Blue', 'empty'],
      ['no place', 'TR-2', 'Blue', 'loaded'],
    ])
    await run('yard move TR-2 --door D1')
    expect((await run('yard board DC1')).out).toMatch(/^D1 +TR-2/m)
  })

  it('removes the note of a trailer by an empty text', async () => {
    const { run } = await openYard()
    await run('yard arrive TR-1 --facility DC1 --carrier Blue --note', 'Flat tire')
    expect((await run('yard get TR-1')).out).toContain('Flat tire')
    const { out } = await run('yard update TR-1 --json --facility DC1 --note', '')
    expect(JSON.parse(out).data.note).toBeNull()
  })

  it('asks for a place in the words of the command line', async () => {
    const { run } = await openYard()
    await run('yard arrive TR-1 --facility DC1 --carrier Blue')
    const { exitCode, err } = await run('yard move TR-1')
    expect([exitCode, err]).toEqual([2, expect.stringContaining('--spot: is required unless a door is given\n')])
  })

  it('writes a list as CSV that can be imported, and reports each refused row', async () => {
    const { run, path } = await openYard()
    await run('yard arrive TR-1 --facility DC1 --carrier Blue --note', '=1+1')
    await run('yard list --facility DC1 --format csv --out yard.csv')
    await run('yard undo TR-1')
    writeFileSync(path('yard.csv'), `${readFileSync(path('yard.csv'), 'utf8')},,TR-2\n`)
    const { exitCode, out } = await run('yard import --facility DC1', path('yard.csv'))
    expect([exitCode, out]).toEqual([8, expect.stringMatching(/^ +3 +TR-2 +.*carrierName: is required/m)])
    expect(out).toContain('1 trailer stored, 0 in the yard already, 1 refused\n')
    expect(JSON.parse((await run('yard get TR-1 --json')).out).note).toBe('=1+1')
  })
})
