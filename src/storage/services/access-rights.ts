import { readFileSync, realpathSync, rmSync, statSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join, sep } from 'node:path'
import { errorCodeOf, StudioError } from '../../kernel/errors'
import { getWindowsProgram } from '../../kernel/files/windows-program'
import { getWindowsUser } from '../../kernel/text/shell'

/** What users other than the owner, the administrators and the system can do with a file or a folder. */
export type RightOfOthers = 'read' | 'change'

/**
 * What any other user of this system can do with a file or a folder: by its mode, or on Windows by its access list. There, what is in the
 * profile of the user counts as private, and rights that were given to single users are not reported. Null for no right, and where it is
 * not known. Throws as `statSync` does.
 */
export function findRightOfOthers(path: string): RightOfOthers | null {
  const { mode } = statSync(path)
  if (process.platform === 'win32') return isInProfile(path) ? null : findBroadRight(readAccessList(path) ?? 'D:')
  if ((mode & 0o022) !== 0) return 'change'
  return (mode & 0o044) === 0 ? null : 'read'
}

/**
 * Lets only this user, the administrators and the system use a file, or a folder with everything that is created in it. Only Windows needs
 * it: elsewhere the mode says so from the creation on. What is in the profile of the user is private already. A folder that only single
 * users can use stays so: an administrator prepares the home of a service for the account of the service. Throws `unavailable` if the file
 * system keeps no access lists.
 */
export function protectFromOthers(path: string, kind: 'file' | 'folder'): void {
  if (process.platform !== 'win32' || isInProfile(path) || (kind === 'folder' && isForSingleUsers(path))) return
  const rights = kind === 'file' ? ':F' : ':(OI)(CI)F'
  try {
    const owners = [readOwnName(), SYSTEM, ADMINISTRATORS].map((name) => `${name}${rights}`)
    runOfWindows('icacls.exe', [path, '/inheritance:r', '/grant:r', ...owners, '/q'])
  } catch (error) {
    throw new StudioError('unavailable', 'This drive cannot keep a secret from other users, so it was not stored.', {
      hint: 'Use a folder on an NTFS volume, for example in your profile: set STUDIO_HOME, or remove it.',
      cause: error,
    })
  }
}

const SYSTEM = '*S-1-5-18'
const ADMINISTRATORS = '*S-1-5-32-544'

/** The identifier of the user, because a name can also be the one of a group or of the machine. */
function readOwnName(): string {
  const [sid] = /S-1-[\d-]+/.exec(runOfWindows('whoami.exe', ['/user', '/fo', 'csv', '/nh'])) ?? []
  return sid ? `*${sid}` : getWindowsUser()
}

function isForSingleUsers(path: string): boolean {
  const accessList = readAccessList(path)
  return accessList !== null && findBroadRight(accessList) === null
}

/** The access list as text of the security descriptor definition language; null if it cannot be read. */
function readAccessList(path: string): string | null {
  const file = join(tmpdir(), `studio-${crypto.randomUUID()}.acl`)
  try {
    runOfWindows('icacls.exe', [path, '/save', file, '/q'])
    // The first line is the name.
    return readFileSync(file, 'utf16le').split(/\r?\n/)[1] ?? null
  } catch {
    return null
  } finally {
    rmSync(file, { force: true })
  }
}

function runOfWindows(program: string, args: string[]): string {
  const { execFileSync } = process.getBuiltinModule('node:child_process')
  return execFileSync(getWindowsProgram(program), args, {
    encoding: 'utf8',
    windowsHide: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
}

function isInProfile(path: string): boolean {
  try {
    const [profile, real] = [homedir(), path].map((each) => realpathSync.native(each).toLowerCase())
    return real!.startsWith(`${profile!}${sep}`)
  } catch (error) {
    if (errorCodeOf(error) === '') throw error
    return false
  }
}

/** Everyone, users, authenticated and interactive users, callers from the network, guests, and all users of a domain. */
const BROAD_GROUPS = /^(?:WD|BU|AU|IU|NU|AN|BG|LG|DU|DG|S-1-1-0|S-1-5-(?:2|4|7|11|32-54[56]|21-[\d-]+-51[34]))$/

const RIGHTS: Record<string, number> = {
  GA: 0x1000_0000,
  GR: 0x8000_0000,
  GW: 0x4000_0000,
  FA: 0x1f_01ff,
  FR: 0x12_0089,
  FW: 0x12_0116,
  CC: 0x1,
  DC: 0x2,
  LC: 0x4,
  DT: 0x40,
  SD: 0x1_0000,
  WD: 0x4_0000,
  WO: 0x8_0000,
}
/** Reading the content, in itself or as one of all rights. */
const READING = 0x9000_0001
/** Writing, adding to it, deleting it or what is in it, or changing the access list or the owner. */
const CHANGING = 0x500d_0046

/** What the access list, as text of the security descriptor definition language, lets a group of many users do. */
export function findBroadRight(accessList: string): RightOfOthers | null {
  if (accessList.includes('NO_ACCESS_CONTROL')) return 'change'
  let given = 0
  for (const [, entry] of accessList.matchAll(/\(([^()]*)\)/g)) {
    const [type, flags = '', rights = '', , , who = ''] = entry!.split(';')
    // An entry of a folder with IO is only for what is created in it.
    if (type === 'A' && !pairsOf(flags).includes('IO') && BROAD_GROUPS.test(who)) given |= readRights(rights)
  }
  if ((given & CHANGING) !== 0) return 'change'
  return (given & READING) === 0 ? null : 'read'
}

function readRights(text: string): number {
  if (/^0x/i.test(text)) return Number(text)
  return pairsOf(text).reduce((all, name) => all | (RIGHTS[name] ?? 0), 0)
}

/** Names of two letters, which stand without a space between them. */
function pairsOf(text: string): string[] {
  return text.match(/../g) ?? []
}
