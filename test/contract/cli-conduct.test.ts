import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { canOpenTerminal, program } from './program'

describe('the conduct of the command line', () => {
  it('prints its version', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
    const studio = await program()
    expect(await studio.run(['--version'])).toEqual({ exitCode: 0, out: `${version}\n`, err: '' })
  })

  it('shows the help of the whole', async () => {
    const studio = await program()
    const help = await studio.run(['--help'])
    expect(help.exitCode).toBe(0)
    expect(help.out).toMatchSnapshot()
    expect((await studio.run([])).out).toBe(help.out)
    expect((await studio.run(['help'])).out).toBe(help.out)
  })

  it.each([
    'import',
    'copy-sanitize',
    'search',
    'batch-update',
    'brief',
    'book',
    'reschedule',
    'item get',
    'facility create',
    'tenant key create',
    'serve',
    'sandbox',
  ])('shows the help of %s', async (command) => {
    const studio = await program()
    const { exitCode, out } = await studio.run([...command.split(' '), '--help'])
    expect(exitCode).toBe(0)
    expect(out).toMatchSnapshot()
  })

  it('lists the commands of a noun', async () => {
    const studio = await program()
    expect((await studio.run(['appointment'])).out).toContain('appointment cancel')
    expect((await studio.run(['tenant', 'key', '--help'])).out).toContain('tenant key create')
  })

  it.each([
    [['serch', 'x'], 'studio search'],
    [['item', 'gte', '1'], 'studio item get'],
    [['search', 'x', '--limt', '3'], '--limit'],
    [['item', 'get'], 'studio item get --help'],
    [['item', 'get', 'seven'], 'itemId|<id>'],
    [['search', 'x', '--limit', '900'], '--limit'],
    [['item', 'list', '--fields', 'id'], '--json'],
    [['item', 'list', '--json', '--fields', 'nope'], 'Valid fields: id'],
  ])('refuses %j with exit 2 and names what to do', async (args, remedy) => {
    const studio = await program()
    const { exitCode, out, err } = await studio.run(args)
    expect(exitCode).toBe(2)
    expect(out).toBe('')
    expect(err).toMatch(new RegExp(remedy))
  })

  it('gives an error as the error body with --json', async () => {
    const studio = await program()
    const { exitCode, out, err } = await studio.run(['draft', 'get', '9', '--json'])
    expect(exitCode).toBe(3)
    expect(out).toBe('')
    expect(JSON.parse(err)).toEqual({
      status: 'error',
      code: 'not_found',
      message: 'There is no draft 9.',
      hint: 'List the drafts: studio draft list',
      details: [],
      requestId: null,
    })
  })

  it('is interrupted where a question gets no answer, for the input has ended', async () => {
    const studio = await program()
    await studio.run(['draft', 'save', '--title', 'Dock'])
    const terminal = join(studio.home, 'terminal.cjs')
    writeFileSync(
      terminal,
      `process.stdin.isTTY = process.stderr.isTTY = true
       const fs = require('node:fs')
       const { fstatSync } = fs
       fs.fstatSync = (fd, ...options) => (fd > 2 ? fstatSync(fd, ...options) : { isCharacterDevice: () => true, rdev: 1 })`,
    )
    const env = { NODE_OPTIONS: `--require ${terminal}` }
    const { exitCode, err } = await studio.run(['draft', 'delete', '1'], { env })
    expect([exitCode, err]).toEqual([130, expect.stringContaining('Delete the draft permanently?')])
    expect(err).toContain('error: Nothing was changed.\n')
    expect(await studio.json(['draft', 'list'])).toHaveLength(1)
  })

  it.skipIf(!canOpenTerminal)('is interrupted by Ctrl-D at a question that follows a preview', async () => {
    const studio = await program()
    await studio.run(['import', '101'])
    const command = `"${process.execPath}" "${process.cwd()}/bin/studio.js" batch-update 343 --set Priority=1 --no-color`
    const env = { PATH: process.env['PATH'] ?? '', STUDIO_HOME: studio.home, TERM: 'xterm' }
    const terminal = execa('script', ['-qec', command, '/dev/null'], { env, extendEnv: false, reject: false })
    let screen = ''
    let isAsked = false
    terminal.stdout.on('data', (data: Buffer) => {
      screen += data
      if (isAsked || !screen.includes('Save these changes')) return
      isAsked = true
      terminal.stdin.write('\u0004')
    })
    const { exitCode, stdout } = await terminal
    expect([exitCode, stdout]).toEqual([130, expect.stringContaining('error: Nothing was changed.')])
    expect((await studio.json(['item', 'get', '343', '--cached'])).priority).toBe(2)
  })

  it('ends cleanly when the reader leaves', async () => {
    const studio = await program()
    await studio.run(['import', '101'])
    const args = ['bin/studio.js', 'item', 'list', '--json']
    const env = { ...process.env, STUDIO_HOME: studio.home }
    const running = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
    let messages = ''
    running.stderr.on('data', (data) => {
      messages += data
    })
    running.stdout.destroy()
    expect(await once(running, 'close')).toEqual([0, null])
    expect(messages).toBe('')
  })

  it('colours for FORCE_COLOR, and never for --no-color', async () => {
    const studio = await program()
    const env = { FORCE_COLOR: '1' }
    expect((await studio.run(['folder', 'list'], { env })).out).toContain('\u001b[')
    expect((await studio.run(['folder', 'list', '--no-color'], { env })).out).not.toContain('\u001b[')
    expect((await studio.run(['folder', 'list'])).out).not.toContain('\u001b[')
  })

  it('cuts a list at the limit, and says so', async () => {
    const studio = await program()
    await studio.run(['import', '--item', '201', '202', '203'])
    const { out, err } = await studio.run(['item', 'list', '--json', '--sort', '-id', '--limit', '2', '--fields', 'id'])
    expect(JSON.parse(out)).toEqual([{ id: 203 }, { id: 202 }])
    expect(err).toContain('Showing 2 of 3')
  })

  it('runs the demonstration to its end', async () => {
    const studio = await program()
    const { exitCode, out, err } = await studio.run(['demo'])
    expect(err).toBe('')
    expect(exitCode).toBe(0)
    for (const command of ['import', 'search', 'copy-sanitize', 'batch-update', 'brief', 'book', 'reschedule']) {
      expect(out).toContain(`$ studio ${command}`)
    }
    expect(out).toContain('Next steps')
  })
})
