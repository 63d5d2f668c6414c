import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { quickCompletion } from '../../commands/completion/quick-completion'
import { runCommand } from '../../commands/start/command-line'
import { memoryTerminal } from '../../commands/terminal/terminal'
import { temporaryFolder } from '../temporary-folder'

const github = { url: 'https://github.com/acme/harbor' }
const jira = { url: 'https://acme.atlassian.net', project: 'ABC' }

let home: string
beforeEach(() => {
  home = temporaryFolder()
})

const set = (settings: object) => writeFileSync(join(home, 'config.json'), JSON.stringify(settings))
const openTerminal = (env: NodeJS.ProcessEnv) => memoryTerminal({ env: { STUDIO_HOME: home, ...env }, cwd: home })

async function help(command: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
  const terminal = openTerminal(env)
  const code = await runCommand([...command.split(' '), '--help'], terminal, new AbortController().signal)
  expect(code).toBe(0)
  return terminal.output
}

async function complete(command: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
  const terminal = openTerminal(env)
  await quickCompletion(['__complete', 'zsh', '--', ...command.split(' '), '--'], terminal)
  return terminal.output
}

describe.each([
  ['help', help],
  ['completion', complete],
])('%s', (_name, show) => {
  it('offers everything without a tracker', async () => {
    expect(await show('item link')).toContain('--related')
    expect(await show('item list')).toContain('--area')
  })

  it('omits what the only tracker cannot do, and offers the rest', async () => {
    set({ tracker: github })
    const link = await show('item link')
    expect(link).not.toContain('--related')
    expect(link).toContain('--predecessor')
    expect(await show('item list')).not.toContain('--area')
    expect(await show('filter save')).not.toContain('--area')
    expect(await show('draft save')).not.toContain('--area-path')
  })

  it('offers what one of several trackers can do', async () => {
    set({ tracker: github, trackers: { jira } })
    expect(await show('item link')).toContain('--related')
    expect(await show('item list')).not.toContain('--area')
    set({ trackers: { gh: github } })
    expect(await show('item list')).toContain('--area')
  })

  it('goes by the tracker of the environment', async () => {
    const env = { STUDIO_TRACKER_URL: 'https://tracker.example.com/harbor' }
    expect(await show('item link', { ...env, STUDIO_TRACKER_KIND: 'github' })).not.toContain('--related')
    expect(await show('item link', env)).toContain('--related')
  })

  it('offers everything if the settings cannot be read', async () => {
    writeFileSync(join(home, 'config.json'), '{ "tracker": ')
    expect(await show('item link')).toContain('--related')
  })
})

describe('a flag that is not offered', () => {
  it('is no unknown flag', async () => {
    set({ tracker: github })
    const terminal = openTerminal({})
    const argv = ['item', 'list', '--area', 'Docks', '--json']
    expect(await runCommand(argv, terminal, new AbortController().signal)).toBe(0)
    expect(JSON.parse(terminal.output)).toEqual([])
  })
})
