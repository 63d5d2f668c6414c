// Loaded into a service under test: measures how long the main thread computes without a turn of its event loop.
const { readFileSync } = require('node:fs')

const TICK_MS = 5
const MS_PER_CLOCK_TICK = 10

/** Milliseconds of processor time of the main thread; of all threads where the system does not count them apart. */
function processorMs() {
  try {
    const fields = readFileSync(`/proc/self/task/${process.pid}/stat`, 'latin1').split(') ')[1].split(' ')
    return (Number(fields[11]) + Number(fields[12])) * MS_PER_CLOCK_TICK
  } catch {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  }
}

if (process.send) {
  let longestMs = 0
  let before = processorMs()
  const look = () => {
    const now = processorMs()
    longestMs = Math.max(longestMs, now - before)
    before = now
  }
  setInterval(look, TICK_MS).unref()
  process.on('message', () => {
    look()
    process.send(longestMs)
    longestMs = 0
  })
  process.channel.unref()
}
