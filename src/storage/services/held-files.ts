import { type BigIntStats, type Stats, statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { errorCodeOf } from '../../kernel/errors'

/**
 * What Windows answers while another program has a file open: a reader, a backup or an antivirus program. It also answers so for a removed
 * file until the last program has closed it.
 */
const HELD_CODES = ['EPERM', 'EACCES', 'EBUSY']
/** Each wait is twice as long as the one before, so all together take at most twice as long. */
const MAX_WAIT_MS = 500
const MAX_BLOCKING_WAIT_MS = 16

export function isHeldByOthers(error: unknown): boolean {
  return process.platform === 'win32' && HELD_CODES.includes(errorCodeOf(error))
}

/** Repeats `work` for a second while another program holds its file. */
export async function retryWhileHeld<R>(work: () => R | Promise<R>): Promise<R> {
  for (let waitMs = 1; ; waitMs *= 2) {
    try {
      return await work()
    } catch (error) {
      if (waitMs > MAX_WAIT_MS || !isHeldByOthers(error)) throw error
    }
    await sleep(waitMs)
  }
}

/** The same for code that cannot wait for a promise: it blocks the process, so it gives up after some milliseconds. */
export function retryBrieflyWhileHeld<R>(work: () => R): R {
  for (let waitMs = 1; ; waitMs *= 2) {
    try {
      return work()
    } catch (error) {
      if (waitMs > MAX_BLOCKING_WAIT_MS || !isHeldByOthers(error)) throw error
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, waitMs)
  }
}

/** What is at the path; undefined if there is nothing, or on Windows a file that is being removed. */
export function statIfThere(path: string): Stats | undefined {
  return ifThere(() => statSync(path, { throwIfNoEntry: false }))
}

/** The same to compare the numbers of files, which on NTFS exceed what a double holds exactly. */
export function statExactlyIfThere(path: string): BigIntStats | undefined {
  return ifThere(() => statSync(path, { bigint: true, throwIfNoEntry: false }))
}

function ifThere<Found>(stat: () => Found): Found | undefined {
  try {
    return stat()
  } catch (error) {
    if (isHeldByOthers(error)) return undefined
    throw error
  }
}
