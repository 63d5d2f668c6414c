import { AbortableMemo } from '../../kernel/work/abortable-memo'
import { createInterruptedError } from './requests/tracker-error'

export type { MemoLifetime } from '../../kernel/work/abortable-memo'

/** A memoized computation that calls the tracker. */
export class AsyncMemo<Value> extends AbortableMemo<Value> {
  protected override createLeaveError(signal: AbortSignal): unknown {
    return createInterruptedError(signal, 'none')
  }
}
