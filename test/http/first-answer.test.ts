import { expect, it, vi } from 'vitest'
import { FirstAnswer } from '../../src/http/first-answer'

it('work in the background waits for the first answer, or for the end of the server', async () => {
  const answer = new FirstAnswer()
  const begin = vi.fn()
  const begun = answer.wait(new AbortController().signal).then(begin)
  expect(begin).not.toHaveBeenCalled()
  answer.ended()
  await begun
  await answer.wait(new AbortController().signal)
  await new FirstAnswer().wait(AbortSignal.abort())
})
