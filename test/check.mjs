import { spawn } from 'node:child_process'
import { performance } from 'node:perf_hooks'

/**
 * What must pass: types, lint and import rules, which run at the same time, then all tests. Prints how long each stage took, the build and
 * the tests included, and ends with the line `N passed, N failed`: of the tests, or of the stages before them if one has failed.
 */
async function check() {
  const stages = await Promise.all(
    ['types', 'lint', 'imports'].map((name) => run(name, ['npm', 'run', '--silent', name])),
  )
  const passed = stages.filter((hasPassed) => hasPassed).length
  if (passed < stages.length) {
    console.log(`${passed} passed, ${stages.length - passed} failed`)
    return false
  }
  // Their reporter prints their time before their count.
  return run('tests', ['npx', 'vitest', 'run', ...process.argv.slice(2)], 'inherit')
}

/** Runs a program. What it prints is shown when it ends, so that stages do not mix. */
function run(name, [program, ...args], stdio = 'pipe') {
  const start = performance.now()
  const options = { stdio: ['ignore', stdio, stdio] }
  // npm and npx are scripts on Windows, which only a shell runs.
  const child =
    process.platform === 'win32'
      ? spawn([program, ...args].join(' '), { ...options, shell: true })
      : spawn(program, args, options)
  const printed = []
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (bytes) => printed.push(bytes))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => {
      process.stdout.write(Buffer.concat(printed))
      const seconds = ((performance.now() - start) / 1000).toFixed(1)
      if (stdio === 'pipe') console.log(`${name}: ${code === 0 ? 'passed' : 'failed'}, ${seconds} s`)
      resolve(code === 0)
    })
  })
}

process.exitCode = (await check()) ? 0 : 1
