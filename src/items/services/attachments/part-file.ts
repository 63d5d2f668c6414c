import { createHash } from 'node:crypto'
import { type FileHandle, lstat, open, readdir, rename, rm } from 'node:fs/promises'
import { hostname, uptime } from 'node:os'
import { join } from 'node:path'
import { errorCodeOf } from '../../../kernel/errors'
import { cutTo, toSafeFileName } from '../../../kernel/files/file-name'
import { retryWhileHeld } from '../../../storage'
import type { ContentTarget } from './receive-content'

/**
 * A file that is being downloaded: `shot.png.<key>.<owner>.<version>.part`. Its name says which attachment it is of, which process writes
 * it, and which version its bytes are of, so that a later call continues it, and two calls at once never write the same file.
 */
export class PartFile implements ContentTarget {
  size: number
  version: string | null
  readonly #folder: string
  readonly #stem: string
  readonly #file: FileHandle
  #name: string

  private constructor(folder: string, { file, stem, name, size, version }: Opened & { stem: string }) {
    this.#folder = folder
    this.#stem = stem
    this.#file = file
    this.#name = name
    this.size = size
    this.version = version
  }

  /** Continues the part that an earlier call has left, or begins a new one. `key` identifies the attachment. */
  static async open(folder: string, { name, key }: { name: string; key: string }): Promise<PartFile> {
    const digest = createHash('sha256').update(key).digest('hex').slice(0, 16)
    const stem = `${cutTo(toSafeFileName(name), MAX_STEM)}.${digest}`
    const opened = (await continuePart(folder, stem)) ?? (await createPart(folder, stem))
    return new PartFile(folder, { ...opened, stem })
  }

  get path(): string {
    return join(this.#folder, this.#name)
  }

  async begin(from: number, version: string | null): Promise<void> {
    if (from === 0) await this.#file.truncate(0)
    this.size = from
    this.version = version
    await this.#rename(formatName(this.#stem, ownerOf(this.#name), version))
  }

  async write(chunk: Uint8Array): Promise<void> {
    for (let done = 0; done < chunk.length; ) {
      const { bytesWritten } = await this.#file.write(chunk, done, chunk.length - done, this.size)
      done += bytesWritten
      this.size += bytesWritten
    }
  }

  /** SHA-256 of the bytes, hexadecimal. */
  async hash(): Promise<string> {
    return hashFile(this.#file, this.size)
  }

  /** Ends writing, with the bytes on the disk. */
  async close(): Promise<void> {
    await this.#file.truncate(this.size)
    await this.#file.sync()
    await this.#file.close()
  }

  /** Leaves the bytes to a later call, unless it could not continue them. */
  async leave(): Promise<void> {
    const canContinue = this.size > 0 && encodeVersion(this.version) !== ''
    await this.close().catch(() => this.#file.close().catch(() => {}))
    if (canContinue) await this.#rename(formatName(this.#stem, FREE, this.version)).catch(() => {})
    else await this.remove()
  }

  async remove(): Promise<void> {
    await this.#file.close().catch(() => {})
    await retryWhileHeld(() => rm(this.path, { force: true }))
  }

  async #rename(name: string): Promise<void> {
    if (name === this.#name) return
    await retryWhileHeld(() => rename(this.path, join(this.#folder, name)))
    this.#name = name
  }
}

interface Opened {
  file: FileHandle
  name: string
  size: number
  version: string | null
}

const MAX_STEM = 60
/** In the place of an owner: the bytes are on the disk, and no process writes them. */
const FREE = 'free'
/** A longer version is not part of a name, so that its file begins again. */
const MAX_VERSION = 110

let parts = 0

/** Differs for every part of every process on every machine. */
function newOwner(): string {
  parts += 1
  return `${machine}-${process.pid}-${parts}`
}

const machine = createHash('sha256').update(hostname()).digest('hex').slice(0, 8)

function formatName(stem: string, owner: string, version: string | null): string {
  return `${stem}.${owner}.${encodeVersion(version)}.part`
}

function encodeVersion(version: string | null): string {
  const encoded = Buffer.from(version ?? '').toString('hex')
  return encoded.length > MAX_VERSION ? '' : encoded
}

function ownerOf(name: string): string {
  return name.split('.').at(-3)!
}

async function createPart(folder: string, stem: string): Promise<Opened> {
  const name = formatName(stem, newOwner(), null)
  return { file: await open(join(folder, name), 'wx+', 0o600), name, size: 0, version: null }
}

/** Takes a part that no process writes any more. Of two calls that take one at once, the second finds it renamed. */
async function continuePart(folder: string, stem: string): Promise<Opened | null> {
  for (const found of await readdir(folder)) {
    if (!found.startsWith(`${stem}.`) || !found.endsWith('.part')) continue
    const [owner, encoded] = found.slice(stem.length + 1, -'.part'.length).split('.')
    if (owner === undefined || encoded === undefined || !(await isAbandoned(join(folder, found), owner))) continue
    const name = `${stem}.${newOwner()}.${encoded}.part`
    try {
      await retryWhileHeld(() => rename(join(folder, found), join(folder, name)))
    } catch (error) {
      if (errorCodeOf(error) === 'ENOENT') continue
      throw error
    }
    const file = await open(join(folder, name), 'r+')
    const { size } = await file.stat()
    const version = Buffer.from(encoded, 'hex').toString()
    // A server answers no range after the last byte, so that one is read again.
    return { file, name, size: version === '' ? 0 : Math.max(0, size - 1), version: version || null }
  }
  return null
}

async function isAbandoned(path: string, owner: string): Promise<boolean> {
  const found = await lstat(path).catch(() => null)
  if (!found?.isFile()) return false
  if (owner === FREE) return true
  const [where, pid] = owner.split('-')
  if (where !== machine || !/^\d{1,9}$/.test(pid ?? '') || isRunning(Number(pid))) return false
  // Bytes that were not synced may be lost with a restart of the machine.
  if (found.mtimeMs > Date.now() - uptime() * 1000) return true
  await rm(path, { force: true })
  return false
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return errorCodeOf(error) !== 'ESRCH'
  }
}

const HASHED_AT_ONCE = 1024 * 1024

/** SHA-256 of the first bytes of a file, hexadecimal. */
export async function hashFile(file: FileHandle, size: number): Promise<string> {
  const hash = createHash('sha256')
  const buffer = Buffer.allocUnsafe(HASHED_AT_ONCE)
  for (let at = 0; at < size; ) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, size - at), at)
    if (bytesRead === 0) break
    hash.update(buffer.subarray(0, bytesRead))
    at += bytesRead
  }
  return hash.digest('hex')
}
