import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { execa } from 'execa'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../temporary-folder'

it.runIf(Number.parseInt(process.versions.node, 10) < 22)(
  'a service that is killed later has kept what V8 compiled of its start',
  async () => {
    const home = temporaryFolder()
    const serving = execa(process.execPath, [resolve('bin/studio.js'), 'serve', '--port', '0'], {
      env: { PATH: process.env['PATH'], STUDIO_HOME: home, XDG_CACHE_HOME: home, HOME: home },
      extendEnv: false,
      reject: false,
    })
    const keptFiles = () => readdirSync(home, { recursive: true }).filter((name) => `${name}`.endsWith('.cjs'))
    await expect.poll(keptFiles, { interval: 200 }).not.toEqual([])
    serving.kill('SIGKILL')
    await serving
    expect(keptFiles()).not.toEqual([])
  },
)
