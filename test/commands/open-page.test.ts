import { readFileSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openFirstPage, showPage } from '../../commands/terminal/open-page'
import { memoryTerminal } from '../../commands/terminal/terminal'
import { temporaryFolder } from '../temporary-folder'

/** Opens the first page of some hits with a browser that writes down what it was given. */
async function opened(urls: (string | null)[]): Promise<string> {
  const folder = temporaryFolder()
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

function isSandboxServed(): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(4318, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}

const isPortTaken = await isSandboxServed()

// The browser is a shell script here.
describe.skipIf(process.platform === 'win32')('opening the page of a hit', () => {
  it('opens the first hit that has a page', async () => {
    const page = 'https://tracker.example/works/_workitems/edit/204'
    expect(await opened([null, 'file:///etc/passwd', page, 'https://tracker.example/other'])).toBe(page)
  })

  // Another program may listen on the port of the sandbox, which then counts as served.
  it.skipIf(isPortTaken)(
    'passes over pages of a sandbox that is not served, and says so where there is no other',
    async () => {
      const page = 'https://tracker.example/works/_workitems/edit/7'
      expect(await opened([sandboxPage, null, page])).toBe(page)
      await expect(opened([null, sandboxPage])).rejects.toMatchObject({
        code: 'unavailable',
        hint: expect.stringContaining(`studio sandbox. Then open ${sandboxPage}`),
      })
    },
  )

  it('says so if no hit has a page', async () => {
    await expect(opened([null, 'file:///etc/passwd'])).rejects.toMatchObject({ code: 'not_found' })
  })

  it.skipIf(isPortTaken)('prints the address of a page, and says that nothing serves it', async () => {
    const printed = async (url: string, flags: object) => {
      const terminal = memoryTerminal()
      await showPage({ url, print: true }, { terminal, flags } as never)
      return [terminal.output, terminal.errors]
    }
    expect(await printed(sandboxPage, {})).toEqual([`${sandboxPage}\n`, expect.stringContaining('studio sandbox')])
    expect(await printed(sandboxPage, { json: true })).toEqual([
      `{"url":"${sandboxPage}"}\n`,
      expect.stringContaining('studio sandbox'),
    ])
    expect(await printed('https://tracker.example/204', {})).toEqual(['https://tracker.example/204\n', ''])
  })

  it('opens a page of the sandbox while the sandbox serves it', async () => {
    await listenLikeTheSandbox()
    expect(await opened([sandboxPage])).toBe(sandboxPage)
  })
})
