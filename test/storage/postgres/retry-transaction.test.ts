import { describe, expect, it } from 'vitest'
import { ConnectionError } from '../../../src/storage/postgres/postgres-errors'
import { retryTransaction } from '../../../src/storage/postgres/transaction'

const serverError = (code: string) => Object.assign(new Error('refused'), { severity: 'ERROR', code })

/** Fails so often with the error, then goes through; gives how often it was run. */
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

describe('a transaction that fails is run again', () => {
  it.each(['40001', '40P01'])('when others were in the way (%s), as often as it takes', async (code) => {
    expect(await runsThrough(12, serverError(code))).toBe(13)
  })

  it('but not for ever', async () => {
    const error = serverError('40001')
    await expect(retryTransaction(() => Promise.reject(error), 20)).rejects.toBe(error)
  })

  it.each(['23505', '23P01', '23503'])('a few times when a row of others stands in the way (%s)', async (code) => {
    expect(await runsThrough(1, serverError(code))).toBe(2)
    expect(await runsUntilGivenUp(serverError(code))).toBe(4)
  })

  it('once when its connection was lost before it saved', async () => {
    const lost = new ConnectionError('working', new Error('Connection terminated unexpectedly'))
    expect(await runsThrough(1, lost)).toBe(2)
    expect(await runsUntilGivenUp(lost)).toBe(2)
  })

  it('never when it may have been saved', async () => {
    expect(await runsUntilGivenUp(new ConnectionError('committing', new Error('gone')))).toBe(1)
  })

  it('never when there is no connection, when it is refused, or when it is a fault of its own', async () => {
    expect(await runsUntilGivenUp(new ConnectionError('connecting', new Error('gone')))).toBe(1)
    expect(await runsUntilGivenUp(serverError('42501'))).toBe(1)
    expect(await runsUntilGivenUp(new TypeError('a bug'))).toBe(1)
  })
})
