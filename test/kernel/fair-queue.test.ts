import { describe, expect, it } from 'vitest'
import { FairQueue } from '../../src/kernel/work/fair-queue'

/** Takes all that waits, one by one. */
function drain(queue: FairQueue<string>): string[] {
  const taken: string[] = []
  for (let next = queue.takeNext(); next !== undefined; next = queue.takeNext()) taken.push(next)
  return taken
}

describe('callers who wait', () => {
  it('take turns, each with its own entries in their order', () => {
    const queue = new FairQueue<string>()
    for (const entry of ['a1', 'a2', 'a3', 'a4']) queue.add('a', entry)
    queue.add('b', 'b1')
    queue.add('c', 'c1')
    queue.add('b', 'b2')
    expect(drain(queue)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4'])
  })

  it('wait for one entry of a caller who came before, however many that one has', () => {
    const queue = new FairQueue<string>()
    for (let i = 0; i < 1000; i++) queue.add('a', 'much')
    queue.takeNext()
    queue.add('b', 'b1')
    expect([queue.takeNext(), queue.takeNext()]).toEqual(['much', 'b1'])
  })

  it('can leave without effect on the others', () => {
    const queue = new FairQueue<string>()
    for (const entry of ['a1', 'a2']) queue.add('a', entry)
    queue.add('b', 'b1')
    queue.remove('a', 'a1')
    queue.remove('a', 'a1')
    queue.remove('c', 'c1')
    expect(drain(queue)).toEqual(['a2', 'b1'])
  })
})
