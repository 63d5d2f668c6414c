import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { listModels } from '../../src/assistant/operations/list-models'
import { loadSettings } from '../../src/config'
import { execute } from '../../src/kernel'
import { openMemoryDatabase } from '../../src/storage'
import { migrations, openStudio } from '../../src/studio'

function places({ project, user }: { project?: string; user?: string }) {
  const root = mkdtempSync(join(tmpdir(), 'studio-config-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const [cwd, home] = [join(root, 'repository'), join(root, 'home')]
  for (const [folder, name, host] of [
    [cwd, 'studio.config.json', project],
    [home, 'config.json', user],
  ] as const) {
    mkdirSync(folder)
    if (host !== undefined) writeFileSync(join(folder, name), JSON.stringify({ llm: { host } }))
  }
  return { cwd, env: (more: Record<string, string> = {}) => ({ STUDIO_HOME: home, ...more }) }
}

const ours = 'https://models.example'
const theirs = 'https://elsewhere.example/v1'

describe('the language model’s server', () => {
  it.each([
    ['nobody names one', {}, {}, 'http://127.0.0.1:11434'],
    ['the environment names it', { project: theirs }, { STUDIO_LLM_HOST: ours }, ours],
    ["the user's own file names it", { user: ours }, {}, ours],
    ["a project's file names what the user's own names", { project: `${ours}/`, user: ours }, {}, `${ours}/`],
    ["a project's file names one on this machine", { project: 'http://localhost:8080' }, {}, 'http://localhost:8080'],
  ])('is asked where %s', (_, files, env, host) => {
    const { cwd, env: withHome } = places(files)
    expect(loadSettings({ cwd, env: withHome(env) }).llm).toMatchObject({ host, withheld: null })
  })

  it("is not sent a story where a project's file alone names it, and every call says why", async () => {
    const { cwd, env } = places({ project: theirs, user: ours })
    const studio = openStudio({ cwd, env: env(), db: await openMemoryDatabase(migrations) })
    onTestFinished(() => studio.close())
    const context = studio.context({ actor: { kind: 'terminal', tenant: 'default' } })
    await expect(execute(listModels, {}, context)).rejects.toMatchObject({
      code: 'llm_unavailable',
      message: expect.stringMatching(
        /^Nothing is sent to the language model at https:\/\/elsewhere\.example\/v1: only .*studio\.config\.json/,
      ),
      hint: `If you trust it, set it yourself: export STUDIO_LLM_HOST=${theirs}`,
    })
  })
})
