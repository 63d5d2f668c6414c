import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { program, type Ran } from '../program'
import { bin, expectQuoted, openPlace } from './namespace'

const canRestrict = process.allowedNodeEnvironmentFlags.has('--experimental-permission')
  ? '--experimental-permission'
  : '--permission'

describe('options of Node.js in the environment', () => {
  it.each([
    [{ NODE_OPTIONS: '--max-old-space-size=64' }],
    [{ NODE_OPTIONS: '--pending-deprecation --throw-deprecation' }],
    [{ NODE_OPTIONS: '--disallow-code-generation-from-strings --disable-proto=throw' }],
    [{ NODE_OPTIONS: '--enable-source-maps' }],
    [{ NODE_PENDING_DEPRECATION: '1', NODE_ENV: 'test', NODE_PATH: '/missing' }],
    [{ TERM: 'dumb', COLUMNS: '0', LC_ALL: 'xx' }],
  ])('change nothing and lead to no warning: %j', async (env) => {
    const studio = await program()
    const save = await studio.run(['draft', 'save', '--title', 'First'], { env })
    expect([save.exitCode, save.err]).toEqual([0, ''])
    expect(await studio.run(['search', 'First'], { env })).toMatchObject({ exitCode: 0, err: '' })
  })

  it('without WebAssembly end every command with the reason', async () => {
    const studio = await program()
    const { exitCode, err } = await studio.run(['draft', 'list'], { env: { NODE_OPTIONS: '--jitless' } })
    // Node.js itself reports that it has turned WebAssembly off.
    expectQuoted({ exitCode, out: '', err: err.slice(err.indexOf('error:')) }, 1)
  })

  it.runIf(process.platform === 'linux')('lets the database start where addresses are limited', () => {
    const { home } = openPlace()
    const save = (title: string, NODE_OPTIONS: string): Ran => {
      const words = [process.execPath, bin, 'draft', 'save', '--title', title]
      const env = { PATH: process.env['PATH'], STUDIO_HOME: home, NODE_OPTIONS }
      const limited = ['-c', 'ulimit -v 4000000; exec "$0" "$@" < /dev/null', ...words]
      const { status, stdout, stderr } = spawnSync('sh', limited, { env, encoding: 'utf8' })
      return { exitCode: status ?? -1, out: stdout, err: stderr }
    }
    expectQuoted(save('First', ''), 7)
    expect(save('Second', '--disable-wasm-trap-handler')).toMatchObject({ exitCode: 0, err: '' })
  })

  it('with the permission model allow reading and refuse writing, because nothing can be synced', async () => {
    const studio = await program()
    await studio.json(['draft', 'save', '--title', 'First'])
    const env = { NODE_OPTIONS: `${canRestrict} --allow-fs-read=* --allow-fs-write=*`, NODE_NO_WARNINGS: '1' }
    expectQuoted(await studio.run(['draft', 'save', '--title', 'Second'], { env }), 7)
    expect(await studio.json(['draft', 'list'], { env })).toMatchObject([{ title: 'First' }])
    expect(await studio.run(['filter', 'list'], { env })).toMatchObject({ exitCode: 0 })
    expect(await studio.json(['draft', 'save', '--title', 'Third'])).toMatchObject({ title: 'Third' })
  })
})
