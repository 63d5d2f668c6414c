import { describe, expect, it } from 'vitest'
import { programIn } from '../program'
import { expectQuoted, hasNamespaces, openPlace } from './namespace'

const tracker = {
  STUDIO_TRACKER_URL: 'https://dev.azure.com/quayside',
  STUDIO_TRACKER_PROJECT: 'Harbor',
  STUDIO_TRACKER_TOKEN: 'x'.repeat(52),
}

describe.runIf(hasNamespaces)('a machine without a network', () => {
  it('does all that needs no other machine', async () => {
    const { home, run } = openPlace({ network: false })
    await programIn(home).json(['item', 'get', '204'])
    const ran = run(
      `studio search driver
      studio item get 204 --cached
      studio item list
      studio report hierarchy
      studio draft save --title First
      studio facility create --code DC1 --name North --time-zone UTC --queue 'mon-fri 06:00-18:00' --door A
      studio book --facility DC1 --type delivery --carrier Acme --reference PO-1 --date 2055-03-01
      studio backup copy.db`,
      tracker,
    )
    for (const { exitCode, err } of ran) expect([exitCode, err]).toEqual([0, ''])
    expect(ran).toHaveLength(8)
  })

  it('says what it cannot reach', () => {
    const { run } = openPlace({ network: false })
    const [imported] = run('studio import 204', tracker)
    expectQuoted(imported!, 7)
    const [searched] = run('studio search driver', { STUDIO_DB: 'postgres://studio@db.example.com/studio' })
    expectQuoted(searched!, 7)
  })
})
