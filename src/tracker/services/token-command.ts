import { exec } from 'node:child_process'
import { isRecord } from '../../kernel/json'
import { MINUTE_MS, SECOND_MS } from '../../kernel/time'
import { cleanText } from './requests/response-errors'
import { readExpiry, type TokenSource } from './requests/token-source'
import { TrackerError } from './requests/tracker-error'

const TIMEOUT_MS = 60 * SECOND_MS
const MAX_OUTPUT_BYTES = 64 * 1024
/** A token is replaced before it expires, because a request takes some time. */
const MARGIN_MS = 1 * MINUTE_MS

interface Token {
  token: string
  /** In milliseconds since 1970; null if that is not known, and the token is used until the tracker rejects it. */
  expiresAt: number | null
}

/**
 * The token that a command prints, such as `gh auth token`. The command runs when a token is needed first, when it has expired, and once
 * when the tracker rejects it. It is a command line of the shell, as the user would type it.
 * @param setting the name of the setting with the command.
 */
export function readTokenFromCommand(
  command: string,
  { setting, now }: { setting: string; now(): number },
): TokenSource {
  let current: Promise<Token> | null = null
  const forget = (one: Promise<Token>) => {
    if (current === one) current = null
  }
  const run = () => {
    const running = runCommand(command, setting)
    running.catch(() => forget(running))
    current = running
    return running
  }
  const get = async (signal: AbortSignal): Promise<Token> => {
    const known = current ?? run()
    const found = await waitFor(known, signal)
    if (found.expiresAt === null || now() < found.expiresAt - MARGIN_MS) return found
    forget(known)
    return waitFor(current ?? run(), signal)
  }
  return {
    read: async (signal) => (await get(signal)).token,
    async renew(rejected, signal) {
      // Another request may have renewed it meanwhile.
      if ((await get(signal)).token === rejected) current = null
      const { token } = await get(signal)
      return token === rejected ? null : token
    },
    // The command is not shown, because it may contain a secret itself.
    advice: `The token comes from the command in ${setting}. Run it yourself, and sign in there again if need be.`,
  }
}

/** A caller that leaves does not stop the command, because others may wait for the same token. */
function waitFor<Value>(running: Promise<Value>, signal: AbortSignal): Promise<Value> {
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason)
    signal.addEventListener('abort', leave, { once: true })
    running.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  })
}

function runCommand(command: string, setting: string): Promise<Token> {
  return new Promise((resolve, reject) => {
    const child = exec(
      command,
      { timeout: TIMEOUT_MS, maxBuffer: MAX_OUTPUT_BYTES, windowsHide: true, killSignal: 'SIGKILL' },
      (error, output, messages) => {
        try {
          const token = error ? null : parseOutput(output)
          if (token === null)
            throw createCommandError(setting, error ? describeFailure(error, messages) : 'it did not print one token')
          resolve(token)
        } catch (failure) {
          reject(failure)
        }
      },
    )
    // A command that asks a question fails instead of waiting for its answer.
    child.stdin?.on('error', () => {})
    child.stdin?.end()
  })
}

function createCommandError(setting: string, reason: string): TrackerError {
  return new TrackerError('tracker_token', `The command in ${setting} gave no token: ${reason}.`, {
    hint: 'Run it yourself, to see what it prints. A token is one word, or JSON with accessToken.',
  })
}

/** Its standard output is not shown, because it may be a token. */
function describeFailure(error: Error & { code?: unknown; killed?: boolean }, messages: string): string {
  const lines = messages.split('\n').map(cleanText)
  const said = lines.filter((line) => line !== '').at(-1)
  const reason = error.killed ? `it took longer than ${TIMEOUT_MS / SECOND_MS} s` : `it failed (${String(error.code)})`
  return said === undefined ? reason : `${reason}, and said: ${said.replace(/\.$/, '')}`
}

/** A token alone, or the JSON of `az account get-access-token` and its like. Null for anything else. */
function parseOutput(output: string): Token | null {
  const text = output.trim()
  if (!text.startsWith('{')) return isToken(text) ? { token: text, expiresAt: readExpiry(text) } : null
  const given = parseObject(text)
  const token = given?.['accessToken'] ?? given?.['access_token'] ?? given?.['token']
  if (typeof token !== 'string' || !isToken(token)) return null
  const seconds = Number(given!['expires_on'])
  return { token, expiresAt: seconds > 0 ? seconds * SECOND_MS : readExpiry(token) }
}

/** A token is sent in a header, so it has only characters that a header may have. */
function isToken(text: string): boolean {
  return /^[\x21-\x7e]{1,16384}$/.test(text)
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : null
  } catch {
    return null
  }
}
