import { statSync } from 'node:fs'
import { expect } from 'vitest'

/** Windows has access lists in place of modes; there a new file has that of its folder. */
export const hasFileModes = process.platform !== 'win32'

/** Fails if others than the owner can read or write the file. */
export function expectOwnerOnly(path: string): void {
  if (hasFileModes) expect(statSync(path).mode & 0o077).toBe(0)
}
