import { type ExecFileException, execFile } from 'node:child_process'
import { Login } from '../../credentials'
import { StudioError } from '../../kernel'
import { parseJson } from '../../kernel/json'
import { SECOND_MS } from '../../kernel/time'

/** How the program of a system is called. What it is to store comes through its standard input, because others can see arguments. */
interface KeychainProgram {
  program: string
  save(url: string, secret: string): { args: string[]; input: string }
  /** In characters. */
  maxInput: number
  read(url: string): string[]
  delete(url: string): string[]
  /** Whether it failed only because it has no such entry. */
  isAbsent(code: unknown, messages: string): boolean
}

const SERVICE = 'studio'
const TIMEOUT_MS = 60 * SECOND_MS

/** `security -i` reads at most so many characters as one line, and the rest of a longer one as the next command. */
const MAX_SECURITY_LINE = 4_094

const secretTool: KeychainProgram = {
  program: 'secret-tool',
  maxInput: Number.POSITIVE_INFINITY,
  save: (url, secret) => ({
    args: ['store', `--label=studio: ${url}`, 'service', SERVICE, 'tracker', url],
    input: secret,
  }),
  read: (url) => ['lookup', 'service', SERVICE, 'tracker', url],
  delete: (url) => ['clear', 'service', SERVICE, 'tracker', url],
  isAbsent: (code, messages) => code === 1 && messages.trim() === '',
}

const security: KeychainProgram = {
  program: 'security',
  maxInput: MAX_SECURITY_LINE,
  save: (url, secret) => ({
    args: ['-i'],
    input: `add-generic-password -U -s ${SERVICE} -a "${url.replace(/["\\]/g, '\\$&')}" -w ${secret}\n`,
  }),
  read: (url) => ['find-generic-password', '-s', SERVICE, '-a', url, '-w'],
  delete: (url) => ['delete-generic-password', '-s', SERVICE, '-a', url],
  // errSecItemNotFound
  isAbsent: (code) => code === 44,
}

const programs: Partial<Record<NodeJS.Platform, KeychainProgram>> = { linux: secretTool, darwin: security }

export async function saveInKeychain(url: string, login: Login): Promise<void> {
  const { program, save, maxInput } = requireProgram()
  const encode = (value: Login) => Buffer.from(JSON.stringify(value)).toString('base64')
  const whole = save(url, encode(login))
  // The access token can be fetched again, and is the longest part.
  const isTooLong = whole.input.length > maxInput && login.refreshToken !== null
  const { args, input } = isTooLong ? save(url, encode({ ...login, accessToken: null })) : whole
  if (input.length > maxInput) throw createRefusal(program, 'has no room for it')
  await run(args, input)
  // `security -i` may end without an error although a line of its input failed.
  const saved = await readFromKeychain(url)
  if (saved === null || saved.refreshToken !== login.refreshToken || saved.expiresAt !== login.expiresAt)
    throw createRefusal(requireProgram().program)
}

export async function readFromKeychain(url: string): Promise<Login | null> {
  const text = await run(requireProgram().read(url))
  if (text === null) return null
  const decoded = parseJson(Buffer.from(text.trim(), 'base64').toString())
  return Login.safeParse(decoded).data ?? null
}

/** Does nothing if there is no entry. */
export async function deleteFromKeychain(url: string): Promise<void> {
  await run(requireProgram().delete(url))
}

/** The same for an entry that is no longer used, as far as the keychain allows it. */
export async function forgetInKeychain(url: string): Promise<void> {
  await deleteFromKeychain(url).catch(() => {})
}

function requireProgram(): KeychainProgram {
  const program = programs[process.platform]
  if (program !== undefined) return program
  throw new StudioError('invalid', 'studio cannot use the keychain of this system.', {
    hint: 'Leave --keychain out: the sign-in is stored in a file that only you can read.',
  })
}

/** Its standard output; null if the keychain has no such entry. */
function run(args: string[], input = ''): Promise<string | null> {
  const { program, isAbsent } = requireProgram()
  return new Promise((resolve, reject) => {
    const options = { timeout: TIMEOUT_MS, windowsHide: true, killSignal: 'SIGKILL' } as const
    const child = execFile(program, args, options, (error, output, messages) => {
      if (!error) resolve(output)
      else if (isAbsent(error.code, messages)) resolve(null)
      else reject(createKeychainError(program, error))
    })
    child.stdin?.on('error', () => {})
    child.stdin?.end(input)
  })
}

/** The error of the program is not shown, because it could name what it was given. */
function createKeychainError(program: string, { code, killed }: ExecFileException): StudioError {
  if (code === 'ENOENT')
    return new StudioError('unavailable', `The program ${program} is not installed.`, {
      hint: 'Install it (on Debian: apt install libsecret-tools), or sign in without --keychain.',
    })
  return createRefusal(program, killed ? `did not end within ${TIMEOUT_MS / SECOND_MS} s` : 'failed')
}

function createRefusal(program: string, reason = 'failed'): StudioError {
  return new StudioError('unavailable', `The keychain refused: ${program} ${reason}.`, {
    hint: 'Unlock the keychain and try again, or sign in without --keychain.',
  })
}
