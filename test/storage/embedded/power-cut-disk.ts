import {
  existsSync,
  fstatSync,
  linkSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Disk, realDisk } from '../../../src/storage/embedded/disk'

const SECTOR_BYTES = 512

/**
 * The real disk, until a power failure. Any part of the unsynced data can then be missing: the file is shorter, its
 * sectors read as zeros, and the last renames are undone.
 */
export class PowerCutDisk implements Disk {
  readonly #folder: string
  /** A folder with copies of replaced and removed files. */
  readonly #attic = mkdtempSync(join(tmpdir(), 'studio-attic-'))
  readonly #chance: () => number
  /** By inode: the number of bytes on disk. */
  readonly #synced = new Map<number, number>()
  /** Functions that undo the name changes since the last sync of the folder, in the order of the changes. */
  #undo: (() => void)[] = []
  #livesFor: number

  constructor(path: string, { livesFor, seed }: { livesFor: number; seed: number }) {
    this.#folder = dirname(path)
    this.#livesFor = livesFor
    this.#chance = chanceFrom(seed)
  }

  freeBytes = realDisk.freeBytes

  create(path: string): void {
    this.#step()
    realDisk.create(path)
    this.#undo.push(() => rmSync(path))
  }

  append(fd: number, bytes: Uint8Array): number {
    const { ino, size } = fstatSync(fd)
    if (!this.#synced.has(ino)) this.#synced.set(ino, size)
    if (this.#livesFor === 0) realDisk.append(fd, bytes.subarray(0, this.#upTo(bytes.length)))
    this.#step()
    return realDisk.append(fd, bytes)
  }

  async sync(fd: number): Promise<void> {
    this.#step()
    const { ino, size } = fstatSync(fd)
    this.#synced.set(ino, size)
  }

  async syncFolder(): Promise<void> {
    this.#step()
    this.#undo = []
  }

  rename(from: string, to: string): void {
    this.#step()
    const replaced = this.#keep(to)
    realDisk.rename(from, to)
    this.#undo.push(() => {
      renameSync(to, from)
      if (replaced) renameSync(replaced, to)
    })
  }

  remove(path: string): void {
    this.#step()
    const removed = this.#keep(path)
    realDisk.remove(path)
    this.#undo.push(() => removed && renameSync(removed, path))
  }

  /** Simulates a crash of the process without a power failure. */
  goOn(): void {
    this.#livesFor = Number.POSITIVE_INFINITY
  }

  /** Leaves the files as they are after a power failure. */
  loseWhatWasOnItsWay(): void {
    for (const undo of this.#undo.slice(this.#upTo(this.#undo.length + 1)).reverse()) undo()
    for (const name of readdirSync(this.#folder)) this.#loseUnsynced(join(this.#folder, name))
    rmSync(this.#attic, { recursive: true })
  }

  #loseUnsynced(path: string): void {
    const { ino, size } = statSync(path)
    const synced = this.#synced.get(ino) ?? size
    if (synced >= size) return
    if (this.#chance() < 0.5) {
      truncateSync(path, synced + this.#upTo(size - synced))
      return
    }
    const bytes = readFileSync(path)
    for (let at = synced; at < size; ) {
      const end = Math.min(size, at + SECTOR_BYTES - (at % SECTOR_BYTES))
      if (this.#chance() < 0.5) bytes.fill(0, at, end)
      at = end
    }
    writeFileSync(path, bytes)
  }

  #keep(path: string): string | null {
    if (!existsSync(path)) return null
    const kept = join(this.#attic, String(readdirSync(this.#attic).length))
    linkSync(path, kept)
    return kept
  }

  #upTo(limit: number): number {
    return Math.floor(this.#chance() * limit)
  }

  #step(): void {
    if (this.#livesFor-- <= 0) throw new Error('the power is gone')
  }
}

/** Pseudorandom numbers from 0 to 1. */
function chanceFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
