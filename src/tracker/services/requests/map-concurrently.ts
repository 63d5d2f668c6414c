interface ConcurrencyOptions {
  /** How many calls of `work` may run at once. */
  limit: number
  signal: AbortSignal
}

/** Returns the results in the order of the inputs. After a failure it starts nothing new and aborts what is running. */
export async function mapConcurrently<Input, Result>(
  inputs: readonly Input[],
  { limit, signal }: ConcurrencyOptions,
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

/** The same as a stream: yields one result while the next ones are running. A consumer that stops early aborts the rest. */
export async function* mapConcurrentlyInOrder<Input, Result>(
  inputs: readonly Input[],
  { limit, signal }: ConcurrencyOptions,
  work: (input: Input, signal: AbortSignal) => Promise<Result>,
): AsyncGenerator<Result, void, undefined> {
  const abandonment = new AbortController()
  const either = AbortSignal.any([signal, abandonment.signal])
  const running: Promise<Result>[] = []
  let next = 0
  const startNext = () => {
    if (next >= inputs.length) return
    const result = work(inputs[next++]!, either)
    // A failure is reported when its turn comes. Until then it must not count as an unhandled rejection.
    result.catch(() => {})
    running.push(result)
  }
  try {
    while (running.length < limit && next < inputs.length) startNext()
    while (running.length > 0) {
      const result = await running.shift()!
      startNext()
      yield result
    }
  } finally {
    abandonment.abort()
    await Promise.allSettled(running)
  }
}
