import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A new folder, which is removed with all that is in it when the test ends. Call it in the test or in a `beforeEach`. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'studio-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
