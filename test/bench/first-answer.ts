import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** The time from the start of `studio serve` until it has answered with the drafts. */
export async function measureFirstAnswer(bin: string, env: NodeJS.ProcessEnv): Promise<number> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, [bin, 'serve', '--port', '0'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(child, 'exit')
  const address = await new Promise<string>((resolve, reject) => {
    let output = ''
    const hear = (text: Buffer) => {
      output += text
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(output)
      if (found) resolve(found[0])
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.once('exit', () => reject(new Error(`studio serve ended: ${output}`)))
  })
  const answer = await fetch(`${address}/api/stories/saved`)
  await answer.text()
  const elapsed = performance.now() - startedAt
  child.kill()
  await ended
  if (!answer.ok) throw new Error(`studio serve answered ${answer.status}`)
  return elapsed
}
