import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { takeGlobalFlags } from '../../commands/start/invocation'
import { renderProgress, showProgress } from '../../commands/terminal/progress'
import { memoryTerminal } from '../../commands/terminal/terminal'

let started = () => {}
const spinner = {
  text: '',
  start() {
    started()
    return spinner
  },
  stop: vi.fn(),
}
vi.mock('ora', () => ({ default: () => spinner }))

describe('the spinner', () => {
  it('is cleared once, and never after other output', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const terminal = memoryTerminal({ env: {}, cwd: '.', canAsk: true })
    const progress = showProgress({ flags: takeGlobalFlags([]).flags, terminal })
    const hasStarted = new Promise<void>((resolve) => {
      started = resolve
    })
    vi.runAllTimers()
    await hasStarted
    progress.end()
    progress.end()
    progress.end()
    expect(spinner.stop).toHaveBeenCalledTimes(1)
  })
})

describe('the progress line', () => {
  it('is only the label without a total', () => {
    expect(renderProgress({ label: 'reading the tree' })).toBe('reading the tree')
    expect(renderProgress({ label: 'reading', done: 3, total: 0 })).toBe('reading')
  })

  it.each([
    [0, '░'.repeat(24)],
    [120, `${'█'.repeat(6)}${'░'.repeat(18)}`],
    [480, '█'.repeat(24)],
    [999, '█'.repeat(24)],
  ])('has a bar and the counts: %i of 480', (done, bar) => {
    expect(renderProgress({ label: 'importing', done, total: 480 })).toBe(`importing  ${bar}  ${done} of 480`)
  })
})
