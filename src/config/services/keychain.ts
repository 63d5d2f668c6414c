import { execFile } from 'node:child_process'
import { Login } from '../../credentials'
import { StudioError } from '../../kernel'
import { parseJson } from '../../kernel/json'

/** How the program of a system is called. What it is to store comes through its standard input, because others can see arguments. */
interface KeychainProgram {
  program: string
  save(url: string, secret: string): { args: string[]; input: string }
  read(url: string): string[]
  delete(url: string): string[]
}

const SERVICE = 'studio'
const TIMEOUT_MS = 60_000

/** A line of input of `security` may be this long. */
const MAX_SECURITY_SECRET = 3_500

const secretTool: KeychainProgram = {
  program: 'secret-tool',
  save: (url, secret) => ({
    args: ['store', `--label=studio: ${url}`, 'service', SERVICE, 'tracker', url],
    input: secret,
  }),
  read: (url) => ['lookup', 'service', SERVICE, 'tracker', url],
  delete: (url) => ['clear', 'service', SERVICE, 'tracker', url],
}

const security: KeychainProgram = {
  program: 'security',
  save: (url, secret) => ({
    args: ['-i'],
    input: `add-generic-password -U -s ${SERVICE} -a "${url}" -w ${secret}\n`,
  }),
  read: (url) => ['find-generic-password', '-s', SERVICE, '-a', url, '-w'],
  delete: (url) => ['delete-generic-password', '-s', SERVICE, '-a', url],
}

const programs: Partial<Record<NodeJS.Platform, KeychainProgram>> = { linux: secretTool, darwin: security }

export async function saveInKeychain(url: string, login: Login): Promise<void> {
  const { save } = requireProgram()
  const encode = (value: Login) => Buffer.from(JSON.stringify(value)).toString('base64')
  const whole = encode(login)
  // The access token can be fetched again, and is the longest part.
  const isTooLong = whole.length > MAX_SECURITY_SECRET && login.refreshToken !== null
  const { args, input } = save(url, isTooLong ? encode({ ...login, accessToken: null }) : whole)
  await run(args, input)
}

export async function readFromKeychain(url: string): Promise<Login | null> {
  const text = await run(requireProgram().read(url)).catch((error: unknown) => {
    // Both programs fail where there is no such entry.
    if (error instanceof StudioError && error.cause && (error.cause as { code?: unknown }).code !== 'ENOENT') return ''
    throw error
  })
  const decoded = parseJson(Buffer.from(text.trim(), 'base64').toString())
  return Login.safeParse(decoded).data ?? null
}

export async function deleteFromKeychain(url: string): Promise<void> {
  await run(requireProgram().delete(url))
}

function requireProgram(): KeychainProgram {
  const program = programs[process.platform]
  if (program !== undefined) return program
  throw new StudioError('invalid', 'studio cannot use the keychain of this system.', {
    hint: 'Leave --keychain out: the sign-in is stored in a file that only you can read.',
  })
}

function run(args: string[], input = ''): Promise<string> {
  const { program } = requireProgram()
  return new Promise((resolve, reject) => {
    const child = execFile(program, args, { timeout: TIMEOUT_MS, windowsHide: true }, (error, output) => {
      if (!error) resolve(output)
      else reject(createKeychainError(program, error))
    })
    child.stdin?.on('error', () => {})
    child.stdin?.end(input)
  })
}

/** The error of the program is not shown, because it could name what it was given. */
function createKeychainError(program: string, cause: Error & { code?: unknown }): StudioError {
  const isMissing = cause.code === 'ENOENT'
  return new StudioError(
    'unavailable',
    isMissing ? `The program ${program} is not installed.` : `The keychain refused: ${program} failed.`,
    {
      hint: isMissing
        ? 'Install it (on Debian: apt install libsecret-tools), or leave --keychain out.'
        : 'Unlock the keychain and try again, or sign in without --keychain.',
      cause: { code: cause.code },
    },
  )
}
