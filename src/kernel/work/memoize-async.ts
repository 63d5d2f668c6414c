/** Makes a value with its first call, and shares it. */
export interface MemoizedAsync<Value> {
  (): Promise<Value>
  /** What was made or is being made; null before the first call and after a failure. */
  readonly current: Promise<Value> | null
}

/** A failure is not stored: the next call runs `make` again, because the cause may have passed. */
export function memoizeAsync<Value>(make: () => Promise<Value>): MemoizedAsync<Value> {
  let current: Promise<Value> | null = null
  const get = () => {
    if (current !== null) return current
    const making = make()
    current = making
    making.catch(() => {
      if (current === making) current = null
    })
    return making
  }
  return Object.defineProperty(get, 'current', { get: () => current }) as MemoizedAsync<Value>
}
