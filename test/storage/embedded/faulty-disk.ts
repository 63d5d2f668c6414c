import { type Disk, realDisk } from '../../../src/storage/embedded/disk'

export type Step = Exclude<keyof Disk, 'freeBytes'>

/** The real disk, until it fails. After that it changes nothing, as if the process had crashed. */
export class DyingDisk implements Disk {
  readonly #livesFor: number
  /** The share of the bytes that the failing append still writes. */
  readonly #lastPart: number
  readonly steps: Step[] = []

  constructor(livesFor = Number.POSITIVE_INFINITY, lastPart = 0.5) {
    this.#livesFor = livesFor
    this.#lastPart = lastPart
  }

  get isDead(): boolean {
    return this.steps.length > this.#livesFor
  }

  freeBytes = realDisk.freeBytes

  create(path: string): void {
    this.#step('create')
    realDisk.create(path)
  }
  append(fd: number, bytes: Uint8Array): number {
    const part = () => realDisk.append(fd, bytes.subarray(0, Math.floor(bytes.length * this.#lastPart)))
    this.#step('append', part)
    return realDisk.append(fd, bytes)
  }
  async sync(fd: number): Promise<void> {
    this.#step('sync')
    await realDisk.sync(fd)
  }
  async syncFolder(path: string): Promise<void> {
    this.#step('syncFolder')
    await realDisk.syncFolder(path)
  }
  rename(from: string, to: string): void {
    this.#step('rename')
    realDisk.rename(from, to)
  }
  remove(path: string): void {
    this.#step('remove')
    realDisk.remove(path)
  }

  #step(name: Step, last?: () => void): void {
    this.steps.push(name)
    if (this.steps.length === this.#livesFor + 1) last?.()
    if (this.isDead) throw new Error('this process is dead')
  }
}

/** The real disk, of which chosen calls fail. */
export class FailingDisk implements Disk {
  /** The error code, and the number of bytes that the first append still writes. */
  fails: Partial<Record<Step, { code: string; after?: number }>> = {}

  freeBytes = realDisk.freeBytes

  create = this.#orFail('create')
  sync = this.#orFail('sync')
  syncFolder = this.#orFail('syncFolder')
  rename = this.#orFail('rename')
  remove = this.#orFail('remove')

  append(fd: number, bytes: Uint8Array): number {
    const failure = this.fails.append
    if (!failure) return realDisk.append(fd, bytes)
    const { after = 0 } = failure
    failure.after = 0
    if (after === 0) throw errorOf(failure.code)
    return realDisk.append(fd, bytes.subarray(0, after))
  }

  #orFail<Name extends Exclude<Step, 'append'>>(name: Name): Disk[Name] {
    return ((...args: [never, never]) => {
      const failure = this.fails[name]
      if (failure) {
        if (name === 'sync' || name === 'syncFolder') return Promise.reject(errorOf(failure.code))
        throw errorOf(failure.code)
      }
      return (realDisk[name] as (...args: unknown[]) => unknown)(...args)
    }) as unknown as Disk[Name]
  }
}

export function errorOf(code: string): Error {
  return Object.assign(new Error(`${code}: the disk says no`), { code })
}
