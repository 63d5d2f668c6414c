import { onTestFinished } from 'vitest'
import type { Model, ModelPart } from '../../src/assistant/services/model'
import { openModel } from '../../src/assistant/services/open-model'
import type { ModelLimits } from '../../src/assistant/services/timeouts'
import { type StubModel, type StubSettings, startStubModel } from './stub-model'

export const apis = ['ollama', 'openai'] as const
export type Api = (typeof apis)[number]

/** A stub server and a port to it. Both are closed at the end of the test. */
export async function served(
  api: Api,
  stubSettings: StubSettings = {},
  { limits, preferred = null }: { limits?: Partial<ModelLimits>; preferred?: string | null } = {},
): Promise<{ stub: StubModel; model: Model }> {
  const stub = await startStubModel(stubSettings)
  const model = openModel({ host: stub.url, api, model: preferred, limits })
  onTestFinished(async () => {
    await model.close()
    await stub.close()
  })
  return { stub, model }
}

export const never = new AbortController().signal
export const hello = { messages: [{ role: 'user', content: 'Hello?' }] } as const

export async function all(parts: AsyncIterable<ModelPart>): Promise<ModelPart[]> {
  const list: ModelPart[] = []
  for await (const part of parts) list.push(part)
  return list
}
