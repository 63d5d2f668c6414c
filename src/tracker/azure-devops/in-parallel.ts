interface Bounds {
  /** Most pieces of work that are under way at once. */
  limit: number
  signal: AbortSignal
}

/** Results in the order of the inputs. After a failure nothing new begins, and what is under way is aborted. */
export async function inParallel<Input, Result>(
  inputs: readonly Input[],
  { limit, signal }: Bounds,
  work: (input: Input, signal: AbortSignal) => Promise<Result>,
): Promise<Result[]> {
  const results = new Array<Result>(inputs.length)
  const failure = new AbortController()
  const either = AbortSignal.any([signal, failure.signal])
  let next = 0
  async function worker(): Promise<void> {
    while (next < inputs.length && !failure.signal.aborted) {
      const index = next++
      results[index] = await work(inputs[index]!, either)
    }
  }
  const workers = Array.from({ length: Math.min(limit, inputs.length) }, worker)
  try {
    await Promise.all(workers)
  } catch (error) {
    failure.abort()
    await Promise.allSettled(workers)
    throw error
  }
  return results
}

export function chunksOf<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, i) => list.slice(i * size, (i + 1) * size))
}
