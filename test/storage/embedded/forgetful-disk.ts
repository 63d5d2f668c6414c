import { closeSync, fstatSync, openSync, readdirSync, readFileSync, statSync, writeFileSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Disk, realDisk } from '../../../src/storage/embedded/disk'
import { HEAD_BYTES, MAGIC } from '../../../src/storage/embedded/log-record'
import { errorOf } from './faulty-disk'

interface Stretch {
  ino: number
  from: number
  to: number
}

/**
 * The real disk, of which some syncs fail, as those of Linux do: what such a sync was to write is dropped, the file reads as
 * before, and the next sync knows nothing of it and succeeds. What was dropped is gone when the power is.
 */
export class ForgetfulDisk implements Disk {
  readonly #path: string
  readonly #fails: (sync: number) => boolean
  readonly #readsDropped: boolean
  readonly #takesCopies: boolean
  /** By inode: how much of the file needs no sync any more. */
  readonly #clean = new Map<number, number>()
  #dropped: Stretch[] = []
  syncs = 0

  /**
   * @param path of the database.
   * @param fails which sync, counted from 1.
   * @param readsDropped whether the file still reads as before; else zeros stand there at once.
   * @param takesCopies without it, a record that stands in the file already is not written again: as if nobody tried.
   */
  constructor(
    path: string,
    fails: (sync: number) => boolean,
    { readsDropped = true, takesCopies = true }: { readsDropped?: boolean; takesCopies?: boolean } = {},
  ) {
    this.#path = path
    this.#fails = fails
    this.#readsDropped = readsDropped
    this.#takesCopies = takesCopies
  }

  syncFolder = realDisk.syncFolder
  rename = realDisk.rename
  remove = realDisk.remove

  create(path: string): void {
    realDisk.create(path)
    const { ino } = statSync(path) // the number of a file that is gone is given again
    this.#clean.delete(ino)
    this.#dropped = this.#dropped.filter((one) => one.ino !== ino)
  }

  append(fd: number, bytes: Uint8Array): void {
    const { ino, size } = fstatSync(fd)
    if (!this.#clean.has(ino)) this.#clean.set(ino, size)
    if (this.#takesCopies || !this.#holds(ino, Buffer.from(bytes))) realDisk.append(fd, bytes)
  }

  async sync(fd: number): Promise<void> {
    const { ino, size } = fstatSync(fd)
    const from = this.#clean.get(ino) ?? size
    this.#clean.set(ino, size)
    if (!this.#fails(++this.syncs)) return
    if (from < size) this.#drop({ ino, from, to: size })
    throw errorOf('EIO')
  }

  /** What there is of the database when the power is back. */
  cutPower(): void {
    for (const { file, ino } of this.#files()) {
      const bytes = readFileSync(file).subarray(0, this.#clean.get(ino))
      for (const { from, to } of this.#dropped.filter((one) => one.ino === ino)) bytes.fill(0, from, to)
      writeFileSync(file, bytes)
    }
  }

  #drop(stretch: Stretch): void {
    this.#dropped.push(stretch)
    if (this.#readsDropped) return
    const fd = openSync(this.#fileOf(stretch.ino), 'r+')
    writeSync(fd, Buffer.alloc(stretch.to - stretch.from), 0, undefined, stretch.from)
    closeSync(fd)
  }

  #holds(ino: number, bytes: Buffer): boolean {
    const record = bytes.subarray(Math.max(0, bytes.lastIndexOf(MAGIC)))
    return record.length > HEAD_BYTES && readFileSync(this.#fileOf(ino)).includes(record)
  }

  #fileOf(ino: number): string {
    return this.#files().find((one) => one.ino === ino)!.file
  }

  #files(): { file: string; ino: number }[] {
    const folder = dirname(this.#path)
    const names = readdirSync(folder).filter((name) => !name.includes('.lock'))
    return names.map((name) => ({ file: join(folder, name), ino: statSync(join(folder, name)).ino }))
  }
}
