import { AsyncLocalStorage } from 'node:async_hooks'
import type { OperationId } from '../../kernel'

/** Whether a caller may run an operation. */
export type MayRun = (id: OperationId) => Promise<boolean>

const rights = new AsyncLocalStorage<MayRun>()

/** Answers a request with the rights of its caller, so that none of its forms is one that would refuse. */
export function answerWithRights<Answer>(may: MayRun, answer: () => Answer): Answer {
  return rights.run(may, answer)
}

/** Whether the caller of this request may run the operation. Each operation decides again when it is called. */
export async function mayRun(id: OperationId): Promise<boolean> {
  const may = rights.getStore()
  return may === undefined || may(id)
}
