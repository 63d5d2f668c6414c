import { chmodSync, cpSync, mkdirSync, readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { resolvePaths } from '../../../src/config/services/paths'
import { temporaryFolder } from '../../temporary-folder'
import { expectQuoted } from './namespace'

/** The program as an account that is in no list of users, in a folder that it may write to. */
function programOfUnknownAccount() {
  const folder = temporaryFolder()
  const cwd = join(folder, 'cwd')
  for (const name of ['package.json', 'bin', 'dist']) cpSync(name, join(folder, 'app', name), { recursive: true })
  mkdirSync(cwd)
  chmodSync(folder, 0o755)
  chmodSync(cwd, 0o777)
  const run = async (env: Record<string, string>, ...args: string[]) => {
    const { exitCode, stdout, stderr } = await execa(process.execPath, [join(folder, 'app/bin/studio.js'), ...args], {
      ...{ uid: 54_321, gid: 54_321, cwd, extendEnv: false, reject: false, stdin: 'ignore' },
      env: { PATH: process.env['PATH'] ?? '', ...env },
      stripFinalNewline: false,
    })
    return { exitCode: exitCode ?? -1, out: stdout, err: stderr }
  }
  return { cwd, run }
}

const canChangeAccount = process.getuid?.() === 0
if (!canChangeAccount) console.log('Accounts without a home are not tested: only root can act for one.')

describe.runIf(canChangeAccount)('an account without a home', () => {
  it('gets the advice to set STUDIO_HOME, and then everything works', async () => {
    const { cwd, run } = programOfUnknownAccount()
    const homes: Record<string, string>[] = [{}, { HOME: '' }, { HOME: 'relative' }]
    for (const env of homes) expectQuoted(await run(env, 'draft', 'save', '--title', 'First'), 2)
    expect(readdirSync(cwd)).toEqual([])
    expect(await run({}, '--version')).toMatchObject({ exitCode: 0, err: '' })
    expect(await run({ STUDIO_HOME: join(cwd, 'own') }, 'draft', 'save', '--title', 'First')).toMatchObject({
      exitCode: 0,
      err: '',
    })
  })

  it('whose home cannot be created gets the reason, by doctor too', async () => {
    const { run } = programOfUnknownAccount()
    const env = { HOME: '/nonexistent' }
    expectQuoted(await run(env, 'draft', 'save', '--title', 'First'), 7, '/nonexistent/.local/share/studio')
    const { exitCode, out } = await run(env, 'doctor', '--offline', '--quick')
    expect([exitCode, out]).toEqual([8, expect.stringContaining('cannot be created: you cannot write to /.')])
  })

  it.runIf(process.platform === 'linux')(
    'whose home is in a place without folders ends at once with a message',
    async () => {
      const { run } = programOfUnknownAccount()
      // Node.js never ends creating a folder with its parents there.
      const env = { HOME: '/proc/none' }
      for (const args of [
        ['draft', 'save', '--title', 'First'],
        ['item', 'list'],
        ['search', 'door', '--quiet'],
      ])
        expectQuoted(await run(env, ...args), 7, '/proc/none/.local/share/studio')
      expect(await run(env, 'agent')).toMatchObject({ exitCode: 0, err: '' })
    },
  )
})

describe.runIf(process.platform !== 'win32')('the folders of studio', () => {
  it('are below the home if XDG variables are relative, as their specification says', () => {
    const relative = { XDG_DATA_HOME: 'data', XDG_CONFIG_HOME: './config', XDG_STATE_HOME: '' }
    expect(resolvePaths(relative)).toEqual({
      data: join(homedir(), '.local/share/studio'),
      config: join(homedir(), '.config/studio'),
      state: join(homedir(), '.local/state/studio'),
    })
    expect(resolvePaths({ ...relative, XDG_DATA_HOME: '/srv/data' }).data).toBe('/srv/data/studio')
  })
})
