import { describe, expect, it } from 'vitest'
import { ConnectionError } from '../../../src/storage/postgres/postgres-errors'
import { retryTransaction } from '../../../src/storage/postgres/transaction'

const serverError = (code: string) => Object.assign(new Error('refused'), { severity: 'ERROR', code })

/** Fails the given number of times, then succeeds. Returns the number of attempts. */
async function runsThrough(failures: number, error: Error): Promise<number> {
  let runs = 0
  await retryTransaction(async () => {
    runs += 1
    if (runs <= failures) throw error
  })
  return runs
}

async function runsUntilGivenUp(error: Error): Promise<number> {
  let runs = 0
  const giving = retryTransaction(async () => {
    runs += 1
    throw error
  })
  await expect(giving).rejects.toBe(error)
  return runs
}

describe('a failed transaction is retried', () => {
  it.each(['40001', '40P01'])('after a conflict with another transaction (%s) until it succeeds', async (code) => {
    expect(await runsThrough(12, serverError(code))).toBe(13)
  })

  it('but not without limit', async () => {
    const error = serverError('40001')
    await expect(retryTransaction(() => Promise.reject(error), 20)).rejects.toBe(error)
  })

  it.each(['23505', '23P01', '23503', '42710', '42P07'])('a few times after a violation (%s)', async (code) => {
    expect(await runsThrough(1, serverError(code))).toBe(2)
    expect(await runsUntilGivenUp(serverError(code))).toBe(4)
  })

  it('once if its connection was lost before the commit', async () => {
    const lost = new ConnectionError('working', new Error('Connection terminated unexpectedly'))
    expect(await runsThrough(1, lost)).toBe(2)
    expect(await runsUntilGivenUp(lost)).toBe(2)
  })

  it('never if it may have been committed', async () => {
    expect(await runsUntilGivenUp(new ConnectionError('committing', new Error('gone')))).toBe(1)
  })

  it('never if there is no connection, the server refuses it, or the error is its own', async () => {
    expect(await runsUntilGivenUp(new ConnectionError('connecting', new Error('gone')))).toBe(1)
    expect(await runsUntilGivenUp(serverError('42501'))).toBe(1)
    expect(await runsUntilGivenUp(new TypeError('a bug'))).toBe(1)
  })
})
