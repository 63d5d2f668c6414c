import { existsSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { withFileLock } from '../../../src/storage/services/file-lock'
import { temporaryFolder } from '../../temporary-folder'

const HOUR_MS = 3_600_000
const HELD_ELSEWHERE = JSON.stringify({ pid: 1, host: 'another.invalid', nonce: 'x' })
const DEAD = JSON.stringify({ pid: 2 ** 22 + 1, host: hostname(), nonce: 'x' })
const newLock = () => join(temporaryFolder(), 'file.lock')
const setTime = (path: string, changeMs: number) => {
  const at = new Date(Date.now() + changeMs)
  utimesSync(path, at, at)
}

describe('a lock', () => {
  it('is not taken from a process that runs when the clock is set forward or back', async () => {
    await Promise.all(
      [-HOUR_MS, HOUR_MS].map(async (change) => {
        const lock = newLock()
        const order: string[] = []
        const first = withFileLock(lock, async ({ assertHeld }) => {
          setTime(lock, change)
          order.push('first begins')
          await sleep(2_500)
          await assertHeld()
          order.push('first ends')
        })
        await expect.poll(() => order).toEqual(['first begins'])
        await withFileLock(lock, async () => order.push('second'))
        await first
        expect(order).toEqual(['first begins', 'first ends', 'second'])
      }),
    )
  })

  it('of another machine that refreshes it no more is taken over, whatever its time is', async () => {
    await Promise.all(
      [-HOUR_MS, 0, HOUR_MS].map(async (change) => {
        const lock = newLock()
        writeFileSync(lock, HELD_ELSEWHERE)
        setTime(lock, change)
        expect(await withFileLock(lock, async () => existsSync(lock))).toBe(true)
        expect(readdirSync(dirname(lock))).toEqual([])
      }),
    )
  })

  it('of a process that died is taken over at once, also if that died while it took the lock over', async () => {
    const lock = newLock()
    writeFileSync(lock, DEAD)
    writeFileSync(`${lock}.takeover`, DEAD)
    expect(await withFileLock(lock, async () => 'done', { waitMs: 4_900 })).toBe('done')
  })

  it('of a process that died is taken over by one process alone, also what that has left', async () => {
    const lock = newLock()
    for (const path of [lock, `${lock}.takeover`]) writeFileSync(path, DEAD)
    const guard = `${lock}.takeover.takeover`
    writeFileSync(guard, JSON.stringify({ pid: process.pid, host: hostname(), nonce: 'y' }))
    await expect(withFileLock(lock, async () => {}, { waitMs: 300 })).rejects.toMatchObject({ code: 'database_busy' })
    for (const path of [lock, `${lock}.takeover`]) expect(readFileSync(path, 'utf8')).toBe(DEAD)
    rmSync(guard)
    expect(await withFileLock(lock, async () => 'done')).toBe('done')
    expect(readdirSync(dirname(lock))).toEqual([])
  })

  it('is watched also by those who do not wait, if it looks abandoned', async () => {
    const lock = newLock()
    writeFileSync(lock, HELD_ELSEWHERE)
    await expect(withFileLock(lock, async () => {}, { waitMs: 0 })).rejects.toMatchObject({ code: 'database_busy' })
    setTime(lock, -HOUR_MS)
    expect(await withFileLock(lock, async () => 'done', { waitMs: 0 })).toBe('done')
    writeFileSync(lock, DEAD)
    writeFileSync(`${lock}.takeover`, HELD_ELSEWHERE)
    setTime(`${lock}.takeover`, -HOUR_MS)
    expect(await withFileLock(lock, async () => 'done', { waitMs: 0 })).toBe('done')
  })

  it.each([-HOUR_MS, HOUR_MS])(
    'whose holder runs with another clock is waited for only as long as wanted: %i',
    async (change) => {
      const lock = newLock()
      const refresh = () => {
        writeFileSync(lock, HELD_ELSEWHERE)
        setTime(lock, change)
      }
      refresh()
      const heartbeat = setInterval(refresh, 1_000)
      onTestFinished(() => clearInterval(heartbeat))
      await expect(withFileLock(lock, async () => {}, { waitMs: 0 })).rejects.toMatchObject({ code: 'database_busy' })
    },
  )

  it('is not taken from a process that was paused together with those who wait', async () => {
    const lock = newLock()
    writeFileSync(lock, HELD_ELSEWHERE)
    const taken = withFileLock(lock, async () => 'done')
    await sleep(100)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 6_000)
    // The holder has a second until its next heartbeat.
    await sleep(1_000)
    expect(readFileSync(lock, 'utf8')).toBe(HELD_ELSEWHERE)
    expect(await taken).toBe('done')
  })
})
