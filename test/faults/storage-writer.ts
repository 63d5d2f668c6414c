import { writeSync } from 'node:fs'
import { type Disk, realDisk } from '../../src/storage/embedded/disk'
import { openFile, openMemory } from '../../src/storage/embedded/open-file'
import { addNote, migrations } from '../storage/embedded/note-database'

/** What one process does to a database, as its only argument says. */
export interface Order {
  path: string
  /** It writes notes of these ids, one after the other. */
  from: number
  to: number
  /** How many at once. */
  together: number
  minSegmentBytes: number
  /** The process kills itself at this step of the engine on the disk, counted from 1; never where absent. */
  killAtStep?: number
  /** How much of an append is written before it dies there. */
  lastPart?: number
  /** Characters of a note. */
  length?: number
  /** The user that the process becomes before it opens the database; it must be started by root then. */
  uid?: number
}

/** `begun 7` when a note is asked for, `kept 7` when it was acknowledged, `failed 7 disk_full` when it was refused. */
function say(text: string): void {
  writeSync(1, `${text}\n`)
}

function killingDisk({ killAtStep = 0, lastPart = 0 }: Order): Disk {
  let step = 0
  const isLast = () => ++step === killAtStep
  const die = () => process.kill(process.pid, 'SIGKILL')
  const orDie =
    <Arguments extends unknown[], Result>(call: (...args: Arguments) => Result) =>
    (...args: Arguments): Result => {
      if (isLast()) die()
      return call(...args)
    }
  return {
    create: orDie(realDisk.create),
    append(fd, bytes) {
      if (isLast()) {
        realDisk.append(fd, bytes.subarray(0, Math.floor(bytes.length * lastPart)))
        die()
      }
      realDisk.append(fd, bytes)
    },
    sync: orDie(realDisk.sync),
    syncFolder: orDie(realDisk.syncFolder),
    rename: orDie(realDisk.rename),
    remove: orDie(realDisk.remove),
  }
}

/** The other user may not be able to read this program and its packages, so all that it needs is loaded before. */
async function becomeUser(uid: number): Promise<void> {
  await (await openMemory(migrations)).close()
  process.setgroups!([])
  process.setgid!(uid)
  process.setuid!(uid)
}

async function main(order: Order): Promise<void> {
  const { path, minSegmentBytes, length = 100 } = order
  if (order.uid !== undefined) await becomeUser(order.uid)
  const db = await openFile(path, migrations, {
    disk: killingDisk(order),
    minSegmentBytes: minSegmentBytes,
    compactsInProcess: true,
  })
  say('open')
  let next = order.from
  const writer = async () => {
    while (next <= order.to) {
      const id = next++
      say(`begun ${id}`)
      await addNote(db, id, `${id} `.padEnd(length, 'x')).then(
        () => say(`kept ${id}`),
        (error) => say(`failed ${id} ${error.code}`),
      )
    }
  }
  await Promise.all(Array.from({ length: order.together }, writer))
  await db.close()
  say('closed')
}

await main(JSON.parse(process.argv[2]!))
