import { readdirSync, readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { execa } from 'execa'
import { describe, expect, it, onTestFinished } from 'vitest'

const folder = 'docs/guide'
const guides = readdirSync(folder).filter((name) => name.endsWith('.md'))

/** The commands of a page, in its order, as one script. */
function scriptOf(guide: string): string {
  const page = readFileSync(join(folder, guide), 'utf8')
  return [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map((block) => block[1]).join('\n')
}

/** An empty folder, with `studio` on the path. */
async function place(): Promise<{ home: string; path: string }> {
  const home = await mkdtemp(join(tmpdir(), 'studio-guide-'))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  const studio = join(home, 'studio')
  await writeFile(studio, `#!/bin/sh\nexec "${process.execPath}" "${resolve('bin/studio.js')}" "$@"\n`)
  await chmod(studio, 0o755)
  return { home, path: `${home}:${process.env['PATH']}` }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as { port: number }
  await new Promise((closed) => server.close(closed))
  return port
}

describe('the guide', () => {
  it('has a page for each kind of user', () => {
    expect(guides).toEqual(['dock-integrators.md', 'product-people.md', 'scripts.md'])
  })

  it.each(guides)('%s shows only commands that work, one after another', async (guide) => {
    const { home, path } = await place()
    const script = scriptOf(guide).replaceAll('4519', String(await freePort()))
    const { exitCode, all } = await execa('bash', ['-euo', 'pipefail', '-c', `set -x\n${script}`], {
      cwd: home,
      env: { PATH: path, STUDIO_HOME: join(home, 'home'), HOME: home, STUDIO_LLM_HOST: 'http://127.0.0.1:9' },
      extendEnv: false,
      reject: false,
      all: true,
    })
    expect(exitCode === 0 ? '' : all).toBe('')
  })
})
