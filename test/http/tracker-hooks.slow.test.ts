import { expect, it } from 'vitest'
import { importFeature } from '../../src/items/operations/import/import-feature'
import { listItems } from '../../src/items/operations/list-items'
import { changed, openHookedService } from './hooked-service'

it('10,000 events, forged, repeated and in any order, end with the items of the tracker after a few requests', async () => {
  const { run, send, rename, secret, waiting, sandbox } = await openHookedService()
  await run(importFeature, { featureId: 101 })
  const ids: number[] = (await run(listItems, {})).map(({ id }: { id: number }) => id)
  for (const id of ids) await rename(id, `Renamed ${id}`)
  sandbox.requests.length = 0
  const round = (i: number) => Math.floor(i / ids.length)
  const events = Array.from({ length: 10_000 }, (_, i) => ({
    // In each round of all items a tenth is forged, and a third was sent before.
    event: changed(ids[i % ids.length]!, { id: (i + round(i)) % 3 === 0 ? 'repeated' : `event ${i}` }),
    key: (i + round(i)) % 10 === 0 ? 'guess' : secret,
  }))
  const authentic = events.filter(({ key }) => key === secret).length
  const statuses = new Map<number, number>()
  const startedAt = performance.now()
  const sendAll = async () => {
    for (let one = events.pop(); one !== undefined; one = events.pop()) {
      const { status } = await send(one.event, one.key)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: 20 }, sendAll))
  await expect.poll(waiting, { interval: 500 }).toEqual([])
  const seconds = (performance.now() - startedAt) / 1000
  expect(statuses.get(202)).toBe(authentic)
  expect((statuses.get(401) ?? 0) + (statuses.get(429) ?? 0)).toBe(10_000 - authentic)
  const titles = (await run(listItems, {})).map(({ title }: { title: string }) => title)
  expect(titles.sort()).toEqual(ids.map((id) => `Renamed ${id}`).sort())
  // A round a second at most, and a request or two for each.
  expect(sandbox.requests.length).toBeLessThan(20 + 4 * seconds)
  console.log(`${sandbox.requests.length} requests, ${seconds} s`)
})
