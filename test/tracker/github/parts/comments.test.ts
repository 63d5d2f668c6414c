import { describe, expect, it } from 'vitest'
import { never, quick } from '../../azure-devops/fixtures'
import { isMutation, losing, openGitHub, ways } from '../fixtures'

const limits = { ...quick, headersTimeoutMs: 200 }

describe('comments', () => {
  const comments = Array.from({ length: 130 }, (_, i) => ({
    id: i + 1,
    author: 'ines',
    body: `Comment ${i + 1}`,
    createdAt: '2026-11-01T08:00:00Z',
  }))

  it('are read the newest first, over several pages', async () => {
    const { tracker } = await openGitHub({ issues: [{ number: 1, comments: [...comments] }] })
    const { total, comments: read } = await tracker.listComments(1, { limit: 120, signal: never })
    expect(total).toBe(130)
    expect(read.map(({ id }) => id)).toEqual(Array.from({ length: 120 }, (_, i) => 130 - i))
    expect(read[0]).toMatchObject({ author: { displayName: 'Ines Ortega' }, text: { format: 'markdown' } })
    await expect(tracker.listComments(9, { limit: 1, signal: never })).rejects.toMatchObject({ code: 'not_found' })
  })

  it.each(ways)('are added once, also if the response is lost: %s', async (_, how) => {
    const { tracker, github } = await openGitHub(
      { issues: [{ number: 1, comments: [] }] },
      { answer: losing(how, true), limits },
    )
    const outcome = await tracker.addComment({ itemId: 1, text: 'Done.', after: 0 }, never)
    expect(outcome).toMatchObject({ status: 'added', comment: { text: { text: 'Done.' } } })
    expect(github.issues.get(1)!.comments).toHaveLength(1)
  })

  it.each(ways)('are unknown if they are not there after a lost response: %s', async (_, how) => {
    const { tracker, requests } = await openGitHub({ issues: [{ number: 1 }] }, { answer: losing(how, false), limits })
    expect(await tracker.addComment({ itemId: 1, text: 'Done.', after: 0 }, never)).toMatchObject({ status: 'unknown' })
    expect(requests.filter(isMutation)).toHaveLength(1)
  })
})
