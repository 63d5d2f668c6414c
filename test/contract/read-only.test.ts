import { chmodSync, cpSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, it } from 'vitest'
import { serverAccount } from '../storage/postgres/server'
import { temporaryFolder } from '../temporary-folder'

/** The program as an account that permissions apply to, in folders that it may enter. */
async function programOfAnotherAccount() {
  const folder = temporaryFolder()
  const home = join(folder, 'home')
  for (const name of ['package.json', 'bin', 'dist']) cpSync(name, join(folder, 'app', name), { recursive: true })
  mkdirSync(home)
  chmodSync(folder, 0o755)
  chmodSync(home, 0o777)
  const account = await serverAccount()
  const env = { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent', STUDIO_HOME: home }
  const run = (...args: string[]) =>
    execa(process.execPath, [join(folder, 'app/bin/studio.js'), ...args], {
      ...account,
      ...{ cwd: folder, env, extendEnv: false, reject: false, stdin: 'ignore' },
    })
  return { home, run }
}

// Windows has access lists instead of these modes and accounts.
it.skipIf(process.platform === 'win32')(
  'doctor reports that nothing can be written if the folder or the log is read-only',
  async () => {
    const { home, run } = await programOfAnotherAccount()
    expect((await run('draft', 'save', '--title', 'A draft')).exitCode).toBe(0)
    const inspectDisk = async () => {
      const { stdout, exitCode } = await run('doctor', '--offline', '--quick', '--json')
      const findings: { about: string }[] = JSON.parse(stdout).findings
      return { exitCode, disk: findings.find(({ about }) => about === 'disk') }
    }
    const unwritable = (file: string) => ({
      exitCode: 8,
      disk: {
        level: 'problem',
        message: `Nothing can be written. Cannot use ${file}: permission was denied.`,
        fix: expect.stringContaining('permissions'),
      },
    })
    expect((await inspectDisk()).disk).toMatchObject({ level: 'ok' })

    const segments = readdirSync(home).filter((name) => name.startsWith('studio.db.log.'))
    for (const name of segments) chmodSync(join(home, name), 0o444)
    expect(await inspectDisk()).toMatchObject(unwritable(join(home, segments.at(-1)!)))
    expect((await run('draft', 'save', '--title', 'Another')).exitCode).toBe(7)

    for (const name of segments) chmodSync(join(home, name), 0o666)
    chmodSync(home, 0o555)
    expect(await inspectDisk()).toMatchObject(unwritable(home))
  },
)
