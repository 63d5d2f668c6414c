import { describe, expect, it } from 'vitest'
import { programIn } from '../program'
import { hasNamespaces, openPlace } from './namespace'

describe.runIf(hasNamespaces)('a home that is mounted at a second place', () => {
  it('protects the files that the database does not have yet', async () => {
    const { home, run } = openPlace()
    const studio = programIn(home)
    await studio.json(['draft', 'save', '--title', 'First'])
    const refused = run(`
      mount --bind "$HOMEDIR" "$OUTSIDE"
      studio backup "$OUTSIDE/studio.db.log.2"
      studio backup "$OUTSIDE/studio.db.search/1.segment"
      studio backup "$OUTSIDE/config.json"
    `)
    for (const { exitCode, err } of refused)
      expect([exitCode, err]).toEqual([2, expect.stringMatching(/database itself|one of studio’s own files/)])
    expect(await studio.json(['draft', 'list'])).toMatchObject([{ title: 'First' }])
  })
})
