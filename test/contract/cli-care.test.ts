import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openStudio } from '../../src/library'
import { firstJsonLine, openOnce, program } from './program'

const facility = '--code DC1 --name North --time-zone America/Chicago --queue'.split(' ')

/** A tracker that takes calls and never answers. */
async function silentTracker(): Promise<{ env: Record<string, string>; asked: Promise<unknown> }> {
  const server = createServer()
  const asked = once(server, 'request')
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { env: { STUDIO_TRACKER_URL: `http://127.0.0.1:${port}/any`, STUDIO_TRACKER_PROJECT: 'Any' }, asked }
}

/** What commands have saved in the home. Reading it in this process takes less time than two commands. */
async function listSaved(home: string) {
  const studio = openStudio({ env: { STUDIO_HOME: home }, cwd: home })
  try {
    return { drafts: await studio.call('drafts.list'), tenants: await studio.call('tenants.list') }
  } finally {
    await studio.close()
  }
}

const NEW_BUG = ['item', 'create', '--type', 'Bug', '--title', 'x', '--yes']

describe('a refusal', () => {
  const shared = openOnce(program)

  it.each([
    [['copy-sanitize', '204', '--json', '--fields', 'nope'], 'no such field: nope'],
    [['tenant', 'key', 'create', '--json', '--fields', 'nope'], 'no such field: nope'],
    [['item', 'list', '--sort', 'nope'], 'no such field: nope'],
    [['item', 'list', '--limit', '201'], 'from 1 to 200'],
    [['import', '101', '--item', '204'], 'not both'],
    [['batch-update', '343', '344'], '--set'],
    [['batch-update', '343', '344', '--set', 'Priority=99', '--yes'], 'use one of 1, 2, 3, 4'],
    [[...NEW_BUG, '--set', 'Nope=1', '--set', 'Zip It=2', '--set', 'State=Bogus'], '--set Nope=…: is not a field'],
    [[...NEW_BUG, '--set', 'Nope=1', '--set', 'Zip It=2', '--set', 'State=Bogus'], '--set "Zip It=…": is not a field'],
    [[...NEW_BUG, '--set', 'Nope=1', '--set', 'Zip It=2', '--set', 'State=Bogus'], '--set State=…: "Bogus" is not a'],
    [['item', '--bogus'], 'Unknown flag --bogus'],
  ])('of %j comes before anything is done', async (args, says) => {
    const { exitCode, out, err } = await shared().run(args)
    expect({ exitCode, out }).toEqual({ exitCode: 2, out: '' })
    expect(err).toContain(says)
    expect(await listSaved(shared().home)).toEqual({ drafts: [], tenants: [] })
  })

  it('names each flag that is missing, as it is typed', async () => {
    const { err } = await shared().run(['book', '--pallets', 'many', '--json'])
    const { details } = JSON.parse(err)
    expect(details.map(({ path, message }: any) => `${path} ${message}`)).toEqual(
      expect.arrayContaining([
        '--type is required',
        '--carrier is required',
        '--date is required unless a start time is given',
        '--pallets must be a number',
      ]),
    )
  })

  it('names the custom field of a facility that is missing or wrong', async () => {
    const { run } = await program()
    const hours = ['--time-zone', 'UTC', '--queue', 'daily 00:00-24:00', '--door', 'Door 1']
    const fields = ['--custom-field', 'seal: required text', '--custom-field', 'axles: number']
    await run(['facility', 'create', '--code', 'DC1', '--name', 'North', ...hours, ...fields])
    const load = ['--type', 'pickup', '--carrier', 'Acme', '--reference', 'R', '--date', '2099-01-01']
    const { exitCode, err } = await run(['book', '--facility', 'DC1', ...load, '--field', 'axles=two'])
    expect(exitCode).toBe(2)
    expect(err).toContain('--field axles=…: must be a number; --field seal=…: is required: a text')
  })

  it('is all that standard error holds with --json', async () => {
    const { err } = await shared().run(['item', 'get', '99999', '--json'])
    expect(JSON.parse(err)).toMatchObject({ code: 'not_found', hint: expect.any(String) })
  })
})

describe('words', () => {
  it.each(['constructor', '__proto__', 'toString'])('%s is a word like any other', async (word) => {
    const studio = await program()
    expect(await studio.json(['search', word])).toMatchObject({ query: word })
    expect((await studio.run([word])).exitCode).toBe(2)
  })

  it('with an equals sign are further fields to set', async () => {
    const studio = await program()
    const answer = await studio.json(['batch-update', '344', '--set', 'Priority=3', 'State=Active', '--dry-run'])
    expect(answer.results[0].changes.map(({ field }: any) => field)).toEqual(['Priority', 'State'])
  })
})

describe('a value that begins with an at sign', () => {
  it('is the text of a file, after a flag and as an argument', async () => {
    const studio = await program()
    await writeFile(join(studio.home, 'story.md'), '- one\n- two\n')
    const change = async (...args: string[]) => {
      const answer = await studio.json(['batch-update', '204', ...args, '--dry-run'])
      return answer.results[0].changes[0]
    }
    const pair = `Description=@${join(studio.home, 'story.md')}`
    expect(await change('--set', pair)).toMatchObject({ to: '- one\n- two', storedAs: 'html' })
    expect(await change('--set', 'Title=@@home', pair)).toMatchObject({ field: 'Title', to: '@home' })
    const { exitCode, err } = await studio.run(['batch-update', '204', '--set', 'Description=@missing.md'])
    expect([exitCode, err]).toEqual([2, expect.stringContaining('missing.md: the file does not exist.')])
  })
})

describe('a text of others', () => {
  it('cannot control the terminal', async () => {
    const studio = await program()
    const title = 'Dock\u001b[2J\u202edoor'
    await studio.json(['batch-update', '343', '--set', `Title=${title}`])
    const shown = await studio.run(['item', 'get', '343'])
    expect(shown.out).not.toMatch(/[\u001b\u202e]/)
    const { out } = await studio.run(['item', 'get', '343', '--json'])
    expect(out).not.toMatch(/[\u001b\u202e]/)
    expect(JSON.parse(out).title).toBe(title)
  })
})

describe('the demonstration', () => {
  it("never asks the user's own tracker", async () => {
    const studio = await program()
    const temporary = join(studio.home, 'tmp')
    await mkdir(temporary)
    await writeFile(
      join(temporary, 'studio.config.json'),
      JSON.stringify({ tracker: { url: 'http://127.0.0.1:9/yours' } }),
    )
    const { exitCode, out } = await studio.run(['demo'], { env: { TMPDIR: temporary } })
    expect(exitCode).toBe(0)
    expect(out).toContain('30 items')
  })
})

describe('the server', () => {
  // Windows has no signal that lets a process end by itself.
  it.skipIf(process.platform === 'win32')('stops with exit 0 while a call is still under way', async () => {
    const studio = await program()
    const { env, asked } = await silentTracker()
    const running = studio.start(['serve', '--port', '0', '--json'], env)
    const { url } = await firstJsonLine(running)
    const call = fetch(`${url}/api/devops/items/204`).catch(() => null)
    await asked
    running.kill('SIGTERM')
    expect((await running).exitCode).toBe(0)
    await call
  })

  it('cuts an array at the limit, and says how many there are', async () => {
    const studio = await program()
    for (const code of ['A', 'B', 'C']) {
      const doors = ['--door', 'Door 1']
      await studio.json(['facility', 'create', ...facility, 'mon-fri 06:00-18:00', ...doors, '--code', code])
    }
    const { key } = await studio.json(['tenant', 'key', 'create'])
    const { url } = await firstJsonLine(studio.start(['serve', '--port', '0', '--json']))
    const page = async (query: string) => {
      const response = await fetch(`${url}/api/facilities${query}`, { headers: { 'x-api-key': key } })
      const codes = ((await response.json()) as any[]).map(({ code }) => code)
      return { codes, total: response.headers.get('x-total-count'), next: response.headers.get('x-next-cursor') }
    }
    expect(await page('')).toEqual({ codes: ['A', 'B', 'C'], total: null, next: null })
    const first = await page('?limit=2')
    expect(first).toMatchObject({ codes: ['A', 'B'], total: '3' })
    expect(await page(`?limit=2&cursor=${first.next}`)).toEqual({ codes: ['C'], total: '3', next: null })
    expect((await fetch(`${url}/api/facilities?limit=0`, { headers: { 'x-api-key': key } })).status).toBe(400)
  })
})
