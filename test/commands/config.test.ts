import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { runCommand } from '../../commands/start/command-line'
import { memoryTerminal } from '../../commands/terminal/terminal'
import { temporaryFolder } from '../temporary-folder'

let home: string
beforeEach(() => {
  home = temporaryFolder()
})

async function studio(...argv: string[]) {
  const terminal = memoryTerminal({ env: { STUDIO_HOME: home }, cwd: home })
  const code = await runCommand(argv, terminal, new AbortController().signal)
  return { code, output: terminal.output, errors: terminal.errors }
}

describe('studio config', () => {
  it('sets, gets, lists and removes', async () => {
    expect(await studio('config', 'get', 'user')).toMatchObject({ code: 3, output: '' })
    expect(await studio('config', 'set', 'user', 'ana@example.com')).toMatchObject({ code: 0, output: '' })
    expect(await studio('config', 'get', 'user')).toMatchObject({ code: 0, output: 'ana@example.com\n' })
    const { output } = await studio('config', 'list', '--sources')
    const user = output.split('\n').find((line) => line.startsWith('user '))
    expect(user?.split(/ +/)).toEqual(['user', 'ana@example.com', join(home, 'config.json')])
    expect(output).toMatch(/^serve\.port +4317 +default$/m)
    expect((await studio('config', 'set', 'user', '--unset')).code).toBe(0)
    expect((await studio('config', 'get', 'user')).code).toBe(3)
  })

  it('prints JSON, with the requested fields', async () => {
    const { output } = await studio('config', 'list', '--json', '--fields', 'key')
    expect(JSON.parse(output)[0]).toEqual({ key: 'db' })
    expect(JSON.parse((await studio('config', 'set', 'tenant', 'acme', '--json')).output)).toEqual({
      key: 'tenant',
      value: 'acme',
      source: join(home, 'config.json'),
      file: join(home, 'config.json'),
    })
  })

  it('says when another source overrides a change', async () => {
    const terminal = memoryTerminal({ env: { STUDIO_HOME: home, STUDIO_USER: 'ben' }, cwd: home })
    await runCommand(['config', 'set', 'user', 'ana'], terminal, new AbortController().signal)
    expect(terminal.errors).toContain('because STUDIO_USER overrides it')
  })

  it.each([
    [['config', 'set', 'user'], 'Specify a value for user'],
    [['config', 'set', 'user', 'ana', '--unset'], 'not both'],
    [['config', 'list', '--fields', 'key'], '--fields goes with --json'],
    [['config', 'list', '--json', '--fields', 'colour'], 'colour'],
  ])('refuses %j', async (argv, message) => {
    expect(await studio(...argv)).toMatchObject({ code: 2, errors: expect.stringContaining(message) })
  })
})
