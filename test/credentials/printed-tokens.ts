import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A token as Entra ID makes it. */
export function signedToken(claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${part({ alg: 'RS256', typ: 'JWT' })}.${part(claims)}.c2lnbmF0dXJl`
}

/** A command that runs a script. It is the same in every shell. */
export async function createScript(text: string): Promise<{ command: string; folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'studio-token-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const script = join(folder, 'print-token.cjs')
  await writeFile(script, text)
  return { command: `"${process.execPath}" "${script}"`, folder }
}

export const FAILING_SCRIPT = "console.error('please sign in'); console.log('secret-output'); process.exitCode = 3"

/** A command that prints the outputs, one at each call, the last one again and again. */
export async function createCommand(outputs: readonly string[]) {
  const { command, folder } = await createScript(
    `const fs = require('node:fs')
const calls = require('node:path').join(__dirname, 'calls')
const outputs = ${JSON.stringify(outputs)}
let n = 0
try { n = fs.readFileSync(calls, 'utf8').length } catch {}
fs.appendFileSync(calls, '.')
process.stdout.write(outputs[Math.min(n, outputs.length - 1)])`,
  )
  const countCalls = async () => (await readFile(join(folder, 'calls'), 'utf8').catch(() => '')).length
  return { command, countCalls }
}
