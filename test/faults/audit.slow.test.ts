import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { program } from '../contract/program'
import { isLong, momentsUpTo } from './moments'

const ROUNDS = isLong ? 60 : 8

describe('a process that is killed', () => {
  it('leaves a saved draft with its entry, or neither', async () => {
    const studio = await program()
    await studio.json(['draft', 'save', '--title', '0'])
    for (const moment of momentsUpTo(400, ROUNDS)) {
      const running = studio.start(['draft', 'save', '--title', 'More'])
      await sleep(moment)
      running.kill('SIGKILL')
      await running
      const drafts = (await studio.json(['draft', 'list'])).map(({ id }: { id: number }) => `draft:${id}`)
      const entries = await studio.json(['audit', '--operation', 'drafts.save'])
      const targets = entries.flatMap((entry: { targets: string[] }) => entry.targets)
      expect(targets.filter((target: string) => target.startsWith('draft:')).sort()).toEqual(drafts.sort())
      for (const { outcome } of entries) expect(outcome).toBe('done')
    }
  })

  it('leaves no comment in the tracker without an entry', async () => {
    const studio = await program()
    await studio.json(['item', 'get', '204'])
    const countComments = async () => (await studio.json(['item', 'comments', '204'])).total
    const before = await countComments()
    for (const moment of momentsUpTo(900, ROUNDS)) {
      const running = studio.start(['item', 'comment', '204', 'Killed', '--yes'])
      await sleep(moment)
      running.kill('SIGKILL')
      await running
      const entries = await studio.json(['audit', '--operation', 'items.comment'])
      expect((await countComments()) - before).toBeLessThanOrEqual(entries.length)
      for (const { outcome } of entries) expect(['started', 'done']).toContain(outcome)
    }
  })
})

it('processes that write at once leave an entry each', async () => {
  const studio = await program()
  await studio.json(['draft', 'save', '--title', '0'])
  await Promise.all(Array.from({ length: 6 }, (_, i) => studio.json(['draft', 'save', '--title', `${i}`])))
  const entries = await studio.json(['audit', '--operation', 'drafts.save'])
  expect(entries).toHaveLength(7)
  expect(new Set(entries.map(({ requestId }: { requestId: string }) => requestId)).size).toBe(7)
})
