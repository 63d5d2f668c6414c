import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { listLocalPorts, readProcess, removeWhenOrphaned } from './processes'

const isRunning = (pid: number) => readProcess(pid) !== null

/** Starts a program that names the folder in its environment or arguments, as the programs of a cluster do. */
function startProgram(folder: string, args: readonly string[], env: Record<string, string>) {
  const program = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e9)', ...args], { env, cwd: folder })
  onTestFinished(() => void program.kill('SIGKILL'))
  return program.pid!
}

describe.runIf(process.platform === 'linux')('the processes of a cluster', () => {
  it('end with its folder, and no others', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'studio-cluster-'))
    const named = startProgram(folder, [join(folder, 'node1.yml')], {})
    const inherited = startProgram(folder, [], { HOME: folder })
    const other = startProgram(folder, [], { HOME: `${folder}-other` })
    await removeWhenOrphaned(folder)()
    await expect.poll(() => [named, inherited, other].map(isRunning)).toEqual([false, false, true])
    expect(existsSync(folder)).toBe(false)
  })

  it('end when the process that started them is killed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'studio-cluster-'))
    mkdirSync(join(folder, 'data'))
    const script = `
      const { spawn } = require('node:child_process')
      const guard = spawn('sh', ['test/cluster/remove-when-orphaned.sh'], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
      guard.stdin.write(process.argv[1] + '\\n')
      const program = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e9)', process.argv[1] + '/data'], { stdio: 'ignore' })
      console.log(program.pid)
      setInterval(() => {}, 1e9)`
    const runner = spawn(process.execPath, ['-e', script, folder])
    const [line] = await once(runner.stdout, 'data')
    const program = Number(line)
    expect(isRunning(program)).toBe(true)
    runner.kill('SIGKILL')
    await expect.poll(() => isRunning(program) || existsSync(folder)).toBe(false)
  })

  it('are found by the ports of their connections', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const { port } = server.address() as { port: number }
    expect(listLocalPorts([process.pid]).has(port)).toBe(true)
    expect(listLocalPorts([]).has(port)).toBe(false)
  })
})
