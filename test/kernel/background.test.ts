import { describe, expect, it } from 'vitest'
import { type Actor, type Background, compute, pureTasks } from '../../src/kernel'
import { Budget, checkpoint } from '../../src/kernel/work/budget'

const tasks = pureTasks('texts', { count: (texts: { text: string }[]) => texts.map(({ text }) => text.length) })

/** Records the tasks that it is asked to run, and returns what the function returns. */
function notingBackground() {
  const asked: { name: string; caller: string }[] = []
  const background: Background = {
    async run(name, args, { caller, budget }) {
      asked.push({ name, caller })
      budget?.add(40)
      return tasks.count.run(...(args as [{ text: string }[]]))
    },
  }
  return { asked, background }
}

const { signal } = new AbortController()
const actor: Actor = { kind: 'user', name: 'Kim', role: 'reader', tokenId: 'T1' }
const longText = [{ text: 'x'.repeat(100_000) }]

describe('a pure task', () => {
  it('runs in place if its texts are short', async () => {
    const { asked, background } = notingBackground()
    expect(await compute({ actor, signal, background }, tasks.count, [{ text: 'short' }])).toEqual([5])
    expect(asked).toEqual([])
  })

  it('runs on the other thread if its texts are long, however many they are', async () => {
    const { asked, background } = notingBackground()
    const texts = Array.from({ length: 10 }, () => ({ text: 'x'.repeat(5_000) }))
    expect(await compute({ actor, signal, background }, tasks.count, texts)).toEqual(texts.map(() => 5_000))
    expect(asked).toEqual([{ name: 'texts.count', caller: 'token T1' }])
  })

  it('gives the same where there is no other thread', async () => {
    expect(await compute({ actor, signal }, tasks.count, longText)).toEqual([100_000])
  })

  it('counts against the budget of its call', async () => {
    const call = { actor, signal, background: notingBackground().background, budget: new Budget(100) }
    await compute(call, tasks.count, longText)
    await compute(call, tasks.count, longText)
    await expect(checkpoint(call)).resolves.toBeUndefined()
    await compute(call, tasks.count, longText)
    await expect(checkpoint(call)).rejects.toMatchObject({ code: 'too_complex' })
  })
})
