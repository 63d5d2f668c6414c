import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import axe from 'axe-core'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, onTestFinished, test } from 'vitest'

let launched: Promise<Browser | null> | null = null

/** A browser of this machine, started once; null, with a message, where there is none. */
function openBrowser(): Promise<Browser | null> {
  launched ??= launch().catch((error: Error) => {
    console.warn(
      `The tests in a real browser are skipped, because no Chromium, Chrome or Edge starts: ${error.message}`,
    )
    return null
  })
  return launched
}

afterAll(async () => {
  await (await launched)?.close()
})

/** A test in a real browser; where there is none it is skipped. */
export const it = test.extend<{ hasBrowser: boolean }>({
  hasBrowser: [
    async ({ skip }, use) => {
      const hasBrowser = (await openBrowser()) !== null
      if (!hasBrowser) skip()
      await use(hasBrowser)
    },
    { auto: true },
  ],
})

/** `CHROME_PATH`, a browser in a folder of `PATH`, or one where its maker installs it. */
async function launch(): Promise<Browser> {
  const { chromium } = await import('playwright-core')
  const inPath = (process.env['PATH'] ?? '')
    .split(delimiter)
    .flatMap((folder) => ['chromium', 'chromium-browser'].map((name) => join(folder, name)))
    .find((file) => existsSync(file))
  const executablePath = process.env['CHROME_PATH'] ?? inPath
  // Chromium has no sandbox for root, which is who runs tests in a container.
  const options = { chromiumSandbox: process.getuid?.() !== 0 }
  if (executablePath) return chromium.launch({ ...options, executablePath })
  return chromium
    .launch({ ...options, channel: 'chrome' })
    .catch(() => chromium.launch({ ...options, channel: 'msedge' }))
}

export interface Visit {
  context: BrowserContext
  page: Page
  /** What the console of the browser reported as an error or a warning. */
  problems: string[]
}

/** A browser profile of its own, which reaches nothing but this machine, and ends with the test. */
export async function visit(options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await (await openBrowser())!.newContext({ viewport: { width: 1280, height: 800 }, ...options })
  onTestFinished(() => context.close())
  const problems: string[] = []
  await context.route(
    (url) => url.hostname !== '127.0.0.1',
    (route) => {
      problems.push(`request to ${route.request().url()}`)
      return route.abort()
    },
  )
  // A busy machine may need longer than Playwright's limits. What hangs is ended by the limit of its test.
  context.setDefaultTimeout(0)
  const page = await context.newPage()
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text())
  })
  page.on('pageerror', (error) => problems.push(error.message))
  return { context, page, problems }
}

const HOUR_MS = 3_600_000

/** From here on the time of the page passes only as the test says, so that no message and no button has gone when a busy machine looks. */
export async function pauseClock({ page }: Visit): Promise<void> {
  await page.clock.install()
  // The clock of the page goes on until then, and cannot be put back.
  await page.clock.pauseAt(Date.now() + HOUR_MS)
}

/** Lets a board show its updates after a press, where the clock is paused: they wait until the click is over. */
export const endPress = ({ page }: Visit) => page.clock.runFor(1)

/**
 * What axe-core finds against WCAG 2.2 AA in the whole page, also where the test has seen a part of it already. It runs in a world of its own,
 * which the policy of the page does not concern.
 */
export async function findBarriers({ context, page }: Visit, rules?: string[]): Promise<string[]> {
  await page.waitForLoadState()
  const session = await context.newCDPSession(page)
  const { frameTree } = await session.send('Page.getFrameTree')
  const { executionContextId: contextId } = await session.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
  })
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
  const chosen = JSON.stringify(rules ? { type: 'rule', values: rules } : { type: 'tag', values: tags })
  const expression = `${axe.source};axe.run(document, { runOnly: ${chosen} }).then(({ violations }) => JSON.stringify(violations.map(({ id, nodes }) => id + ': ' + nodes.map((node) => node.html).join(' | '))))`
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
    expression,
    contextId,
    awaitPromise: true,
  })
  await session.detach()
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
  return JSON.parse(result.value as string) as string[]
}
