import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadSettings } from '../../src/config'
import { temporaryFolder } from '../temporary-folder'

function places({ project, user }: { project?: string; user?: string }) {
  const root = temporaryFolder()
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

describe('the address of the language model', () => {
  it.each([
    ['none is set', {}, {}, 'http://127.0.0.1:11434'],
    ['the environment sets it', { project: theirs }, { STUDIO_LLM_HOST: ours }, ours],
    ["the user's own file sets it", { user: ours }, {}, ours],
    ["a project file sets the same as the user's own", { project: ours, user: ours }, {}, ours],
  ])('is used if %s', (_, files, env, host) => {
    const { cwd, env: withHome } = places(files)
    expect(loadSettings({ cwd, env: withHome(env) }).llm).toMatchObject({ host })
  })
})
