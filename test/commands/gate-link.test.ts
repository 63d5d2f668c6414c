import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runCommand } from '../../commands/start/command-line'
import { memoryTerminal } from '../../commands/terminal/terminal'
import { temporaryFolder } from '../temporary-folder'

async function openTerminal(env: Record<string, string> = { STUDIO_PUBLIC_URL: 'https://docks.example.com' }) {
  const home = temporaryFolder()
  const run = async (line: string, { outIsTty = false, more = [] as string[] } = {}) => {
    const terminal = memoryTerminal({ env: { STUDIO_HOME: home, TERM: 'dumb', ...env }, cwd: home, outIsTty })
    const exitCode = await runCommand([...line.split(' '), ...more], terminal, new AbortController().signal)
    return { exitCode, out: terminal.output, err: terminal.errors }
  }
  const create = 'facility create --code DC1 --name North --time-zone UTC --door 1 --queue'
  await run(create, { more: ['mon-sun 00:00-24:00'] })
  const count = async () => JSON.parse((await run('gate-link list --facility DC1 --json')).out).length
  return { run, count, read: (name: string) => readFileSync(join(home, name)) }
}

describe('studio facility gate-link', () => {
  it('prints the link, and on a terminal its QR code too', async () => {
    const { run } = await openTerminal()
    const link = /^https:\/\/docks\.example\.com\/gate#studio_gat_\w{36}\n/
    const piped = (await run('facility gate-link DC1')).out
    expect(piped).toMatch(link)
    expect(piped).not.toContain('█')
    expect((await run('facility gate-link DC1', { outIsTty: true })).out).toContain('████████')
  })

  it('writes the QR code by the name of the file, and JSON where that is asked for', async () => {
    const { run, read } = await openTerminal()
    await run('facility gate-link DC1 --out gate.svg')
    expect(read('gate.svg').toString()).toMatch(/^<\?xml.*<svg.*>North<.*<\/svg>\n$/s)
    await run('facility gate-link DC1 --out GATE.PNG')
    expect(read('GATE.PNG').subarray(1, 4).toString()).toBe('PNG')
    await run('facility gate-link DC1 --out gate.bin --format png')
    expect(read('gate.bin').subarray(1, 4).toString()).toBe('PNG')
    await run('facility gate-link DC1 --json --out json.svg')
    expect(JSON.parse(read('json.svg').toString()).link).toContain('/gate#')
  })

  it('creates no link for a code that could not be written or scanned', async () => {
    const { run, count } = await openTerminal()
    for (const line of ['--format png', '--format png --out -'])
      expect(await run(`facility gate-link DC1 ${line}`)).toMatchObject({
        exitCode: 2,
        err: expect.stringContaining('--format png needs a file.'),
      })
    expect(await count()).toBe(0)
    const without = await openTerminal({})
    for (const line of ['--format svg', '--out gate.png', '--out gate.SVG'])
      expect((await without.run(`facility gate-link DC1 ${line}`)).err).toContain('studio config set serve.publicUrl')
    expect(await without.count()).toBe(0)
    expect((await without.run('facility gate-link DC1')).out).toMatch(/^\/gate#studio_gat_/)
  })
})

describe('studio appointment get', () => {
  it('writes the QR code of the reference', async () => {
    const { run, read } = await openTerminal()
    const booked = await run(
      'book --facility DC1 --date 2055-03-01 --reference PO-1 --type delivery --carrier A --json',
    )
    const { id } = JSON.parse(booked.out).data
    await run(`appointment get ${id} --out reference.png`)
    expect(read('reference.png').subarray(1, 4).toString()).toBe('PNG')
    await run(`appointment get ${id} --out reference.svg`)
    expect(read('reference.svg').toString()).toContain('>PO-1</text>')
    expect(await run(`appointment get ${id} --format png`)).toMatchObject({
      exitCode: 2,
      out: '',
      err: expect.stringContaining('--out <file>'),
    })
  })
})
