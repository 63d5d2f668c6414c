import { chmodSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { temporaryFolder } from './temporary-folder'

/** Puts a shell script before all other programs until the end of the test. */
export function addProgram(name: string, script: string): void {
  const folder = temporaryFolder()
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`)
  chmodSync(join(folder, name), 0o755)
  const before = process.env['PATH']
  process.env['PATH'] = `${folder}${delimiter}${before}`
  onTestFinished(() => {
    process.env['PATH'] = before
  })
}
