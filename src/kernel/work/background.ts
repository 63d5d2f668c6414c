import { type Actor, callerOf } from '../actor'
import { type Budget, checkpoint } from './budget'

/** A pure function of values that can be copied, under a name by which another thread finds it. */
export interface PureTask<Args extends unknown[], Result> {
  name: string
  run(...args: Args): Result
}

/** The functions under the name of their group: `items.addHtml`. */
export function pureTasks<Runs extends Record<string, (...args: any[]) => unknown>>(
  group: string,
  runs: Runs,
): { [Key in keyof Runs]: PureTask<Parameters<Runs[Key]>, ReturnType<Runs[Key]>> } {
  return Object.fromEntries(
    Object.entries(runs).map(([key, run]) => [key, { name: `${group}.${key}`, run }]),
  ) as ReturnType<typeof pureTasks<Runs>>
}

/** For whom a task runs. */
export interface TaskOwner {
  /** The tasks of one caller wait for each other, and those of different callers take turns. */
  caller: string
  /** The task ends when it is aborted. */
  signal: AbortSignal
  /** Counts the time of the task; absent for a task without a limit. */
  budget?: Budget
}

/**
 * Runs tasks where no other call waits for them. Rejects with `too_complex` if a task takes longer than its budget leaves, and with the
 * signal's reason when that is aborted.
 */
export interface Background {
  run(name: string, args: readonly unknown[], owner: TaskOwner): Promise<unknown>
}

/** Shorter texts take less time than a message to another thread and back, or at most a few turns of the event loop. */
const LONG_TEXT = 16_000

/** For what comes after a change that cannot be taken back: its caller must learn of it, so the task is not interrupted. */
export function uninterrupted({ actor, background }: { actor: Actor; background?: Background }) {
  return { actor, signal: new AbortController().signal, ...(background && { background }) }
}

/** Runs a task; elsewhere if its texts are long and there is another thread. */
export async function compute<Args extends unknown[], Result>(
  ctx: { actor: Actor; signal: AbortSignal; budget?: Budget; background?: Background },
  task: PureTask<Args, Result>,
  ...args: Args
): Promise<Result> {
  if (isLong(args)) return computeElsewhere(ctx, task, ...args)
  const result = task.run(...args)
  await checkpoint(ctx)
  return result
}

/** Runs a task on another thread, if there is one: for what takes long whatever it is about. */
export async function computeElsewhere<Args extends unknown[], Result>(
  ctx: { actor: Actor; signal: AbortSignal; budget?: Budget; background?: Background },
  task: PureTask<Args, Result>,
  ...args: Args
): Promise<Awaited<Result>> {
  if (ctx.background) {
    const owner = { caller: callerOf(ctx.actor), signal: ctx.signal, ...(ctx.budget && { budget: ctx.budget }) }
    const result = (await ctx.background.run(task.name, args, owner)) as Awaited<Result>
    ctx.budget?.start()
    return result
  }
  const result = await task.run(...args)
  await checkpoint(ctx)
  return result
}

/** Whether the texts in a value are so long that a thread converts them. */
export function isLong(value: unknown): boolean {
  return countCharacters(value, LONG_TEXT) > LONG_TEXT
}

/** The characters of all texts in a value. Stops counting above the limit. */
function countCharacters(value: unknown, limit: number): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 0
  let count = 0
  for (const part of value instanceof Map || value instanceof Set ? value.values() : Object.values(value)) {
    count += countCharacters(part, limit - count)
    if (count > limit) break
  }
  return count
}
