import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { programIn } from '../program'
import { expectQuoted, hasNamespaces, openPlace } from './namespace'

const READ_ONLY = 'mount --bind "$HOMEDIR" "$HOMEDIR"; mount -o remount,bind,ro "$HOMEDIR"\n'

describe.runIf(hasNamespaces)('a home on a read-only file system', () => {
  it('is read by all that reads, also without a cache for compiled code', async () => {
    const { home, outside, run } = openPlace()
    const studio = programIn(home)
    await studio.json(['item', 'get', '204'])
    const reads = `
      studio search gate
      studio item get 204 --cached
      studio item list
      studio draft list
      studio report hierarchy
      studio facility list
      studio backup "$OUTSIDE/copy.db"
    `
    for (const { exitCode, err } of run(READ_ONLY + reads, { HOME: home })) expect([exitCode, err]).toEqual([0, ''])
    expect(existsSync(join(outside, 'copy.db'))).toBe(true)
  })

  it('refuses what writes, and says where to set another one', async () => {
    const { home, run } = openPlace()
    const studio = programIn(home)
    await studio.json(['draft', 'save', '--title', 'First'])
    await studio.json(['item', 'get', '204'])
    const before = readdirSync(home, { recursive: true })
    const writes = `
      studio draft save --title Second
      studio item get 204
      studio config set user ana@example.com
      studio doctor --offline --quick
    `
    const [draft, item, config, doctor] = run(READ_ONLY + writes)
    for (const ran of [draft!, config!]) expectQuoted(ran, 7, home)
    expect(item).toMatchObject({
      exitCode: 7,
      err: expect.stringMatching(/STUDIO_HOME .*studio item get 204 --cached\n$/),
    })
    expect([doctor!.exitCode, doctor!.out]).toEqual([8, expect.stringContaining('the file system is read-only')])
    expect(readdirSync(home, { recursive: true })).toEqual(before)
  })

  it('is not needed for temporary files, which can be moved', () => {
    const { home, outside, run } = openPlace()
    const [demo, moved] = run(`${READ_ONLY}studio demo; TMPDIR="$OUTSIDE"; studio demo`, { TMPDIR: home })
    expectQuoted(demo!, 7, home)
    expect(moved).toMatchObject({ exitCode: 0, err: expect.not.stringContaining('studio-demo') })
    expect(readdirSync(outside)).toEqual([])
  })
})
