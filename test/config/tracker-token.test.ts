import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { loadSettings } from '../../src/config'
import { execute } from '../../src/kernel'
import { openMemoryDatabase } from '../../src/storage'
import { migrations, openStudio } from '../../src/studio'
import { getItem } from '../../src/workspace/operations/get-item'

/** A folder with a project's file in it, and a user's home with a file of the user's own. */
function places({ project, user }: { project?: string; user?: string }) {
  const root = mkdtempSync(join(tmpdir(), 'studio-config-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
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
    ["a project's file that names what the user's own names", { project: `${ours}/`, user: ours }, {}, `${ours}/`],
    ['the environment, whatever a project says', { project: theirs }, { STUDIO_TRACKER_URL: ours }, ours],
  ])('goes to an address out of %s', (_, files, env, url) => {
    const { cwd, env: withHome } = places(files)
    const { tracker } = loadSettings({ cwd, env: withHome({ ...token, ...env }) })
    expect(tracker).toMatchObject({ url, token: 'the-token', withheld: null })
  })

  it.each([
    ['alone', { project: theirs }],
    ["against the user's own file", { project: theirs, user: ours }],
  ])("does not go to an address that a project's file names %s", (_, files) => {
    const { cwd, env } = places(files)
    const { tracker } = loadSettings({ cwd, env: env(token) })
    expect(tracker).toMatchObject({ url: theirs, token: null })
    expect(tracker.withheld).toMatchObject({
      reason: expect.stringContaining('studio.config.json'),
      hint: `If you trust it, set it yourself: export STUDIO_TRACKER_URL=${theirs}`,
    })
  })

  it("leaves a project's file alone where there is no token to lose", () => {
    const { cwd, env } = places({ project: theirs })
    expect(loadSettings({ cwd, env: env() }).tracker).toMatchObject({ url: theirs, withheld: null })
  })

  it('is on no request to such an address, and the refusal there says why and what to do', async () => {
    const seen: (string | undefined)[] = []
    const server = createServer((request, response) => {
      seen.push(request.headers.authorization)
      response.writeHead(401).end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/works`
    const { cwd, env } = places({ project: url })
    const notices: string[] = []
    const studio = openStudio({
      cwd,
      env: env({ ...token, STUDIO_TRACKER_PROJECT: 'Shop' }),
      db: await openMemoryDatabase(migrations),
      onNotice: (text) => notices.push(text),
    })
    onTestFinished(() => studio.close())
    const context = studio.context({ actor: { kind: 'terminal', tenant: 'default' } })
    await expect(execute(getItem, { id: 1 }, context)).rejects.toMatchObject({
      code: 'tracker_token',
      message: expect.stringContaining('STUDIO_TRACKER_TOKEN is not sent'),
      hint: expect.stringContaining(`export STUDIO_TRACKER_URL=${url}`),
    })
    expect(seen.length).toBeGreaterThan(0)
    expect(seen.every((authorization) => authorization === undefined)).toBe(true)
    expect(notices).toEqual([expect.stringContaining('STUDIO_TRACKER_TOKEN is not sent')])
  })
})
