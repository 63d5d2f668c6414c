import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'

const NOT_BUILT = 'error: studio is not built yet.\nhint: Run: npm ci && npm run build\n'

/** A folder with `bin`, and with these files of `dist`. */
async function installed(dist: Record<string, string> = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'studio-bin-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await cp('bin', join(folder, 'bin'), { recursive: true })
  await writeFile(join(folder, 'package.json'), '{"type": "module"}')
  await mkdir(join(folder, 'dist'))
  for (const [name, text] of Object.entries(dist)) await writeFile(join(folder, 'dist', name), text)
  return folder
}

function run(...args: string[]): Promise<{ code: unknown; out: string; err: string }> {
  return new Promise((done) =>
    execFile(process.execPath, args, (error, out, err) => done({ code: error?.code ?? 0, out, err })),
  )
}

describe('the program that npm puts on the path', () => {
  const handsOver = { 'main.cjs': 'exports.main = async (words) => console.log(words)' }
  const handedOver = { code: 0, out: "[ 'item', 'list' ]\n", err: '' }

  it('hands the words over', async () => {
    const folder = await installed(handsOver)
    expect(await run(join(folder, 'bin', 'studio.js'), 'item', 'list')).toEqual(handedOver)
  })

  // On Windows npm writes a command file that names the program.
  it.skipIf(process.platform === 'win32')('hands the words over through a link', async () => {
    const folder = await installed(handsOver)
    const link = join(folder, 'studio')
    await symlink(join(folder, 'bin', 'studio.js'), link)
    expect(await run(link, 'item', 'list')).toEqual(handedOver)
  })

  it.each([
    ['nothing', {}],
    ['no file that it asks for', { 'main.cjs': "exports.main = async () => require('./gone.cjs')" }],
    ['no file that it imports', { 'main.cjs': "exports.main = async () => import('./gone.js')" }],
  ])('says that it is to be built where the build holds %s', async (_what, dist) => {
    const folder = await installed(dist)
    expect(await run(join(folder, 'bin', 'studio.js'))).toEqual({ code: 1, out: '', err: NOT_BUILT })
  })

  it('hides no other fault', async () => {
    const folder = await installed({ 'main.cjs': "exports.main = async () => { throw new Error('other') }" })
    const { code, err } = await run(join(folder, 'bin', 'studio.js'))
    expect([code, err]).toEqual([1, expect.stringContaining('Error: other')])
  })

  it('says which Node it needs to one that is too old to run it', async () => {
    const folder = await installed({ 'main.cjs': 'process.getBuiltinModule()' })
    const old = join(folder, 'old.cjs')
    await writeFile(old, 'process.getBuiltinModule = undefined')
    const { code, err } = await run('--require', old, join(folder, 'bin', 'studio.js'), '--version')
    expect([code, err]).toEqual([1, expect.stringMatching(/^error: Node\.js \S+ is too old\.\nhint: .*20\.19.*\n$/)])
  })
})
