import { closeSync, constants, existsSync, openSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { crc32 } from 'node:zlib'
import { databaseTooNewError } from '../services/apply-migrations'
import type { Connection } from './connection'
import type { Disk } from './disk'
import { segmentPath } from './segments'
import { damagedError, missingFileError } from './storage-errors'

/**
 * The log of version 1.0, for the conversion of its databases. A record was a head of 40 bytes and a commit as JSON: statements with their
 * parameters.
 *
 * ```
 *  0  magic, 3 bytes · version, 1 byte      4  length of the payload    8  segment    12  index    16  checksum of the head before it
 * 20  flags: 1 = the last of its segment   24  writer, 8 bytes         32  checksum of the payload       36  checksum of bytes 0 to 35
 * ```
 */
const HEAD_BYTES = 40
const MAGIC = Buffer.from('\xffSL', 'latin1')
const SECTOR_BYTES = 512
const MIN_HOLE_BYTES = 8

interface Head {
  version: number
  length: number
  segment: number
  index: number
  previous: number
  sealed: boolean
  payloadChecksum: number
  checksum: number
}

interface Position {
  segment: number
  index: number
  previous: number
}

/** What was read of the log. */
export interface StatementLog {
  /** The position of the next commit. */
  end: Position
  commits: number
  /** Whether version 1.0 can no longer append to it. */
  isClosed: boolean
  /** What could not be read, if asked for as much as possible. */
  lost: string[]
}

/**
 * Runs the statements of the log, which begins in the segment `first`. Throws an error that names the place if they cannot be read or do
 * not match the state before them; if `savesRest` is set, it stops there instead.
 */
export function replayStatementLog(
  path: string,
  first: number,
  connection: Connection,
  { savesRest = false }: { savesRest?: boolean } = {},
): StatementLog {
  let at: Position = { segment: first, index: 0, previous: 0 }
  let commits = 0
  const done = (isClosed: boolean, lost: string[] = []) => ({ end: at, commits, isClosed, lost })
  connection.runControl('begin')
  try {
    for (;;) {
      const file = segmentPath(path, at.segment)
      if (!existsSync(file)) throw missingFileError(file)
      const bytes = readFileSync(file)
      if (isRefusal(bytes)) return done(true)
      const { end, isSealed } = readSegment(bytes, at, file, (payload, offset) => {
        connection.runControl('savepoint one_commit')
        try {
          runCommit(connection, payload)
        } catch (error) {
          connection.runControl('rollback to one_commit')
          throw damagedError(file, offset, 'the commit there does not match the state before it', error)
        } finally {
          connection.runControl('release one_commit')
        }
        commits++
      })
      at = end
      if (!isSealed) return done(false)
      at = { segment: at.segment + 1, index: 0, previous: 0 }
    }
  } catch (error) {
    if (!savesRest) throw error
    return done(false, [`${(error as Error).message} What follows was not read.`])
  } finally {
    connection.runControl('commit')
  }
}

interface Commit {
  /** Each distinct text once. */
  sql: string[]
  /** The index of the text, and its parameters. */
  run: [number, unknown[]][]
  changes: number
}

function runCommit(connection: Connection, payload: Buffer): void {
  const { sql, run, changes } = JSON.parse(payload.toString()) as Commit
  let changed = 0
  for (const [number, values] of run) changed += connection.run(sql[number]!, values.map(decodeValue)).changes
  if (changed !== changes) throw new Error(`it changed ${changed} rows instead of ${changes}`)
}

/** Bytes, and numbers that JSON cannot represent, are objects. */
function decodeValue(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const encoded = value as { number: string } | { base64: string }
  return 'number' in encoded ? Number(encoded.number) : Buffer.from(encoded.base64, 'base64')
}

/** A record counts if it names the record before it; of two, the first one. Interrupted appends are skipped, anything else is damage. */
function readSegment(
  bytes: Buffer,
  from: Position,
  file: string,
  accept: (payload: Buffer, offset: number) => void,
): { end: Position; isSealed: boolean } {
  let end = from
  let isSealed = false
  for (let at = 0; at < bytes.length; ) {
    const head = decodeHead(bytes, at)
    const payload = head && bytes.subarray(at + HEAD_BYTES, at + HEAD_BYTES + head.length)
    if (head === null || payload!.length < head.length || crc32(payload!) !== head.payloadChecksum) {
      const magic = bytes.indexOf(MAGIC, at + 1)
      const next = magic < 0 ? bytes.length : magic
      if (!isInterrupted(bytes.subarray(at, next), at))
        throw damagedError(file, at, 'the bytes are not what was written')
      at = next
      continue
    }
    if (head.version > 1) throw databaseTooNewError(file)
    const isNext = head.segment === end.segment && head.index === end.index && head.previous === end.previous
    if (isNext && !isSealed) {
      accept(payload!, at)
      end = { segment: head.segment, index: head.index + 1, previous: head.checksum }
      isSealed = head.sealed
    } else if (head.segment !== end.segment || head.index >= end.index)
      throw damagedError(file, at, 'a record before it is missing')
    at += HEAD_BYTES + head.length
  }
  return { end, isSealed }
}

function decodeHead(bytes: Buffer, at: number): Head | null {
  if (at + HEAD_BYTES > bytes.length || bytes.compare(MAGIC, 0, MAGIC.length, at, at + MAGIC.length) !== 0) return null
  const checksum = bytes.readUInt32LE(at + 36)
  if (crc32(bytes.subarray(at, at + 36)) !== checksum) return null
  return {
    version: bytes.readUInt8(at + 3),
    length: bytes.readUInt32LE(at + 4),
    segment: bytes.readUInt32LE(at + 8),
    index: bytes.readUInt32LE(at + 12),
    previous: bytes.readUInt32LE(at + 16),
    sealed: bytes.readUInt32LE(at + 20) === 1,
    payloadChecksum: bytes.readUInt32LE(at + 32),
    checksum,
  }
}

function encodeRecord(
  at: Position,
  { version, sealed, payload }: { version: number; sealed: boolean; payload: string },
): Buffer {
  const bytes = Buffer.alloc(HEAD_BYTES + payload.length)
  bytes.set(MAGIC, 0)
  bytes.writeUInt8(version, 3)
  bytes.writeUInt32LE(payload.length, 4)
  bytes.writeUInt32LE(at.segment, 8)
  bytes.writeUInt32LE(at.index, 12)
  bytes.writeUInt32LE(at.previous, 16)
  bytes.writeUInt32LE(sealed ? 1 : 0, 20)
  bytes.write(payload, HEAD_BYTES)
  bytes.writeUInt32LE(crc32(bytes.subarray(HEAD_BYTES)), 32)
  bytes.writeUInt32LE(crc32(bytes.subarray(0, 36)), 36)
  return bytes
}

/** A sequence of interrupted heads, of which only the last may continue after its magic. */
const PARTIAL_HEADS = /^(?:\xffS?)*(?:\xffSL.*)?$/s

/** Whether an interrupted append explains the bytes: they end too early, or a sector of them was never written and reads as zeros. */
function isInterrupted(piece: Buffer, offset: number): boolean {
  if (piece.length < HEAD_BYTES) {
    if (PARTIAL_HEADS.test(piece.toString('latin1'))) return true
  } else {
    const head = decodeHead(piece, 0)
    if (head !== null && piece.length < HEAD_BYTES + head.length) return true
  }
  for (let at = 0; at < piece.length; ) {
    const end = at + SECTOR_BYTES - ((offset + at) % SECTOR_BYTES)
    const stretch = piece.subarray(at, end)
    if (stretch.length >= MIN_HOLE_BYTES && stretch.every((byte) => byte === 0)) return true
    at = end
  }
  return false
}

/**
 * A record that makes version 1.0 say that a newer version wrote the database. Each base names segment 0 in the field where 1.0 looks for
 * its log, and this file is segment 0.
 */
const NEWER_VERSION = 2
const encodeRefusal = (segment: number) =>
  encodeRecord({ segment, index: 0, previous: 0 }, { version: NEWER_VERSION, sealed: false, payload: '' })

const isRefusal = (bytes: Buffer) => decodeHead(bytes, 0)?.version === NEWER_VERSION

/** Makes version 1.0 refuse the database at `path`, once and for all. */
export async function placeRefusal(path: string, disk: Disk): Promise<void> {
  await writeRefusal(path, 0, disk)
}

async function writeRefusal(path: string, segment: number, disk: Disk): Promise<void> {
  const file = segmentPath(path, segment)
  if (existsSync(file) && isRefusal(readFileSync(file))) return
  if (!existsSync(file)) disk.create(file)
  await append(file, encodeRefusal(segment), disk)
  await disk.syncFolder(dirname(path))
}

/**
 * Closes the log for version 1.0, whose processes may still append to it: none of their commits may be acknowledged and then lost. False
 * if one of them committed since `log` was read.
 */
export async function closeStatementLog(path: string, { end, isClosed }: StatementLog, disk: Disk): Promise<boolean> {
  if (isClosed) return true
  await writeRefusal(path, end.segment + 1, disk) // 1.0 reads this after the end of its log
  const record = encodeRecord(end, { version: 1, sealed: true, payload: '{"sql":[],"run":[],"changes":0}' })
  const file = segmentPath(path, end.segment)
  await append(file, record, disk)
  return findRecordAt(readFileSync(file), end)?.equals(record) ?? false
}

/** The first record that follows `end`: it counts. */
function findRecordAt(bytes: Buffer, end: Position): Buffer | null {
  for (let at = bytes.indexOf(MAGIC); at >= 0; at = bytes.indexOf(MAGIC, at + 1)) {
    const head = decodeHead(bytes, at)
    if (head?.index !== end.index || head.previous !== end.previous) continue
    const record = bytes.subarray(at, at + HEAD_BYTES + head.length)
    if (crc32(record.subarray(HEAD_BYTES)) === head.payloadChecksum) return record
  }
  return null
}

async function append(file: string, bytes: Uint8Array, disk: Disk): Promise<void> {
  const fd = openSync(file, constants.O_WRONLY | constants.O_APPEND)
  try {
    disk.append(fd, bytes)
    await disk.sync(fd)
  } finally {
    closeSync(fd)
  }
}
