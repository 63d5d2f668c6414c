import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A token as Entra ID makes it. */
export function signedToken(claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${part({ alg: 'RS256', typ: 'JWT' })}.${part(claims)}.c2lnbmF0dXJl`
}

/** A command that prints the lines of a file, one at each call, the last one again and again. */
export async function createCommand(outputs: readonly string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'studio-token-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const [script, calls] = [join(folder, 'print-token.cjs'), join(folder, 'calls')]
  await writeFile(
    script,
    `const fs = require('node:fs')
const outputs = ${JSON.stringify(outputs)}
let n = 0
try { n = fs.readFileSync(${JSON.stringify(calls)}, 'utf8').length } catch {}
fs.appendFileSync(${JSON.stringify(calls)}, '.')
process.stdout.write(outputs[Math.min(n, outputs.length - 1)])`,
  )
  await chmod(script, 0o700)
  const countCalls = async () => (await readFile(calls, 'utf8').catch(() => '')).length
  return { command: `"${process.execPath}" "${script}"`, countCalls }
}
