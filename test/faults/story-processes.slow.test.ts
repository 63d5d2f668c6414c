import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { program } from '../contract/program'
import { isLong, momentsUpTo } from './moments'

describe('several studio processes on one home', () => {
  it('import and copy concurrently without losing data', async () => {
    const studio = await program()
    const imports = Array.from({ length: 3 }, () => studio.run(['import', '101', '--json']))
    const copies = Array.from({ length: 4 }, () => studio.run(['copy-sanitize', '204', '--json']))
    const done = await Promise.all([...imports, ...copies])
    expect(done.map(({ exitCode, err }) => [exitCode, err.match(/error:.*/)?.[0]])).toEqual(
      done.map(() => [0, undefined]),
    )
    const ids = done.slice(imports.length).map(({ out }) => JSON.parse(out).id)
    expect(new Set(ids).size).toBe(copies.length)
    expect(await studio.json(['draft', 'list'])).toHaveLength(copies.length)
    expect((await studio.json(['item', 'list'])).length).toBeGreaterThanOrEqual(30)
  })

  it('change the sandbox concurrently, and each change is stored', async () => {
    const studio = await program()
    const ids = ['341', '342', '343', '344']
    const updates = ids.map((id) => studio.run(['batch-update', id, '--set', `Title=Task ${id}`, '--json']))
    for (const { exitCode } of await Promise.all(updates)) expect(exitCode).toBe(0)
    for (const id of ids) expect(await studio.json(['item', 'get', id])).toMatchObject({ title: `Task ${id}` })
  })
})

describe('a studio process that is killed', () => {
  it('leaves a consistent workspace at any moment', async () => {
    const studio = await program()
    await studio.json(['copy-sanitize', '204'])
    for (const moment of momentsUpTo(420, isLong ? 80 : 8)) {
      const running = studio.start(['import', '101'])
      await sleep(moment)
      running.kill('SIGKILL')
      await running
      expect([1, 30]).toContain((await studio.json(['item', 'list'])).length)
      expect(await studio.json(['draft', 'list'])).toHaveLength(1)
    }
    expect(await studio.json(['import', '101'])).toMatchObject({ skipped: [] })
    expect(await studio.json(['item', 'list'])).toHaveLength(30)
  })

  it('leaves a search index that matches the data at any moment', async () => {
    const studio = await program()
    await studio.json(['draft', 'save', '--title', 'Dock'])
    for (const [i, moment] of momentsUpTo(isLong ? 1_000 : 500, isLong ? 60 : 10).entries()) {
      const running = studio.start([
        'draft',
        'save',
        '--title',
        `Dock ${i}`,
        '--description',
        'gate '.repeat((i % 12) * 500),
      ])
      await sleep(moment)
      running.kill('SIGKILL')
      await running
      const found = await studio.json(['search', 'dock', '--limit', '100'])
      const kept = await studio.json(['draft', 'list'])
      expect(found.results.map(({ id }: { id: unknown }) => Number(id)).sort()).toEqual(
        kept.map(({ id }: { id: number }) => id).sort(),
      )
    }
  })

  // Only a console sends Ctrl-C on Windows.
  it.skipIf(process.platform === 'win32')(
    'exits 130 on Ctrl-C while it waits, and saves nothing partially',
    async () => {
      const studio = await program()
      const silent = createServer()
      const asked = once(silent, 'request')
      silent.listen(0, '127.0.0.1')
      await once(silent, 'listening')
      const { port } = silent.address() as AddressInfo
      const running = studio.start(['import', '101'], { STUDIO_TRACKER_URL: `http://127.0.0.1:${port}/any` })
      await asked
      running.kill('SIGINT')
      expect((await running).exitCode).toBe(130)
      silent.closeAllConnections()
      silent.close()
      expect(await studio.json(['item', 'list'])).toEqual([])
    },
  )
})
