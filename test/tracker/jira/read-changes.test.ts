import { describe, expect, it } from 'vitest'
import { DAY_MS } from '../../../src/kernel/time'
import { never } from '../azure-devops/fixtures'
import { DEPLOYMENTS, openJira } from './fixtures'

describe.each(DEPLOYMENTS)('the changes since a time on %s', (deployment) => {
  it('are complete although an issue is updated between two pages', async () => {
    const stories = Array.from({ length: 150 }, (_, i) => ({ id: i + 1, type: 'Story' }))
    let pages = 0
    const { tracker } = await openJira({
      deployment,
      issues: stories,
      answer: ({ path }, { change }) => {
        if (/search/.test(path) && ++pages === 2) change(1, { summary: 'Gate' })
        return null
      },
    })
    const position = { since: Date.UTC(2000, 0, 1) }
    const changes = await tracker.readChanges(position, { signal: never, maxPages: 5 })
    expect([...changes!.changed.keys()].sort((a, b) => a - b)).toEqual(stories.map(({ id }) => id))
  })

  it('miss none although the clock of this machine is days ahead', async () => {
    const { tracker, change, site } = await openJira({ deployment, issues: [{ id: 1, type: 'Story' }] })
    const ahead = { since: site.now + 25 * DAY_MS }
    const { position } = (await tracker.readChanges(ahead, { signal: never, maxPages: 5 }))!
    change(1, { summary: 'Gate' })
    const changes = await tracker.readChanges({ ...ahead, after: position }, { signal: never, maxPages: 5 })
    expect([...changes!.changed.keys()]).toEqual([1])
  })
})
