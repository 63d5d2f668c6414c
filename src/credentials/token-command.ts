import { exec } from 'node:child_process'
import { type ErrorCode, StudioError } from '../kernel/errors'
import { isRecord, parseJson } from '../kernel/json'
import { toOneLine } from '../kernel/text/one-line'
import { SECOND_MS } from '../kernel/time'
import { AbortableMemo } from '../kernel/work/abortable-memo'
import { isFresh, isToken, readExpiry, type TokenSource } from './token-source'

const TIMEOUT_MS = 60 * SECOND_MS
const MAX_OUTPUT_BYTES = 64 * 1024
const MAX_MESSAGE_LENGTH = 500

interface Token {
  token: string
  /** In milliseconds since 1970; null if that is not known, and the token is used until the server rejects it. */
  expiresAt: number | null
}

/** What the errors of a command say. */
export interface CommandOwner {
  /** The name of the setting with the command. */
  setting: string
  /** The code of the error if it prints no token. */
  code: ErrorCode
}

/**
 * The token that a command prints, such as `gh auth token`. The command runs when a token is needed first, when it has expired, and once
 * when the server rejects it. It is a command line of the shell, as the user would type it.
 */
export function readTokenFromCommand(
  command: string,
  { now, ...owner }: CommandOwner & { now(): number },
): TokenSource {
  const createMemo = () => new AbortableMemo((signal) => runCommand(command, owner, signal))
  let memo = createMemo()
  /** Other calls may have run the command again meanwhile. Then theirs counts. */
  const replace = (old: typeof memo) => {
    if (memo === old) memo = createMemo()
    return memo
  }
  const get = async (signal: AbortSignal): Promise<Token> => {
    const used = memo
    const found = await used.get(signal)
    return isFresh(found.expiresAt, now()) ? found : replace(used).get(signal)
  }
  return {
    read: async (signal) => (await get(signal)).token,
    async renew(rejected, signal) {
      const used = memo
      if ((await get(signal)).token === rejected) replace(used)
      const { token } = await get(signal)
      return token === rejected ? null : token
    },
    // The command is not shown, because it may contain a secret itself.
    advice: `The token comes from the command in ${owner.setting}. Run it yourself, and sign in there again if need be.`,
  }
}

function runCommand(command: string, owner: CommandOwner, signal: AbortSignal): Promise<Token> {
  return new Promise((resolve, reject) => {
    const child = exec(
      command,
      { timeout: TIMEOUT_MS, maxBuffer: MAX_OUTPUT_BYTES, windowsHide: true, killSignal: 'SIGKILL', signal },
      (error, output, messages) => {
        const token = error ? null : parseOutput(output)
        if (token !== null) resolve(token)
        else reject(createCommandError(owner, error ? describeFailure(error, messages) : 'it did not print one token'))
      },
    )
    // A command that asks a question fails instead of waiting for its answer.
    child.stdin?.on('error', () => {})
    child.stdin?.end()
  })
}

function createCommandError({ setting, code }: CommandOwner, reason: string): StudioError {
  return new StudioError(code, `The command in ${setting} gave no token: ${reason}.`, {
    hint: 'Run it yourself, to see what it prints. A token is one word, or JSON with accessToken.',
  })
}

/** Its standard output is not shown, because it may be a token. */
function describeFailure(error: Error & { code?: unknown; killed?: boolean }, messages: string): string {
  const lines = messages.split('\n').map((line) => toOneLine(line, MAX_MESSAGE_LENGTH))
  const said = lines.filter((line) => line !== '').at(-1)
  const reason = error.killed ? `it took longer than ${TIMEOUT_MS / SECOND_MS} s` : `it failed (${String(error.code)})`
  return said === undefined ? reason : `${reason}, and said: ${said.replace(/\.$/, '')}`
}

/** A token alone, or the JSON of `az account get-access-token` and its like. Null for anything else. */
function parseOutput(output: string): Token | null {
  const text = output.trim()
  if (!text.startsWith('{')) return isToken(text) ? { token: text, expiresAt: readExpiry(text) } : null
  const given = parseJson(text)
  if (!isRecord(given)) return null
  const token = given['accessToken'] ?? given['access_token'] ?? given['token']
  if (typeof token !== 'string' || !isToken(token)) return null
  const seconds = Number(given['expires_on'])
  return { token, expiresAt: seconds > 0 ? seconds * SECOND_MS : readExpiry(token) }
}
