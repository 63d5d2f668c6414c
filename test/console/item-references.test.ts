import { describe, expect, it, onTestFinished } from 'vitest'
import { startServer } from '../../src/http/serve'
import { importFeature } from '../../src/items/operations/import/import-feature'
import { silentLog } from '../../src/kernel'
import { call } from '../http/served'
import { openWithRepository } from '../items/operations/workspace-with-repository'

const FEATURE = 'code:works/harbor#101'
const STORY = 'code:works/harbor#102'
const TASK = 'code:works/harbor#103'

describe('a page of the console', () => {
  it('names an item of a further tracker, its parent and its children by their references', async () => {
    const { studio, run, idOf } = await openWithRepository({ env: { STUDIO_PORT: '0' } })
    await run(importFeature, { featureId: FEATURE })
    const server = await startServer({ studio, version: '1.0.0', local: true, log: silentLog })
    onTestFinished(() => server.close())
    const target = { host: '127.0.0.1', port: Number(new URL(server.url).port) }
    const [feature, story] = [await idOf(FEATURE), await idOf(STORY)]
    const open = async (path: string) => (await call({ ...target, method: 'GET', path })).text

    const page = await open(`/console/work/items/${story}`)
    expect(page).toContain(`<p class="soft">Story ${STORY}</p>`)
    expect(page).toContain('<dt>Tracker</dt><dd>code</dd>')
    expect(page).toContain(`<a href="/console/work/items/${feature}">${FEATURE}</a>`)
    expect(page).toContain(`<span class="soft">${TASK}</span>`)
    expect(withoutMarkup(page)).not.toMatch(/\b1\d{9}\b/)
    expect(withoutMarkup(await open('/console/work'))).toContain(`Automate the craneFeature ${FEATURE}`)
  })
})

/** The text that a page shows, without addresses and scripts. */
function withoutMarkup(page: string): string {
  return page.replace(/<[^>]*>/g, '').replace(/\s+/g, ' ')
}
