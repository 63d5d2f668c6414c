import type { BigIntStats } from 'node:fs'

/**
 * Identifies a version of a file: it changes if the file is replaced or written to. Numbers of files are compared as bigint, because those
 * of NTFS exceed what a double holds exactly: two files could seem to be one.
 */
export function toFileVersion({ ino, mtimeNs, size }: BigIntStats): string {
  return `${ino}:${mtimeNs}:${size}`
}
