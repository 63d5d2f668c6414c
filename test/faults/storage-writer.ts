import { writeSync } from 'node:fs'
import { type Disk, realDisk } from '../../src/storage/embedded/disk'
import { openFile, openMemory } from '../../src/storage/embedded/engine/open-file'
import { addNote, migrations } from '../storage/embedded/note-database'

/** What the process does with the database. Its only argument is this object as JSON. */
export interface Order {
  path: string
  /** The process writes notes with these IDs in order. */
  from: number
  to: number
  /** The number of concurrent writes. */
  together: number
  minSegmentBytes: number
  /** The process kills itself at this disk operation of the engine, counted from 1; never if absent. */
  killAtStep?: number
  /** The share of an append that is written before the process is killed. */
  lastPart?: number
  /** The length of a note in characters. */
  length?: number
  /** The user that the process changes to before it opens the database. Requires root. */
  uid?: number
}

/** Prints `begun 7` when the write of a note starts, `kept 7` when it is acknowledged, and `failed 7 disk_full` when it fails. */
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
    freeBytes: realDisk.freeBytes,
    create: orDie(realDisk.create),
    append(fd, bytes) {
      if (isLast()) {
        realDisk.append(fd, bytes.subarray(0, Math.floor(bytes.length * lastPart)))
        die()
      }
      return realDisk.append(fd, bytes)
    },
    sync: orDie(realDisk.sync),
    syncFolder: orDie(realDisk.syncFolder),
    rename: orDie(realDisk.rename),
    remove: orDie(realDisk.remove),
  }
}

/** Loads everything before changing the user, because the other user may not be able to read this program and its packages. */
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
