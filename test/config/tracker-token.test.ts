import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadSettings } from '../../src/config'
import { temporaryFolder } from '../temporary-folder'

/** A folder with a project file, and a home with a user's file. */
function places({ project, user }: { project?: string; user?: string }) {
  const root = temporaryFolder()
  const [cwd, home] = [join(root, 'repository'), join(root, 'home')]
  for (const [folder, name, url] of [
    [cwd, 'studio.config.json', project],
    [home, 'config.json', user],
  ] as const) {
    mkdirSync(folder)
    if (url !== undefined) writeFileSync(join(folder, name), JSON.stringify({ tracker: { url } }))
  }
  return { cwd, env: (more: Record<string, string> = {}) => ({ STUDIO_HOME: home, ...more }) }
}

const ours = 'https://tracker.example/works'
const theirs = 'https://elsewhere.example/works'
const token = { STUDIO_TRACKER_TOKEN: 'the-token' }

describe("the user's token", () => {
  it.each([
    ['the environment', {}, { STUDIO_TRACKER_URL: ours }, ours],
    ["the user's own file", { user: ours }, {}, ours],
    ["a project file that sets the same as the user's own", { project: ours, user: ours }, {}, ours],
    ['the environment, whatever a project file sets', { project: theirs }, { STUDIO_TRACKER_URL: ours }, ours],
  ])('is sent to an address from %s', (_, files, env, url) => {
    const { cwd, env: withHome } = places(files)
    const { tracker } = loadSettings({ cwd, env: withHome({ ...token, ...env }) })
    expect(tracker).toMatchObject({ url, token: 'the-token' })
  })

  it('of a variable works without the stored credentials, whatever is wrong with their file', () => {
    const { cwd, env } = places({ user: ours })
    writeFileSync(join(env().STUDIO_HOME, 'credentials.json'), 'damaged', { mode: 0o600 })
    expect(() => loadSettings({ cwd, env: env() }).tracker).toThrow('credentials.json')
    expect(loadSettings({ cwd, env: env(token) }).tracker).toMatchObject({ token: 'the-token', isSignedIn: false })
  })
})
