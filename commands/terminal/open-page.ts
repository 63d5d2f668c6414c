import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { StudioError } from '../../src/kernel'
import { getWindowsProgram } from '../../src/kernel/files/windows-program'
import { isSandboxPage } from '../../src/tracker/sample-site'
import type { AfterResult } from '../operation/command-parts'
import type { Invocation, Terminal } from '../start/invocation'
import { writeNotice } from './write-message'

/**
 * `search --open`: shows the first hit that has a page, in the browser. A page of the sandbox counts only while the sandbox serves it,
 * so a hit of another tracker further down is opened instead.
 */
export const openFirstPage: AfterResult = async (
  { results }: { results: { url: string | null }[] },
  { open },
  { terminal },
) => {
  if (open !== true) return
  const pages = results.flatMap(({ url }) => (url !== null && isWebPage(url) ? [url] : []))
  const [sandboxPage] = pages.filter(isSandboxPage)
  const isSandboxServed = sandboxPage !== undefined && (await isListening(new URL(sandboxPage)))
  const page = pages.find((url) => isSandboxServed || !isSandboxPage(url))
  if (page !== undefined) return openPage(page, terminal)
  if (sandboxPage !== undefined) throw createNotServedError(sandboxPage)
  throw new StudioError('not_found', 'No result has a page in the tracker.', {
    hint: 'Add --type devops, or search for other words.',
  })
}

/** Throws if it is a page of the sandbox, and the sandbox is not running. */
export async function requireServedPage(url: string): Promise<void> {
  if (!(await isServed(url))) throw createNotServedError(url)
}

/** Only for a page of the sandbox it is known. */
async function isServed(url: string): Promise<boolean> {
  return !isSandboxPage(url) || isListening(new URL(url))
}

/** The sandbox of a command ends with it. Only `studio sandbox` serves pages. */
function createNotServedError(page: string): StudioError {
  return new StudioError('unavailable', 'The sandbox is not running, so it does not serve its pages.', {
    hint: `Start it in another terminal: studio sandbox. Then open ${page}`,
  })
}

async function isListening({ hostname, port }: URL): Promise<boolean> {
  const socket = connect({ host: hostname, port: Number(port) })
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(CONNECT_MS) })
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

const CONNECT_MS = 1_000

/** The tracker is not trusted: only web pages are opened. */
export function isWebPage(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
}

/** Opens the page, or prints its address: with `print` or `--json`, or where there is no browser. */
export async function showPage(
  { print, ...page }: { id?: number; url: string; print?: true },
  { terminal, flags }: Invocation,
): Promise<void> {
  const isPrinted = flags.json || print || !hasBrowser(terminal.env)
  if (!isPrinted) {
    await requireServedPage(page.url)
    return openPage(page.url, terminal)
  }
  terminal.out(flags.json ? `${JSON.stringify(page)}\n` : `${page.url}\n`)
  if (!(await isServed(page.url))) writeNotice({ terminal, flags }, NOT_SERVED)
}

const NOT_SERVED = 'Nothing serves that page now. To serve the pages of the sandbox: studio sandbox'

/** A browser that is started over SSH would appear on the other machine. */
function hasBrowser(env: NodeJS.ProcessEnv): boolean {
  return env['BROWSER'] !== undefined || (env['SSH_CONNECTION'] === undefined && env['SSH_TTY'] === undefined)
}

export async function openPage(url: string, { env }: Terminal): Promise<void> {
  const [program, ...args] = getOpener(env)
  const child = spawn(program!, [...args, url], { stdio: 'ignore', detached: true })
  try {
    await once(child, 'spawn')
  } catch (error) {
    throw new StudioError('unavailable', `No browser was started, because ${program} is not installed.`, {
      hint: `Open it yourself: ${url}`,
      cause: error,
    })
  }
  child.unref()
}

function getOpener(env: NodeJS.ProcessEnv): string[] {
  if (env['BROWSER']) return [env['BROWSER']]
  if (process.platform === 'darwin') return ['open']
  if (process.platform === 'win32') return [getWindowsProgram('rundll32.exe'), 'url.dll,FileProtocolHandler']
  return ['xdg-open']
}
