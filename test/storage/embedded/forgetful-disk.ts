import { closeSync, fstatSync, openSync, readdirSync, readFileSync, statSync, writeFileSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Disk, realDisk } from '../../../src/storage/embedded/disk'
import { HEAD_BYTES, MAGIC } from '../../../src/storage/embedded/log/log-record'
import { errorOf } from './faulty-disk'

interface Stretch {
  ino: number
  from: number
  to: number
}

/**
 * The real disk, on which some syncs fail as on Linux: the data of a failed sync is dropped, the file reads as
 * before, and the next sync succeeds without writing it. The dropped data is lost in a power failure.
 */
export class ForgetfulDisk implements Disk {
  readonly #path: string
  readonly #fails: (sync: number) => boolean
  readonly #readsDropped: boolean
  readonly #takesCopies: boolean
  /** By inode: the number of bytes that are already synced. */
  readonly #clean = new Map<number, number>()
  #dropped: Stretch[] = []
  syncs = 0

  /**
   * @param path The path of the database.
   * @param fails Whether the nth sync fails, counted from 1.
   * @param readsDropped Whether the dropped data can still be read. Otherwise zeros are read.
   * @param takesCopies False to ignore an append of a record that is already in the file.
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

  freeBytes = realDisk.freeBytes

  create(path: string): void {
    realDisk.create(path)
    const { ino } = statSync(path) // the inode of a removed file is reused
    this.#clean.delete(ino)
    this.#dropped = this.#dropped.filter((one) => one.ino !== ino)
  }

  append(fd: number, bytes: Uint8Array): number {
    const { ino, size } = fstatSync(fd)
    if (!this.#clean.has(ino)) this.#clean.set(ino, size)
    const isDropped = !this.#takesCopies && this.#holds(ino, Buffer.from(bytes))
    return isDropped ? bytes.length : realDisk.append(fd, bytes)
  }

  async sync(fd: number): Promise<void> {
    const { ino, size } = fstatSync(fd)
    const from = this.#clean.get(ino) ?? size
    this.#clean.set(ino, size)
    if (!this.#fails(++this.syncs)) return
    if (from < size) this.#drop({ ino, from, to: size })
    throw errorOf('EIO')
  }

  /** Leaves the files as they are after a power failure. */
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
