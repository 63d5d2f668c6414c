import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openFirstPage } from '../../commands/open-page'

/** Opens the first page of some hits with a browser that writes down what it was given. */
async function opened(urls: (string | null)[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'open-page-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const [browser, log] = [join(folder, 'browser'), join(folder, 'opened')]
  writeFileSync(browser, `#!/bin/sh\nprintf %s "$1" > ${log}.part && mv ${log}.part ${log}\n`, { mode: 0o755 })
  const results = urls.map((url) => ({ url }))
  await openFirstPage({ results } as never, { open: true }, { terminal: { env: { BROWSER: browser } } } as never)
  const read = () => {
    try {
      return readFileSync(log, 'utf8')
    } catch {
      return ''
    }
  }
  await expect.poll(read).not.toBe('')
  return read()
}

const sandboxPage = 'http://127.0.0.1:4318/quayside/Harbor/_workitems/edit/204'

/** Where another program listens there already, the page counts as served as well. */
async function listenLikeTheSandbox(): Promise<void> {
  const server = createServer()
  const isListening = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(4318, '127.0.0.1', () => resolve(true))
  })
  if (isListening) onTestFinished(() => void server.close())
}

describe('opening the page of a hit', () => {
  it('takes the first hit that has a page', async () => {
    const page = 'https://tracker.example/works/_workitems/edit/204'
    expect(await opened([null, 'file:///etc/passwd', page, 'https://tracker.example/other'])).toBe(page)
  })

  it('opens a page of the sandbox while the sandbox serves it', async () => {
    await listenLikeTheSandbox()
    expect(await opened([sandboxPage])).toBe(sandboxPage)
  })
})
