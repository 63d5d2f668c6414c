import { describe, expect } from 'vitest'
import { findBarriers, it, visit } from './browser'
import { servedConsole } from './console-fixtures'
import { fillConsole } from './filled-console'

describe('in a real browser', () => {
  it.for([
    ['a phone', 390],
    ['a laptop', 1280],
    ['a wall screen', 1920],
  ] as const)('every page is free of barriers and fits, in both themes, on %s', async ([, width]) => {
    const service = await servedConsole()
    const pages = [
      ...['/sign-in', '/_gallery', '/reports', '/work?q=driver', '/work?view=list'],
      ...(await fillConsole(service)),
    ]
    const visited = await visit({ viewport: { width, height: 900 } })
    const { page, problems } = visited
    await page.goto(`${service.url}${(await service.run('sessions.create-link', {})).path}`)
    await page.waitForURL('**/console')
    const tooWide = () => page.evaluate('Math.max(0, document.documentElement.scrollWidth - innerWidth)')
    for (const path of pages) {
      await page.emulateMedia({ colorScheme: 'light' })
      await page.goto(`${service.url}/console${path}`)
      expect([path, ...(await findBarriers(visited)), await tooWide()]).toEqual([path, 0])
      await page.emulateMedia({ colorScheme: 'dark' })
      // The other rules do not depend on the colors.
      expect([path, ...(await findBarriers(visited, ['color-contrast'])), await tooWide()]).toEqual([path, 0])
    }
    expect(problems).toEqual([])
  })
})
