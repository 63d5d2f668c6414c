import { spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { saveToFolder } from '../../../src/items/services/attachments/save-to-folder'
import { temporaryFolder } from '../../temporary-folder'

const content = randomBytes(10_000)
const file = { name: 'shot.png', key: 'tracker 204 a' }

/** Leaves a part with the first bytes, as a call does that was interrupted. */
async function openFolder() {
  const folder = temporaryFolder()
  const interrupted = saveToFolder(folder, file, async (target) => {
    await target.begin(0, '"v1"')
    await target.write(content.subarray(0, 4_000))
    throw Object.assign(new Error('The disk is full.'), { code: 'ENOSPC' })
  })
  const error = await interrupted.catch((reason) => reason)
  const list = () => readdirSync(folder)
  const positions: { from: number; version: string | null }[] = []
  const finish = () =>
    saveToFolder(folder, file, async (target) => {
      positions.push({ from: target.size, version: target.version })
      await target.begin(target.size, '"v1"')
      await target.write(content.subarray(target.size))
    })
  return { folder, list, error, finish, positions }
}

/** Renames the part to what a process leaves that is killed. */
function leaveAsKilled(folder: string, pid: number): string {
  const [part] = readdirSync(folder)
  const machine = createHash('sha256').update(hostname()).digest('hex').slice(0, 8)
  const killed = part!.replace('.free.', `.${machine}-${pid}-1.`)
  renameSync(join(folder, part!), join(folder, killed))
  return killed
}

function endedProcess(): number {
  return spawnSync(process.execPath, ['-e', '']).pid
}

describe('a part', () => {
  it('stays when the disk is full, and the next call continues it', async () => {
    const { folder, list, error, finish, positions } = await openFolder()
    expect(error).toMatchObject({
      code: 'disk_full',
      hint: 'Free some space and repeat the command: it continues the file.',
    })
    expect(list()).toEqual([expect.stringMatching(/^shot\.png\..*\.part$/)])
    expect(await finish()).toMatchObject({ path: join(folder, 'shot.png'), bytes: 10_000, wasThere: false })
    expect(positions).toEqual([{ from: 3_999, version: '"v1"' }])
    expect(readFileSync(join(folder, 'shot.png'))).toEqual(content)
    expect(list()).toEqual(['shot.png'])
  })

  it('of a process that was killed is continued', async () => {
    const { folder, list, finish, positions } = await openFolder()
    leaveAsKilled(folder, endedProcess())
    expect(list()).not.toContain('shot.png')
    await finish()
    expect(positions[0]!.from).toBe(3_999)
    expect(list()).toEqual(['shot.png'])
    expect(readFileSync(join(folder, 'shot.png'))).toEqual(content)
  })

  it('of a process that runs is left alone', async () => {
    const { folder, list, finish, positions } = await openFolder()
    const taken = leaveAsKilled(folder, process.pid)
    await finish()
    expect(positions[0]!.from).toBe(0)
    expect(list().sort()).toEqual(['shot.png', taken].sort())
    expect(readFileSync(join(folder, taken))).toEqual(content.subarray(0, 4_000))
  })

  it('of another attachment with the same name is not continued', async () => {
    const { folder, list } = await openFolder()
    await saveToFolder(folder, { ...file, key: 'tracker 204 b' }, async (target) => {
      expect(target.size).toBe(0)
      await target.begin(0, null)
      await target.write(Buffer.from('b'))
    })
    expect(list()).toHaveLength(2)
  })

  it('does not take the place of a file that appears meanwhile', async () => {
    const folder = temporaryFolder()
    const saved = await saveToFolder(folder, file, async (target) => {
      await target.begin(0, null)
      await target.write(content)
      writeFileSync(join(folder, 'shot.png'), 'mine')
    })
    expect(saved.path).toBe(join(folder, 'shot (2).png'))
    expect(readFileSync(join(folder, 'shot.png'), 'utf8')).toBe('mine')
  })
})
