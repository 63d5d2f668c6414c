import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { findBroadRight, findRightOfOthers, protectFromOthers } from '../../src/storage/services/access-rights'
import { makeFolder, writeFileAtomic } from '../../src/storage/services/files'
import { temporaryFolder } from '../temporary-folder'

const OWN = 'S-1-5-21-1004336348-1177238915-682003330-1001'

describe('an access list of Windows', () => {
  it.each([
    ['of a folder of the profile', `D:AI(A;OICIID;FA;;;SY)(A;OICIID;FA;;;BA)(A;OICIID;FA;;;${OWN})`, null],
    ['of a folder of the drive', 'D:AI(A;OICIID;FA;;;BA)(A;OICIID;0x1200a9;;;BU)(A;ID;0x1301bf;;;AU)', 'change'],
    ['that lets users read', 'D:AI(A;ID;FA;;;SY)(A;ID;0x1200a9;;;BU)', 'read'],
    ['that lets all users of the domain read', 'D:(A;;FR;;;S-1-5-21-1-2-3-513)', 'read'],
    ['that lets everyone delete', 'D:P(A;;SD;;;WD)', 'change'],
    ['that lets everyone do everything', 'D:P(A;;GA;;;S-1-1-0)', 'change'],
    ['that lets everyone see attributes and go through', 'D:P(A;;0x1200a0;;;WD)', null],
    ['that gives rights only to what is created', 'D:P(A;OICIIO;GA;;;BU)', null],
    ['that denies', `D:P(D;;FA;;;BU)(A;;FA;;;${OWN})`, null],
    ['that gives a right to one other user', `D:P(A;;FR;;;S-1-5-21-1-2-3-1002)`, null],
    ['that is missing', 'D:NO_ACCESS_CONTROL', 'change'],
  ])('%s', (_, list, right) => expect(findBroadRight(list)).toBe(right))
})

describe('the rights of other users', () => {
  it.skipIf(process.platform === 'win32')('are those of the mode', () => {
    const file = join(temporaryFolder(), 'a')
    writeFileSync(file, '')
    const rights = [0o600, 0o640, 0o604, 0o620, 0o602].map((mode) => {
      chmodSync(file, mode)
      return findRightOfOthers(file)
    })
    expect(rights).toEqual([null, 'read', 'read', 'change', 'change'])
  })

  /** A folder that every user of the machine may read, which Wine cannot make: its icacls does nothing. */
  function sharedFolder(): string | null {
    const folder = join(process.env['SystemDrive']!, '\\', `studio-${crypto.randomUUID()}`)
    mkdirSync(folder)
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    execFileSync('icacls', [folder, '/grant', '*S-1-5-32-545:(OI)(CI)RX'])
    return findRightOfOthers(folder) === null ? null : folder
  }

  it.runIf(process.platform === 'win32')('are taken from a secret and from a folder on Windows', async ({ skip }) => {
    const shared = sharedFolder()
    if (shared === null) return skip('icacls of this system keeps no access lists')
    const plain = join(shared, 'plain.json')
    const secret = join(shared, 'secret.json')
    await writeFileAtomic(plain, 'plain')
    await writeFileAtomic(secret, 'secret', { isSecret: true })
    expect([findRightOfOthers(plain), findRightOfOthers(secret)]).toEqual(['read', null])
    expect(readFileSync(secret, 'utf8')).toBe('secret')
    expect(readdirSync(shared).sort()).toEqual(['plain.json', 'secret.json'])
    const folder = join(shared, 'home')
    mkdirSync(folder)
    protectFromOthers(folder, 'folder')
    writeFileSync(join(folder, 'studio.db'), '')
    expect([findRightOfOthers(folder), findRightOfOthers(join(folder, 'studio.db'))]).toEqual([null, null])
    // The account of a service, to which an administrator gave the folder.
    execFileSync('icacls', [folder, '/grant', '*S-1-5-19:(OI)(CI)F'])
    makeFolder(join(folder, 'state'))
    const list = join(shared, 'list')
    execFileSync('icacls', [join(folder, 'state'), '/save', list])
    expect(readFileSync(list, 'utf16le')).toContain(';;;LS)')
  })
})
