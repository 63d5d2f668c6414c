import { chmodSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { temporaryFolder } from './temporary-folder'

/** Puts a shell script before all other programs until the end of the test. */
export function addProgram(name: string, script: string): void {
  addFile(name, `#!/bin/sh\n${script}\n`)
}

/** The same for a script of Node, also on Windows. */
export function addNodeProgram(name: string, code: string): void {
  const script = join(temporaryFolder(), 'program.cjs')
  writeFileSync(script, code)
  const command = `"${process.execPath}" "${script}"`
  if (process.platform === 'win32') addFile(`${name}.cmd`, `@${command} %*\r\n`)
  else addProgram(name, `exec ${command} "$@"`)
}

function addFile(name: string, text: string): void {
  const folder = temporaryFolder()
  writeFileSync(join(folder, name), text)
  chmodSync(join(folder, name), 0o755)
  const before = process.env['PATH']
  process.env['PATH'] = `${folder}${delimiter}${before}`
  onTestFinished(() => {
    process.env['PATH'] = before
  })
}
